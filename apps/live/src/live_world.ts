// The world behind the page: characters over a floor, hands on them, time. Runs in a worker and,
// in tests, without one.
import type { Body, Handle, Limber, Model, Quaternion, Vec3, World } from "@limber/runtime/core";
import type { Frame, Instance } from "../../studio/web/src/net/protocol";
import { drawnModel } from "./drawn_model";
import type { LiveBody, LiveCommand } from "./messages";

/** s */
export const STEP = 1 / 60;
const FRICTION = 0.6;
/** Rayleigh's, s and 1/s: a jelly that comes to rest within seconds. */
const DAMPING = { stiffnessDamping: 0.004, massDamping: 0.4 } as const;
/** A hand is a spring that would swing the whole body at this pace, and damps it so. */
const HAND_HZ = 2.5;
const HAND_DAMPING = 0.7;

interface Kind {
  readonly model: Model;
  readonly drawn: LiveBody;
}

interface Held {
  readonly body: number;
  readonly hand: Handle;
}

export class LiveWorld {
  readonly world: World;
  playing = true;
  private readonly kinds: Kind[];
  private readonly shown: Kind[] = [];
  private readonly hands = new Map<number, Held>();
  private generation = 0;
  private steps = 0;
  private microseconds = 0;
  private inputs = 0;

  constructor(limber: Limber, characters: readonly { name: string; file: ArrayBuffer }[]) {
    this.kinds = characters.map(({ name, file }) => {
      const model = limber.model(file);
      return { model, drawn: { model: drawnModel(name, model), mass: model.info.mass } };
    });
    this.world = limber.world();
    this.world.addObstacle({ friction: FRICTION });
  }

  /** Adds the next character, above where the others start. */
  add(): void {
    const number = this.world.bodies.length;
    const kind = this.kinds[number % this.kinds.length]!;
    this.world.add(kind.model, { ...startOf(number), ...DAMPING, friction: FRICTION, fast: true });
    this.shown.push(kind);
    ++this.generation;
  }

  bodies(): { generation: number; bodies: LiveBody[] } {
    return { generation: this.generation, bodies: this.shown.map((kind) => kind.drawn) };
  }

  step(): void {
    const begun = performance.now();
    this.world.step(STEP);
    ++this.steps;
    const spent = 1000 * (performance.now() - begun);
    this.microseconds += (spent - this.microseconds) / Math.min(this.steps, 30);
  }

  frame(): Frame {
    return {
      generation: this.generation % 65536,
      step: this.steps,
      time: this.world.time,
      stepMicroseconds: this.microseconds,
      contacts: this.world.contactCount(),
      inputs: this.inputs,
      instances: this.world.bodies.map(instanceOf),
    };
  }

  take(command: LiveCommand): void {
    this.inputs = (this.inputs + 1) % 65536;
    switch (command.do) {
      case "play":
        this.playing = command.playing;
        return;
      case "reset":
        this.releaseAll();
        this.world.bodies.forEach(putBack);
        return;
      case "handle":
        return this.hold(command.handle.id, command.handle.body, command.handle.vertex,
          command.handle.target);
      case "move":
        return this.hands.get(command.id)?.hand.move(command.target);
      case "release":
        return this.release(command.id);
      case "release_all":
        return this.releaseAll();
      case "hit": {
        const body = this.world.bodies[command.body];
        body?.impulse(body.model.vertex(command.vertex), command.impulse);
      }
    }
  }

  private hold(id: number, number: number, vertex: number, target: Vec3): void {
    const body = this.world.bodies[number];
    if (body === undefined) return; // it came from before a change
    const known = this.hands.get(id);
    if (known !== undefined) return known.hand.move(target);
    const pace = 2 * Math.PI * HAND_HZ;
    const { mass } = body.model.info;
    const hand = body.hold(body.model.vertex(vertex), target, {
      stiffness: mass * pace * pace,
      damping: 2 * HAND_DAMPING * mass * pace,
    });
    this.hands.set(id, { body: number, hand });
  }

  private release(id: number): void {
    this.hands.get(id)?.hand.release();
    this.hands.delete(id);
  }
  private releaseAll(): void {
    [...this.hands.keys()].forEach((id) => this.release(id));
  }
}

/** Five columns around the middle, one body above the other, none inside another. */
function startOf(number: number): { position: Vec3; rotation: Quaternion } {
  const column = number % 5;
  const storey = Math.floor(number / 5);
  const angle = (2 * Math.PI * column) / 5 + 0.6 * storey;
  const half = angle / 2 + 0.7 * number;
  const radius = 0.85; // characters are 0.9 m long at most
  return {
    position: [radius * Math.sin(angle), 0.1 + 0.7 * storey, radius * Math.cos(angle)],
    rotation: [0, Math.sin(half), 0, Math.cos(half)],
  };
}

function putBack(body: Body, number: number): void {
  const { position, rotation } = startOf(number);
  body.place(position, rotation);
  body.setVelocity([0, 0, 0]);
  body.resume();
}

function instanceOf(body: Body): Instance {
  const { position, rotation } = body.state();
  return { kind: "warped", values: body.modal(), volumeRatio: 1, error: 0, position, rotation };
}
