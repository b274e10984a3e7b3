// Every message between the page and the server. Commands and state are JSON text; frames are
// binary, little-endian. The server's side is apps/studio/server/protocol.h; tests/web runs both
// against each other.

export type Vec3 = readonly [number, number, number];
/** x y z w */
export type Quaternion = readonly [number, number, number, number];

export const METHODS = [
  "linear-modal",
  "modal-warping",
  "rotation-strain",
  "global-local",
  "linear",
  "stiffness-warping",
  "corotational",
  "stvk",
  "neo-hookean",
  "reduced",
] as const;
export type Method = (typeof METHODS)[number];

export type HandleKind = "position" | "orientation" | "both";

/** A hand on the body: where a vertex shall be (m, world), how it shall be turned (rad). */
export interface Handle {
  id: number;
  body: number;
  vertex: number;
  kind: HandleKind;
  target: Vec3;
  rotation: Vec3;
  pinned: boolean;
}

export interface BodyState {
  name: string;
  nodes: number;
  tets: number;
  /** kg */
  mass: number;
  vertices: number;
  /** Modes played, and how many the body was baked with. */
  modes: number;
  modes_available: number;
  /** Young's modulus in Pa, Poisson's ratio, density in kg/m³. */
  young: number;
  poisson: number;
  density: number;
  /** Rayleigh's factors: C = mass·M + stiffness·K, in 1/s and s. */
  damping: { mass: number; stiffness: number };
  /** Of fixed nodes: it flies, and can be put and thrown. */
  free: boolean;
  /** A surface filled with tetrahedra, which can be filled anew; cells along its longest side, 0 for as many as usual. */
  filled: boolean;
  cells: number;
  start: { position: Vec3; rotation: Quaternion };
  /** Of the modes as played, with the stiffness set now. */
  frequencies_hz: number[];
}

export interface Sample {
  name: string;
  title: string;
  text: string;
}

/** A key pose of the shape interpolation: its name and when it is reached, s. */
export interface KeyPose {
  id: number;
  name: string;
  time: number;
}

/** A control over the modes: values at mode fractions 0..1, smoothly joined. */
export interface Curve {
  at: number[];
  value: number[];
}

export interface Interpolation {
  poses: KeyPose[];
  /** Which part is played: the simulation, or the interpolation at `time`. */
  active: boolean;
  time: number;
  duration: number;
  looping: boolean;
  modes: number;
  frequency: Curve;
  damping: Curve;
  weight: Curve;
  share: Curve;
  /** What keeps it from playing, in words; empty when it plays. */
  obstacle: string;
}

/** A body that one lane cannot move on: it stands still there until it can. */
export interface LaneFault {
  lane: number;
  body: number;
  /** When it stopped, s. */
  time: number;
  message: string;
}

export const SHAPES = ["plane", "sphere", "box", "capsule"] as const;
export type Shape = (typeof SHAPES)[number];

/** Something hard that bodies meet. */
export interface ObstacleState {
  name: string;
  shape: Shape | "surface";
  /** m: radius; three edges; radius and length. */
  size: number[];
  /** Where the scene has it at its start. */
  position: Vec3;
  rotation: Quaternion;
  /** kg; null where only hands and paths move it. */
  mass: number | null;
  keyed: boolean;
}

export const JOINT_KINDS = ["ball", "hinge", "weld", "slider", "distance"] as const;
export type JointKind = (typeof JOINT_KINDS)[number];

/** What holds two things together, as the scene has it at its start; world coordinates. */
export interface JointState {
  kind: JointKind;
  /** Names of bodies or obstacles; null is the world. */
  bodies: [string | null, string | null];
  at: Vec3;
  /** Of a distance: its end on the second side. */
  to: Vec3 | null;
  axis: Vec3 | null;
  /** m, of a weld; 0: as the bodies' sizes ask. */
  radius: number;
  /** N; null: it never breaks. */
  break_force: number | null;
  /** rad or m. */
  limits: [number, number] | null;
  collide: boolean;
}

/** One side of a new joint; null is the world. */
export type JointSide = { body: number } | { obstacle: number } | null;

/** What is not there stays; 0 and an empty list take it away. */
export interface JointChange {
  at?: Vec3;
  to?: Vec3;
  axis?: Vec3;
  radius?: number;
  break_force?: number;
  limits?: number[];
  collide?: boolean;
}

