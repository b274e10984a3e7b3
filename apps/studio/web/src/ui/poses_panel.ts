// The shape interpolation: how the body moves between key poses (Huang et al. 2011). Curves over
// the modes say how fast (η) and how damped (μ) each one is and what that weighs; one slider goes
// from calm to jiggly for those who want no curves.
import type { Curve, Interpolation, ServerMessage, StudioState } from "../net/protocol";
import { button, section, slider } from "./controls";
import { CurveEditor } from "./curve_editor";
import { make, setText, svg } from "./dom";
import type { Desk, Panel } from "./panel";
import { constant, evaluate } from "./spline";

export type CurveMessage = Extract<ServerMessage, { type: "curve" }>;

/** μ = 1 is critically damped, μ = −1 not at all. */
export const jiggleToDamping = (jiggle: number) => 1 - 2 * jiggle;
export const dampingToJiggle = (mu: number) => (1 - mu) / 2;

const MODE_PLOT = { width: 272, height: 96 };

export interface PosesPanel extends Panel {
  curve(message: CurveMessage): void;
}

export function posesPanel(desk: Desk, onion: (on: boolean) => void): PosesPanel {
  const interpolation = () => desk.state()?.interpolation;
  const settings = (change: Partial<Interpolation>) => {
    const now = interpolation();
    if (now === undefined) return;
    const { active, looping, modes } = { ...now, ...change };
    desk.send({ do: "interpolation", active, looping, modes });
  };
  const curves = (change: Partial<Record<"frequency" | "damping" | "weight" | "share", Curve>>) => {
    const now = interpolation();
    if (now === undefined) return;
    const { frequency, damping, weight, share } = { ...now, ...change };
    desk.send({ do: "curves", frequency, damping, weight, share });
    desk.send({ do: "curve", mode });
  };
  let mode = 0;
  const grab = button("Keep this shape as a pose", () => {
    const poses = interpolation()?.poses ?? [];
    const time = poses.length === 0 ? 0 : Math.max(...poses.map((pose) => pose.time)) + 1;
    desk.send({ do: "pose_add", time, name: `Pose ${poses.length + 1}` });
  }, "primary");
  grab.dataset["test"] = "pose-add";
  const load = button("Load a pose…", () => desk.addPoseFile());
  const obstacle = make("p", { className: "hint" });
  const modes = slider({ label: "Modes", low: 4, high: 120, whole: true, lazy: true,
    format: (v) => v.toFixed(0), act: (v) => settings({ modes: v }) });
  const jiggle = slider({ label: "Calm to jiggly", low: 0, high: 1,
    format: (v) => (v === 0 ? "calm" : v === 1 ? "jiggly" : `${(100 * v).toFixed(0)} %`),
    hint: "Damping of all modes at once",
    act: (v) => curves({ damping: constant(jiggleToDamping(v)) }) });
  const editors = {
    frequency: new CurveEditor({ title: "Frequency η", low: -0.95, high: 0.95, colour: "#0072b2",
      hint: "Above the line a mode swings faster, below slower",
      act: (frequency) => curves({ frequency }) }),
    damping: new CurveEditor({ title: "Damping μ", low: -1, high: 1, colour: "#d55e00",
      hint: "At the top a mode does not swing, at the bottom it never stops",
      act: (damping) => curves({ damping }) }),
    weight: new CurveEditor({ title: "Smoothness γ_z", low: 0, high: 1, colour: "#009e73",
      hint: "At the top the motion starts and stops gently, at the bottom it keeps η and μ as drawn",
      act: (weight) => curves({ weight }) }),
    share: new CurveEditor({ title: "γ_ω against γ_α", low: 0, high: 1, colour: "#aa4499",
      hint: "Of what γ_z leaves: at the top η is kept, at the bottom μ",
      act: (share) => curves({ share }) }),
  };
  const chosen = slider({ label: "Mode shown", low: 1, high: 120, whole: true,
    format: (v) => v.toFixed(0),
    act: (v) => {
      mode = v - 1;
      desk.send({ do: "curve", mode });
    } });
  const plot = svg("svg", { viewBox: `0 0 ${MODE_PLOT.width} ${MODE_PLOT.height}`, class: "curve",
    role: "img", "aria-label": "The chosen mode's amplitude over time" });
  const skins = make("input", { type: "checkbox", data: { test: "onion" }, onchange: () => onion(skins.checked) });
  const controls = make("div", {},
    section("Motion", jiggle.element, modes.element, make("label", { className: "check" }, skins, "Onion skins")),
    section("Curves over the modes", editors.frequency.element, editors.damping.element,
      editors.weight.element, editors.share.element,
      make("p", { className: "hint" }, "Drag points; double-click adds or removes one.")),
    section("z(t) of one mode", chosen.element, plot as unknown as Node));
  const element = make("div", {},
    section("Key poses", make("div", { className: "row wrap" }, grab, load), obstacle), controls);
  let asked = "";
  return { id: "poses", title: "Poses", element, update, curve };

  function update(state: StudioState): void {
    const now = state.interpolation;
    setText(obstacle, now.obstacle);
    obstacle.hidden = now.obstacle === "";
    controls.hidden = now.poses.length < 2;
    modes.set(now.modes);
    chosen.limits(1, Math.max(2, now.modes));
    chosen.set(mode + 1);
    jiggle.set(dampingToJiggle(evaluate(now.damping, 0)));
    editors.frequency.set(now.frequency);
    editors.damping.set(now.damping);
    editors.weight.set(now.weight);
    editors.share.set(now.share);
    setText(grab, now.active ? "Insert a key here" : "Keep this shape as a pose");
    const key = JSON.stringify([now.poses, now.modes, now.frequency, now.damping, now.weight, now.share]);
    if (now.poses.length >= 2 && now.obstacle === "" && key !== asked) {
      asked = key;
      desk.send({ do: "curve", mode });
    }
  }

  function curve(message: CurveMessage): void {
    const { width, height } = MODE_PLOT;
    const last = message.times.at(-1) ?? 1;
    const largest = Math.max(...message.values.map(Math.abs), ...message.keys.map(Math.abs), 1e-12);
    const x = (t: number) => 6 + (t / last) * (width - 12);
    const y = (v: number) => height / 2 - (v / largest) * (height / 2 - 8);
    const poses = interpolation()?.poses ?? [];
    plot.replaceChildren(
      svg("line", { x1: 6, x2: width - 6, y1: y(0), y2: y(0), class: "curve-zero" }),
      svg("polyline", { fill: "none", stroke: "#0072b2", "stroke-width": 2,
        points: message.times.map((t, i) => `${x(t)},${y(message.values[i]!)}`).join(" ") }),
      ...message.keys.map((value, i) => svg("circle", { cx: x(poses[i]?.time ?? 0), cy: y(value),
        r: 4, fill: "#222" })));
  }
}
