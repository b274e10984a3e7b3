// The take that is looked at as a film by the program's renderer, with the camera that is looked through.
import type { FilmEye, StudioState } from "../net/protocol";
import { button, section, select } from "./controls";
import { make, setText } from "./dom";
import type { Desk } from "./panel";

const SIZES = ["640 × 360", "1280 × 720", "1920 × 1080"] as const;
const FINE: Readonly<Record<string, number>> = { "Draft": 4, "Fine": 16, "Finest": 64 };
const RATES = ["24", "30", "60"] as const;

export interface FilmSection {
  element: HTMLElement;
  update(state: StudioState): void;
}

/** `eye` is what a picture of this aspect looks through. */
export function filmSection(desk: Desk, eye: (aspect: number) => FilmEye): FilmSection {
  const chosen = { size: "640 × 360" as string, fine: "Fine", rate: "30" as string };
  const pick = (label: string, key: keyof typeof chosen, values: readonly string[], unit = "") => {
    const made = select<string>(label, (value) => (chosen[key] = value));
    made.options(values.map((value) => ({ value, label: value + unit })));
    made.set(chosen[key]);
    made.element.dataset["test"] = `film-${key}`;
    return made.element;
  };
  const start = button("Make a film", () => {
    const take = desk.state()?.take ?? 0;
    const [width, height] = chosen.size.split(" × ").map(Number) as [number, number];
    mine = desk.state()?.film.number;
    desk.send({ do: "film", wanted: true, take, width, height, samples: FINE[chosen.fine]!, frame_rate: Number(chosen.rate), ...eye(width / height) });
  }, "primary");
  start.dataset["test"] = "film";
  const bar = make("i");
  const words = make("span", { data: { test: "film-words" } });
  const cancel = button("Cancel", () => desk.send({ do: "film", wanted: false }), "small");
  cancel.dataset["test"] = "film-cancel";
  const save = button("Save film.mp4", () => desk.save("mp4"));
  save.dataset["test"] = "film-save";
  const track = make("div", { className: "film-bar", role: "progressbar", aria: { label: "Pictures of the film" } }, bar);
  const work = make("div", { className: "film-work", role: "status" }, words, track, make("div", { className: "row" }, cancel, save));
  const element = section("Film", make("p", { className: "hint" }, "By the program's renderer, through the camera as it stands, at the scene's pace."),
    make("div", { className: "row" }, pick("Size of the film", "size", SIZES), pick("Fineness of the film", "fine", Object.keys(FINE))),
    make("div", { className: "row" }, pick("Pictures a second", "rate", RATES, " a second"), start), work);
  /** The number before the one that this page asked for: it saves that when it comes. */
  let mine: number | undefined;
  return { element, update };

  function update(state: StudioState): void {
    const { film } = state;
    start.disabled = film.running || state.take === 0;
    work.hidden = film.take === "" && film.error === "";
    cancel.hidden = track.hidden = !film.running;
    save.hidden = !film.ready;
    bar.style.width = `${film.total === 0 ? 0 : (100 * film.done) / film.total}%`;
    track.setAttribute("aria-valuenow", String(film.total === 0 ? 0 : Math.round((100 * film.done) / film.total)));
    setText(words, film.error !== "" ? film.error : film.ready ? `${film.take} is filmed.` : `${film.take}: ${film.done} of ${film.total} pictures`);
    words.classList.toggle("late", film.error !== "");
    if (mine === undefined || film.number <= mine || film.running) return;
    mine = undefined;
    if (film.ready) desk.save("mp4");
  }
}