/** A finished recording; times in s from its first frame. */
export interface Take {
  id: number;
  name: string;
  duration: number;
  from: number;
  to: number;
  /** Its bodies are those of the scene. */
  fits: boolean;
}

/** A film of a take by the program's renderer. */
export interface FilmState {
  /** Counts the films that were asked for. */
  number: number;
  /** Its name; empty when no film was asked for. */
  take: string;
  /** Pictures. */
  done: number;
  total: number;
  running: boolean;
  ready: boolean;
  /** What came instead of a film. */
  error: string;
}

/** All that the panels show. The newest one replaces those before it. */
export interface StudioState {
  type: "state";
  /** Changes whenever the model must be fetched anew from /model. */
  generation: number;
  title: string;
  samples: Sample[];
  playing: boolean;
  speed: number;
  time_step: number;
  time: number;
  gravity: Vec3;
  bodies: BodyState[];
  methods: Method[];
  lanes: Method[];
  /** The lanes as asked for: they may still be in the making. */
  wanted_lanes: Method[];
  /** The lane that the others are measured against. */
  truth: number;
  faults: LaneFault[];
  /** Of a file, bytes. */
  upload_limit: number;
  handles: Handle[];
  obstacles: ObstacleState[];
  joints: JointState[];
  /** Height of a level ground, m. */
  ground: number | null;
  /** Frames hold the contacts. */
  contacts_shown: boolean;
  /** Frames hold the stresses at the vertices. */
  stress_shown: boolean;
  /** Names of what can be undone and redone, the next first. */
  undo: string[];
  redo: string[];
  recording: boolean;
  recorded_frames: number;
  /** Endings of the files that a recording can be saved as. */
  formats: string[];
  takes: Take[];
  /** They are short enough to be kept without being asked. */
  takes_kept: boolean;
  /** The take that is replayed instead of the simulation; 0: none. */
  take: number;
  take_time: number;
  take_looping: boolean;
  film: FilmState;
  interpolation: Interpolation;
  /** What the page keeps with the project; null when there is none yet. */
  view: SavedView | null;
  /** How many scenes were opened: a new one brings its view. */
  opened: number;
  /** How often the project was kept by itself. */
  kept: number;
  /** Title of the project that an earlier run kept; empty when there is none. */
  offer: string;
}

/** What a picture is looked through: the tangent of half the vertical angle of view. */
export interface FilmEye {
  eye: Vec3;
  target: Vec3;
  half_height: number;
}

/** How a project is looked at. */
export interface SavedView {
  eye: Vec3;
  target: Vec3;
  /** Names of bodies and obstacles that are not shown. */
  hidden?: string[];
}

/** The outer edges of a body's tetrahedra at rest. */
export interface CageMessage {
  type: "cage";
  body: number;
  /** As asked for; 0: the mesh as it is. */
  cells: number;
  nodes: number;
  tets: number;
  positions: number[];
  edges: number[];
}

export type ServerMessage =
  | StudioState
  | { type: "handles"; handles: Handle[] }
  | { type: "progress"; stage: string; fraction: number }
  | { type: "idle" }
  | CageMessage
  | { type: "error"; message: string }
  | { type: "curve"; mode: number; times: number[]; values: number[]; keys: number[] };

