// The server of the studio over one port: WebSocket for frames and commands, HTTP for the rest.
import type { Backend, BackendEvents, FileUse, MeshImport, MeshSurvey, ModelBytes } from "./backend";
import { decodeFrame, type Command, type ServerMessage } from "./protocol";

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 3000;

export class SocketBackend implements Backend {
  private socket: WebSocket | undefined;
  private events: BackendEvents | undefined;
  private retry = FIRST_RETRY_MS;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `origin` as in "http://127.0.0.1:8080". */
  constructor(private readonly origin: string) {}

  start(events: BackendEvents): void {
    this.events = events;
    this.connect();
  }

  stop(): void {
    this.events = undefined;
    clearTimeout(this.timer);
    this.socket?.close();
  }

  send(command: Command): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  async fetchModel(generation: number): Promise<ModelBytes> {
    const response = await fetch(`${this.origin}/model?generation=${generation}`);
    if (response.status === 204) throw new Error("The scene has changed meanwhile");
    if (!response.ok) throw new Error(await failure(response, "The model did not arrive"));
    return response.arrayBuffer();
  }

  async survey(file: File): Promise<MeshSurvey> {
    return (await this.post(`/survey?name=${encodeURIComponent(file.name)}`, file)).json() as Promise<MeshSurvey>;
  }

  async upload(file: File, as: FileUse, mesh?: MeshImport): Promise<void> {
    const how = mesh === undefined ? "" : `&scale=${mesh.scale}&up=${mesh.up}`;
    await this.post(`/open?as=${as}&name=${encodeURIComponent(file.name)}${how}`, file);
  }

  private async post(target: string, file: File): Promise<Response> {
    const response = await fetch(this.origin + target, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
    });
    if (!response.ok) throw new Error(await failure(response, `${file.name} was not taken`));
    return response;
  }

  downloadAddress(ending: string): string {
    return `${this.origin}/download/${downloadName(ending)}`;
  }

  private connect(): void {
    this.events?.connection("connecting");
    const socket = new WebSocket(`${this.origin.replace(/^http/, "ws")}/socket`);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.retry = FIRST_RETRY_MS;
      this.events?.connection("open");
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (typeof event.data === "string") {
        this.events?.message(JSON.parse(event.data) as ServerMessage);
      } else {
        this.events?.frame(decodeFrame(event.data));
      }
    };
    socket.onclose = () => {
      if (this.events === undefined) return;
      this.events.connection("lost");
      this.timer = setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(2 * this.retry, LONGEST_RETRY_MS);
    };
    this.socket = socket;
  }
}

/** What the server calls the file with this ending. */
export function downloadName(ending: string): string {
  const names: Readonly<Record<string, string>> = { json: "scene.json", limberproj: "project.limberproj",
    mp4: "film.mp4" };
  return names[ending] ?? `recording.${ending}`;
}

/** The server's words when it gave some, else our own. */
async function failure(response: Response, otherwise: string): Promise<string> {
  const text = (await response.text()).trim();
  return text !== "" && text.length < 500 ? text : `${otherwise} (${response.status}).`;
}
