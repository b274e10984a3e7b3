// Trials with films: pairs, ranks, clicks at contacts.
import * as api from "./api";
import { Film } from "./film";
import { choose, go, make, show } from "./screen";
import { Actor, Theatre } from "./theatre";

const LETTERS = ["A", "B", "C", "D", "E", "F"];

/** What tests and the curious may look at. */
export const watch = { filmTime: -1 };

const load = (trial: api.Trial) => Promise.all(trial.films.map(async (id) => new Actor(new Film(await api.film(id)))));

const heading = (trial: api.Trial, text: string) => make("header", {},
  make("p", { class: "progress" }, `${trial.title}, ${trial.number} of ${trial.of}`), make("h2", {}, text),
  ...trial.notes.map((note) => make("p", { class: "note" }, note)));

const stage = (theatre: Theatre, labels: string[]) => make("div", {
  class: "theatre", style: `--columns: ${Theatre.columns(labels.length)}` }, theatre.canvas,
  make("div", { class: "labels", "aria-hidden": "true" }, ...labels.map((label) => make("span", {}, label))));

/** Plays the actors until `end` says so; gives the time of the film on the way. */
function run(theatre: Theatre, actors: Actor[], loop: boolean, end: (time: number) => boolean): Promise<void> {
  theatre.play(actors);
  const begun = performance.now();
  const duration = Math.max(...actors.map((actor) => actor.film.duration));
  return new Promise((resolve) => {
    const draw = () => {
      const passed = (performance.now() - begun) / 1000;
      const time = loop ? passed % duration : Math.min(passed, duration);
      watch.filmTime = time;
      for (const actor of actors) actor.show(time);
      theatre.draw();
      if ((!loop && passed >= duration) || end(time)) {
        watch.filmTime = -1;
        resolve();
      } else {
        requestAnimationFrame(draw);
      }
    };
    draw();
  });
}

async function begin(trial: api.Trial, label: string): Promise<void> {
  const start = go(label, "start");
  show("ready", heading(trial, trial.number === 1 ? trial.title : "Ready?"),
    ...(trial.number === 1 ? trial.text.split("\n\n").map((part) => make("p", {}, part)) : []), start.button);
  start.button.focus();
  await start.pressed;
}

/** The question of a pair: 1 or 2. */
export async function askPair(trial: api.Trial, names: [string, string], arrows: boolean): Promise<api.Answer> {
  const buttons = names.map((name, k) => make("button", { type: "button", class: "choice", "data-test": `choice-${k + 1}` },
    name, make("kbd", {}, String(k + 1))));
  show("question", heading(trial, trial.question), make("div", { class: "choices" }, ...buttons));
  const asked = performance.now();
  const choice = await choose(buttons.map((button, k) => ({
    button, keys: [String(k + 1), ...(arrows ? [["arrowleft", "arrowright"][k]!] : [])] })));
  return { choice: choice + 1, seconds: (performance.now() - asked) / 1000 };
}

export async function filmPair(trial: api.Trial, theatre: Theatre): Promise<api.Answer> {
  const actors = await load(trial);
  await begin(trial, trial.together ? "Watch both films" : "Watch the first film");
  if (trial.together) {
    show("film", heading(trial, "Watch both"), stage(theatre, ["Left", "Right"]));
    await run(theatre, actors, false, () => false);
    return askPair(trial, ["The left one", "The right one"], true);
  }
  for (const [k, name] of ["First film", "Second film"].entries()) {
    if (k === 1) {
      const start = go("Watch the second film", "start");
      show("ready", heading(trial, "That was the first film"), start.button);
      start.button.focus();
      await start.pressed;
    }
    show("film", heading(trial, name), stage(theatre, [name]));
    await run(theatre, [actors[k]!], false, () => false);
  }
  return askPair(trial, ["The first one", "The second one"], false);
}

export async function rank(trial: api.Trial, theatre: Theatre): Promise<api.Answer> {
  const actors = await load(trial);
  await begin(trial, "Show the films");
  const letters = LETTERS.slice(0, trial.places);
  const list = make("ol", { class: "ranking", "aria-label": "Your order, the best first" });
  const buttons = letters.map((letter) => make("button", { type: "button", class: "choice", "data-test": `rank-${letter}` }, letter));
  const back = make("button", { type: "button", "data-test": "rank-back" }, "Take back");
  const done = make("button", { type: "button", class: "main", "data-test": "rank-done" }, "Done");
  show("rank", heading(trial, trial.question), stage(theatre, letters),
    make("div", { class: "choices" }, ...buttons, back, done), list);
  const ranking: number[] = [];
  const update = () => {
    buttons.forEach((button, k) => (button.disabled = ranking.includes(k + 1)));
    back.disabled = ranking.length === 0;
    done.disabled = ranking.length < trial.places;
    list.replaceChildren(...ranking.map((place) => make("li", {}, letters[place - 1]!)));
  };
  update();
  const asked = performance.now();
  let finished = false;
  const playing = run(theatre, actors, true, () => finished);
  while (!finished) {
    const k = await choose([...buttons.map((button, i) => ({ button, keys: [letters[i]!.toLowerCase()] })),
      { button: back, keys: ["backspace"] }, { button: done, keys: [] }]);
    if (k < trial.places) ranking.push(k + 1);
    else if (k === trial.places) ranking.pop();
    else finished = true;
    update();
  }
  await playing;
  return { ranking, seconds: (performance.now() - asked) / 1000 };
}

export async function contacts(trial: api.Trial, theatre: Theatre): Promise<api.Answer> {
  const [actor] = await load(trial);
  await begin(trial, "Start the film");
  const clicks: number[] = [];
  const flash = make("p", { class: "flash", "data-test": "clicks" }, "Click, or press the space bar, at each contact");
  const screen = show("contacts", heading(trial, trial.question), stage(theatre, [""]), flash);
  const click = () => {
    if (watch.filmTime < 0) return;
    clicks.push(watch.filmTime);
    flash.classList.toggle("odd");
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== " " || event.repeat) return;
    event.preventDefault();
    click();
  };
  screen.addEventListener("pointerdown", click); // either button
  screen.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("keydown", onKey);
  const begun = performance.now();
  await run(theatre, [actor!], false, () => false);
  removeEventListener("keydown", onKey);
  return { clicks, seconds: (performance.now() - begun) / 1000 };
}
