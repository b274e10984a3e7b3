// What the study's server is asked and answers: apps/studio/study/desk.cpp.

export interface Question {
  name: string;
  text: string;
  type: "number" | "choice" | "text";
  optional: boolean;
  choices: string[];
  least?: number;
  most?: number;
}

export interface Plan {
  title: string;
  consent: string[];
  thanks: string;
  questions: Question[];
}

export interface Trial {
  stage: "trial";
  trial: number;
  number: number;
  of: number;
  kind: "play-pairs" | "film-pairs" | "rank" | "contacts";
  title: string;
  text: string;
  question: string;
  notes: string[];
  places: number;
  together: boolean;
  films: string[];
}

export type Next = { stage: "consent" } | { stage: "questions" } | { stage: "done" } | Trial;

export type Answer = { seconds: number } & ({ choice: number } | { ranking: number[] } | { clicks: number[] });

export interface Pull {
  vertex: number;
  target: [number, number, number];
}

const KEY = "limber-study";

/** The participant of this browser; survives a reload, so that nobody begins anew. */
let key = localStorage.getItem(KEY) ?? "";

export function remember(next: string): void {
  key = next;
  localStorage.setItem(KEY, key);
}

/** The next person at this browser is another participant. */
export function forget(): void {
  key = "";
  localStorage.removeItem(KEY);
}

async function ask(path: string, sent?: unknown): Promise<Response> {
  const response = await fetch(`api/${path}${path.includes("?") ? "&" : "?"}key=${key}`, sent === undefined
    ? {} : { method: "POST", body: JSON.stringify(sent) });
  if (!response.ok) throw new Refused(response.status, await response.text());
  return response;
}

/** What the server said no to. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

const json = async <T>(path: string, sent?: unknown) => (await (await ask(path, sent)).json()) as T;
const bytes = async (path: string, sent?: unknown) => (await ask(path, sent)).arrayBuffer();

export const plan = () => json<Plan>("plan");
export const next = () => json<Next>("next");
export const begin = () => json<{ key: string }>("begin", { consent: true });
export const questions = (answers: Record<string, string | number | null>) => json<Next>("questions", answers);
export const answer = (trial: number, given: Answer) => json<Next>("answer", { trial, ...given });
export const film = (identity: string) => bytes(`film/${identity}`);
export const game = (trial: number, place: number) => bytes("game", { trial, place });
export const step = (pictures: number, pull: Pull | null) => bytes("game/step", { pictures, pull });
