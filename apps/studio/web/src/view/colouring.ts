// Which numbers colour the bodies, and up to where: drawn on all lanes by one legend.
import type { Frame } from "../net/protocol";
import type { Bodies } from "./bodies";
import type { BodyView } from "./body_view";
import { contactPressure, distances, roundUp, surfaceStrain, vertexAreas } from "./fields";

export const COLOURINGS = ["plain", "strain", "stress", "error", "pressure", "stiffness"] as const;
export type ColouringKind = (typeof COLOURINGS)[number];

/** A contact further from the surface than this part of the body's size is another body's. */
const REACH = 0.05;
/** The legend's end falls slowly, so that colours do not flicker. */
const FADE = 0.97;

export class Colouring {
  kind: ColouringKind = "plain";
  /** Of the legend, in the field's unit. */
  end = 0;
  private largest = 0;
  private areas = new WeakMap<object, Float32Array>();

  constructor(private readonly bodies: () => Bodies) {}

  choose(kind: ColouringKind): void {
    this.kind = kind;
    this.largest = this.end = 0;
    if (kind === "plain") this.bodies().each((view) => view.setField(undefined, 0));
  }

  /** Once a frame that was shown. */
  update(frame: Frame, truth: number): void {
    if (this.kind === "plain") return;
    const fields: { view: BodyView; values: Float32Array }[] = [];
    let largest = 0;
    this.bodies().each((view, lane, body) => {
      const values = this.valuesOf(view, lane, body, frame, truth);
      for (const value of values) largest = Math.max(largest, Math.abs(value));
      fields.push({ view, values });
    });
    this.largest = Math.max(largest, FADE * this.largest);
    this.end = roundUp(this.largest);
    for (const { view, values } of fields) view.setField(values, this.end, this.kind === "stiffness");
  }

  private valuesOf(view: BodyView, lane: number, body: number, frame: Frame, truth: number): Float32Array {
    const { model } = view.assets;
    const none = () => new Float32Array(model.vertexCount);
    switch (this.kind) {
      case "strain":
        return surfaceStrain(model.restPositions, view.positions(), model.triangles);
      case "stress": {
        // A replayed take has none.
        const field = frame.fields[lane * (this.bodies().loaded?.bodies.length ?? 0) + body];
        return field?.length === model.vertexCount ? field : none();
      }
      case "error": {
        const other = this.bodies().view(truth, body);
        return other === undefined || other === view ? none() : distances(view.worldPositions(), other.worldPositions(), model.size);
      }
      case "pressure": {
        let areas = this.areas.get(model);
        if (areas === undefined) this.areas.set(model, (areas = vertexAreas(model.restPositions, model.triangles)));
        return contactPressure(view.worldPositions(), areas, frame.touching[lane] ?? new Float32Array(), REACH * model.size);
      }
      case "stiffness":
        return model.stiffness.length === model.vertexCount ? model.stiffness : none();
      case "plain":
        return none();
    }
  }
}
