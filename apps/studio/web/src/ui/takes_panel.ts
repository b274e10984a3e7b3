// Takes: what was recorded, replayed from any side, cut and saved; and pictures of any size.
import type { Frame, StudioState, Take } from "../net/protocol";
import { button, section } from "./controls";
import { iconButton, make, setText } from "./dom";
import { parseNumber } from "./numbers";
import type { FilmSection } from "./film_section";
import type { Desk, Panel } from "./panel";

const seconds = (value: number) => `${value.toFixed(2)} s`;

/** Of a picture, pixels: what a browser's canvas surely can. */
const LARGEST = 8192;

export function takesPanel(desk: Desk, film: FilmSection): Panel {
  const record = button("Record", () => desk.send({ do: "record", running: !(desk.state()?.recording ?? false) }), "primary");
  record.dataset["test"] = "take-record";
  const list = make("ul", { className: "outliner", aria: { label: "Takes" } });
  const none = make("p", { className: "hint" }, "Record what the first method does; each recording is a take of its own.");
  const unkept = make("p", { className: "hint", data: { test: "takes-unkept" } },
    "Together they are over 64 MB: Save… Project holds them, the project that is kept by itself does not.");
  const scrub = make("input", { type: "range", min: "0", step: "any", aria: { label: "Time in the take" },
    data: { test: "take-scrub" }, oninput: () => desk.send({ do: "take_scrub", time: Number(scrub.value) }) });
  const clock = make("output");
  const loop = make("input", { type: "checkbox", data: { test: "take-loop" }, onchange: () => {
    const state = desk.state();
    if (state !== undefined) desk.send({ do: "take_show", id: state.take, looping: loop.checked });
  } });
  const name = make("input", { type: "text", aria: { label: "Name of the take" }, data: { test: "take-name" }, onchange: () => cut() });
  const ends = (["from", "to"] as const).map((end) => make("input", { type: "text", className: "number",
    inputMode: "decimal", aria: { label: `Cut ${end}, s` }, data: { test: `take-${end}` }, onchange: () => cut() }));
  const back = button("Back to the simulation", () => desk.send({ do: "take_show", id: 0, looping: loop.checked }));
  back.dataset["test"] = "take-back";
  const saves = make("div", { className: "row wrap", role: "group", aria: { label: "Save the take" } });
  const player = section("Replay", make("div", { className: "row" }, name),
    make("label", { className: "slider" }, make("span", {}, "Time"), clock, scrub),
    make("div", { className: "row" }, "From", ends[0]!, "to", ends[1]!, "s"),
    make("label", { className: "check" }, loop, "Loop"), saves, back);
  const [width, height] = (["Width", "Height"] as const).map((label, i) => make("input", { type: "text",
    className: "number", inputMode: "numeric", value: i === 0 ? "1920" : "1080", aria: { label: `${label}, pixels` },
    data: { test: `picture-${label.toLowerCase()}` } })) as [HTMLInputElement, HTMLInputElement];
  const picture = button("Save a picture", () => {
    const size = [width, height].map((input) => Math.round(parseNumber(input.value) ?? 0));
    const fine = size.map((pixels) => pixels >= 16 && pixels <= LARGEST);
    [width, height].forEach((input, i) => input.classList.toggle("wrong", !fine[i]));
    if (fine.every(Boolean)) desk.picture(size[0]!, size[1]!);
  });
  picture.dataset["test"] = "picture";
  const element = make("div", {}, section("Takes", record, none, list, unkept), player, film.element,
    section("Picture", make("div", { className: "row" }, width, "×", height, "pixels"), picture));
  let shown = "";
  let formats = "";
  return { id: "takes", title: "Takes", element, update, frame };

  function current(): Take | undefined {
    const state = desk.state();
    return state?.takes.find((take) => take.id === state.take);
  }

  function cut(): void {
    const take = current();
    if (take === undefined) return;
    const values = ends.map((input) => parseNumber(input.value, "s"));
    ends.forEach((input, i) => input.classList.toggle("wrong", values[i] === undefined || values[i] < 0));
    const [from, to] = values;
    if (from === undefined || to === undefined || from < 0 || to < 0) return;
    desk.send({ do: "take_change", id: take.id, name: name.value.trim(), from, to });
  }

  function item(take: Take, state: StudioState): HTMLElement {
    const remove = iconButton("close", `Delete ${take.name}`, () => desk.send({ do: "take_remove", id: take.id }));
    remove.dataset["test"] = "take-delete";
    return make("li", { className: take.fits ? "" : "away", data: { take: String(take.id) } },
      make("button", { type: "button", className: "name", aria: { pressed: String(take.id === state.take) },
        title: take.fits ? "Replay it" : "The scene has other bodies now",
        onclick: () => desk.send({ do: "take_show", id: take.id, looping: state.take_looping }) },
        make("strong", {}, take.name), make("span", {}, seconds(take.to - take.from))), remove);
  }

  function update(state: StudioState): void {
    setText(record, state.recording ? "Stop recording" : "Record");
    none.hidden = state.takes.length > 0;
    unkept.hidden = state.takes_kept;
    const key = JSON.stringify([state.takes, state.take]);
    if (key !== shown) {
      shown = key;
      list.replaceChildren(...state.takes.map((take) => item(take, state)));
    }
    const take = current();
    player.hidden = take === undefined;
    film.element.hidden = take === undefined && state.film.take === "";
    film.update(state);
    loop.checked = state.take_looping;
    if (take === undefined) return;
    scrub.max = String(Math.max(take.to - take.from, 1e-6));
    const set = (input: HTMLInputElement, text: string) => {
      if (document.activeElement !== input) input.value = text;
    };
    set(name, take.name);
    set(ends[0]!, take.from.toFixed(2));
    set(ends[1]!, take.to.toFixed(2));
    showTime(state.take_time);
    if (state.formats.join() !== formats) {
      formats = state.formats.join();
      saves.replaceChildren(...state.formats.map((ending) =>
        button(`.${ending}`, () => desk.save(ending), "small")));
    }
  }

  function frame(frame: Frame): void {
    if ((desk.state()?.take ?? 0) !== 0) showTime(frame.time);
  }

  function showTime(time: number): void {
    if (!scrub.matches(":active")) scrub.value = String(time);
    setText(clock, seconds(time));
  }
}