export type Command =
  | { do: "open"; sample: string }
  | { do: "play"; playing: boolean }
  | { do: "step" }
  | { do: "reset" }
  | { do: "speed"; factor: number }
  | { do: "time_step"; seconds: number }
  | { do: "gravity"; acceleration: Vec3 }
  | { do: "material"; body: number; young: number; poisson: number; density: number }
  | { do: "damping"; body: number; mass: number; stiffness: number }
  | { do: "modes"; body: number; count: number }
  | { do: "lanes"; methods: Method[]; truth: number }
  | { do: "handle"; handle: Handle }
  /** Undone as one with all that follow until the next that begins. */
  | { do: "move"; id: number; target: Vec3; rotation: Vec3; begins: boolean }
  /** With a velocity, m/s, the hand opened in a swing: a free body flies on. */
  | { do: "release"; id: number; velocity?: Vec3 }
  | { do: "release_all" }
  | { do: "undo" }
  | { do: "redo" }
  /** Through the history; back where negative. */
  | { do: "travel"; steps: number }
  | { do: "add_body"; sample: string }
  | { do: "duplicate_body"; body: number }
  | { do: "remove_body"; body: number }
  | { do: "place_body"; body: number; position: Vec3 }
  /** A brush on the surface; a Young's modulus (Pa) of null brings the body's own back. */
  | { do: "paint"; body: number; what: "fixed" | "free"; vertices: number[] }
  | { do: "paint"; body: number; what: "young"; young: number | null; vertices: number[] }
  | { do: "fill"; body: number; cells: number }
  /** Asks for the cage; cells of 0: as it is. */
  | { do: "cage"; body: number; cells: number }
  /** A height of null is where the feet are. */
  | { do: "ground"; there: boolean; height: number | null }
  | { do: "add_obstacle"; shape: Shape; mass: number | null }
  | { do: "place_obstacle"; obstacle: number; position: Vec3 }
  | { do: "size_obstacle"; obstacle: number; size: number[] }
  | { do: "duplicate_obstacle"; obstacle: number }
  | { do: "remove_obstacle"; obstacle: number }
  /** In the hand; the scene has it there once it is let go. */
  | { do: "move_obstacle"; obstacle: number; position: Vec3; begins: boolean; let_go: boolean }
  | { do: "add_joint"; kind: JointKind; a: JointSide; b: JointSide; at: Vec3; to: Vec3 | null }
  | ({ do: "change_joint"; joint: number } & JointChange)
  | { do: "remove_joint"; joint: number }
  | { do: "contacts"; shown: boolean }
  | { do: "stress"; shown: boolean }
  | { do: "film"; wanted: false }
  | ({ do: "film"; wanted: true; take: number; width: number; height: number; samples: number; frame_rate: number } & FilmEye)
  | { do: "take_show"; id: number; looping: boolean }
  | { do: "take_change"; id: number; name: string; from: number; to: number }
  | { do: "take_remove"; id: number }
  | { do: "take_scrub"; time: number }
  | { do: "force"; body: number; vertex: number; force: Vec3 }
  | { do: "hit"; body: number; vertex: number; impulse: Vec3 }
  /** Free bodies: put somewhere at rest, or thrown. */
  | { do: "put"; body: number; position: Vec3; rotation: Quaternion }
  | { do: "throw"; body: number; velocity: Vec3; spin: Vec3 }
  | { do: "support"; position: Vec3; rotation: Quaternion }
  | { do: "record"; running: boolean }
  | { do: "pose_add"; time: number; name: string }
  | { do: "pose_remove"; id: number }
  | { do: "pose_time"; id: number; time: number }
  | { do: "interpolation"; active: boolean; looping: boolean; modes: number }
  | { do: "curves"; frequency: Curve; damping: Curve; weight: Curve; share: Curve }
  | { do: "scrub"; time: number }
  | { do: "view"; view: SavedView }
  | { do: "resume"; open: boolean }
  | { do: "curve"; mode: number };

/** One body of one lane as it stands now. */
export interface Instance {
  /** Enclosed volume over that at rest; NaN while the body is stopped. */
  volumeRatio: number;
  /** Against the truth's lane, in parts of the body's size; 0 when there is one lane, NaN while
   *  either is stopped. */
  error: number;
  /** Follows the modes with warping, the modes alone, or comes as positions. */
  kind: "warped" | "linear" | "positions";
  /** Modal amplitudes, or surface positions, three a vertex. */
  values: Float32Array;
  position: Vec3;
  rotation: Quaternion;
}

export interface Frame {
  generation: number;
  step: number;
  time: number;
  /** What one step costs on the server, µs. */
  stepMicroseconds: number;
  contacts: number;
  /** How many pointer commands the server had taken in when it made this frame, modulo 65536. */
  inputs: number;
  /** Lane by lane, body by body. */
  instances: Instance[];
  /** Lane by lane, obstacle by obstacle. */
  obstacles: Place[];
  /** Lane by lane: point (m) and force (N) of each contact by turns; empty unless they are shown. */
  touching: Float32Array[];
  /** Lane by lane, ten numbers a joint: see JointNow. */
  joints: Float32Array[];
  /** Lane by lane, nine numbers a body: see MotionNow; none while something else is shown. */
  motion: Float32Array[];
  /** Lane by lane, body by body: the stress at each vertex, Pa; empty unless it is shown. */
  fields: Float32Array[];
  /** What a step of each lane costs, µs. */
  laneCosts: Float32Array;
}

export interface Place {
  position: Vec3;
  rotation: Quaternion;
}

