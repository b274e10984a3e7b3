// A participant's way through a study: consent, questions, trials, thanks. The server knows where one
// is; a page that is closed or loaded again goes on there.
import * as api from "./api";
import { playPair } from "./game";
import { go, make, paragraphs, show } from "./screen";
import { Theatre } from "./theatre";
import { contacts, filmPair, rank, watch } from "./trials";
import "./style.css";

async function consent(plan: api.Plan): Promise<api.Next> {
  const agree = make("input", { type: "checkbox", id: "agree", "data-test": "agree" });
  const start = go("Begin", "begin");
  start.button.disabled = true;
  agree.addEventListener("change", () => (start.button.disabled = !agree.checked));
  show("consent", make("h1", {}, plan.title), ...plan.consent.flatMap(paragraphs),
    make("label", { class: "agree", for: "agree" }, agree, " I have read this and want to take part."), start.button);
  await start.pressed;
  api.remember((await api.begin()).key);
  return api.next();
}

function field(question: api.Question): HTMLElement {
  const common = { id: `q-${question.name}`, name: question.name, ...(question.optional ? {} : { required: "" }) };
  const label = make("label", { for: common.id }, question.text, question.optional ? " (if you like)" : "");
  if (question.type === "choice") {
    const options = question.choices.map((choice) => make("option", { value: choice }, choice));
    return make("div", { class: "field" }, label, make("select", common, make("option", { value: "" }, "—"), ...options));
  }
  if (question.type === "text") return make("div", { class: "field" }, label, make("textarea", { ...common, rows: "3" }));
  return make("div", { class: "field" }, label, make("input", { ...common, type: "number", step: "any",
    min: String(question.least), max: String(question.most) }));
}

async function questions(plan: api.Plan): Promise<api.Next> {
  const form = make("form", {}, ...plan.questions.map(field),
    make("button", { class: "main", type: "submit", "data-test": "send" }, "Go on"));
  const complaint = make("p", { class: "complaint", role: "alert" });
  show("questions", make("h1", {}, "About you"), form, complaint);
  for (;;) {
    await new Promise<void>((resolve) => form.addEventListener("submit", (event) => {
      event.preventDefault();
      resolve();
    }, { once: true }));
    const given = new FormData(form);
    const answers = Object.fromEntries(plan.questions.map((question) => {
      const text = String(given.get(question.name) ?? "");
      return [question.name, text === "" ? null : question.type === "number" ? Number(text) : text];
    }));
    try {
      return await api.questions(answers);
    } catch (error) {
      complaint.textContent = (error as Error).message;
    }
  }
}

const TRIALS = { "play-pairs": playPair, "film-pairs": filmPair, rank, contacts };

/** An answer is sent until it has arrived; the server takes each once. */
async function send(trial: number, given: api.Answer): Promise<api.Next> {
  for (;;) {
    try {
      return await api.answer(trial, given);
    } catch (error) {
      if (error instanceof api.Refused) {
        if (error.status === 409) return api.next();
        throw error;
      }
      show("waiting", make("h2", {}, "The server does not answer"), make("p", {}, "Your answer is kept; trying again."));
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function main(): Promise<void> {
  const plan = await api.plan();
  document.title = plan.title;
  const theatre = new Theatre();
  let next = await api.next();
  while (next.stage !== "done") {
    if (next.stage === "consent") next = await consent(plan);
    else if (next.stage === "questions") next = await questions(plan);
    else next = await send(next.trial, await TRIALS[next.kind](next, theatre));
  }
  const another = go("The next participant", "another");
  show("done", make("h1", {}, "That is all"), ...paragraphs(plan.thanks), another.button);
  await another.pressed;
  api.forget();
  location.reload();
}

Object.assign(window, { limberStudy: watch });
main().catch((error: unknown) => {
  show("failed", make("h1", {}, "Something went wrong"), make("p", { role: "alert" }, String(error)),
    make("p", {}, "Load the page again: what was answered is kept."));
});