const FRAME = 1;
const HEADER_BYTES = 24;
const KINDS = ["linear", "warped", "positions", "obstacle", "contacts", "costs", "joints", "motion", "field"] as const;
const HAS_PLACE = 1;
const AT_ORIGIN: Vec3 = [0, 0, 0];
const UNTURNED: Quaternion = [0, 0, 0, 1];

/** Throws a RangeError when the bytes are not a whole frame. */
export function decodeFrame(bytes: ArrayBuffer): Frame {
  const view = new DataView(bytes);
  if (view.getUint8(0) !== FRAME) throw new RangeError("not a frame");
  const instances: Instance[] = [];
  const obstacles: Place[] = [];
  const touching: Float32Array[] = [];
  const joints: Float32Array[] = [];
  const motion: Float32Array[] = [];
  const fields: Float32Array[] = [];
  let laneCosts = new Float32Array();
  let at = HEADER_BYTES;
  while (at < bytes.byteLength) {
    const kind = KINDS[view.getUint8(at)];
    if (kind === undefined) throw new RangeError("unknown kind of instance");
    const placed = (view.getUint8(at + 1) & HAS_PLACE) !== 0;
    const count = view.getUint16(at + 2, true) + 65536 * (view.getUint8(at + 1) >> 1);
    const volumeRatio = view.getFloat32(at + 4, true);
    const error = view.getFloat32(at + 8, true);
    at += 12;
    let position = AT_ORIGIN;
    let rotation = UNTURNED;
    if (placed) {
      const place = new Float32Array(bytes, at, 7);
      position = [place[0]!, place[1]!, place[2]!];
      rotation = [place[3]!, place[4]!, place[5]!, place[6]!];
      at += 28;
    }
    const length = kind === "positions" || kind === "contacts" ? 3 * count : count;
    const values = new Float32Array(bytes, at, length);
    at += 4 * length;
    if (kind === "obstacle") obstacles.push({ position, rotation });
    else if (kind === "contacts") touching.push(values);
    else if (kind === "joints") joints.push(values);
    else if (kind === "motion") motion.push(values);
    else if (kind === "field") fields.push(values);
    else if (kind === "costs") laneCosts = values;
    else instances.push({ kind, volumeRatio, error, position, rotation, values });
  }
  return {
    generation: view.getUint16(2, true),
    step: view.getUint32(4, true),
    time: view.getFloat64(8, true),
    stepMicroseconds: view.getFloat32(16, true),
    contacts: view.getUint16(20, true),
    inputs: view.getUint16(22, true),
    instances,
    obstacles,
    touching,
    joints,
    motion,
    fields,
    laneCosts,
  };
}

const MOTION_NUMBERS = 9;

/** How a body moves: energies in J, |momentum| in kg m/s, |angular momentum| about its mass centre in kg m²/s. */
export interface MotionNow {
  kinetic: number;
  elastic: number;
  potential: number;
  momentum: number;
  angular: number;
}

/** NaN while the body is stopped. */
export function motionIn(numbers: Float32Array, body: number): MotionNow | undefined {
  const own = numbers.subarray(MOTION_NUMBERS * body, MOTION_NUMBERS * (body + 1));
  if (own.length < MOTION_NUMBERS) return undefined;
  const [kinetic, elastic, potential, px, py, pz, lx, ly, lz] = [...own] as [number, number, number, number, number, number, number, number, number];
  return { kinetic, elastic, potential, momentum: Math.hypot(px, py, pz), angular: Math.hypot(lx, ly, lz) };
}

/** A joint as it stands: its point on either side (m), its axis, and its force (N). */
export interface JointNow {
  a: Vec3;
  b: Vec3;
  axis: Vec3;
  force: number;
  broken: boolean;
}

const JOINT_NUMBERS = 10;

export function jointsIn(numbers: Float32Array): JointNow[] {
  return Array.from({ length: Math.floor(numbers.length / JOINT_NUMBERS) }, (_, k) => {
    const at = (first: number): Vec3 => {
      const i = JOINT_NUMBERS * k + first;
      return [numbers[i]!, numbers[i + 1]!, numbers[i + 2]!];
    };
    const force = numbers[JOINT_NUMBERS * k + 9]!;
    return { a: at(0), b: at(3), axis: at(6), force: Math.max(0, force), broken: force < 0 };
  });
}

/** The frame counts generations modulo 65536. */
export function sameGeneration(frame: Frame, generation: number): boolean {
  return frame.generation === generation % 65536;
}
