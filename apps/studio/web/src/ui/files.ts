// Files that people bring: chosen or dropped, asked for their units where they do not say, uploaded.
import type { Backend, FileUse } from "../net/backend";
import type { StudioState } from "../net/protocol";
import type { ImportSheet } from "./import_sheet";
import { chooseFile, type Messages } from "./overlays";

const MESHES = ".limberproj,.obj,.ply,.stl,.off,.glb,.msh,.mesh,.vtk,.vtu,.veg,.limber,.json";
/** Files that do not say which units they are in. */
const BARE_MESH = /\.(obj|ply|stl|off|glb|msh|mesh|vtk|vtu|veg)$/i;

const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(0);

export class Files {
  constructor(
    private readonly backend: Backend,
    private readonly importing: ImportSheet,
    private readonly messages: Messages,
    private readonly state: () => StudioState | undefined,
  ) {}

  choose(as: FileUse): void {
    chooseFile(MESHES, (file) => void this.upload(file, as));
  }

  async dropped(files: File[], as: FileUse): Promise<void> {
    if (files.length > 1) {
      this.messages.say("One file at a time, please: the first one is opened.");
    }
    await this.upload(files[0]!, as);
  }

  private async upload(file: File, as: FileUse): Promise<void> {
    const limit = this.state()?.upload_limit ?? Infinity;
    if (file.size > limit) {
      this.messages.say(`${file.name} has ${megabytes(file.size)} MB; the studio takes files up to ` +
        `${megabytes(limit)} MB.`, "error");
      return;
    }
    const opening = () => this.messages.progress(`Opening ${file.name}`, 0);
    const asked = as !== "pose" && BARE_MESH.test(file.name);
    opening();
    try {
      const survey = asked ? await this.backend.survey(file) : undefined;
      this.messages.progress(undefined);
      const mesh = survey && await this.importing.ask(file.name, survey);
      if (asked && mesh === undefined) return;
      opening();
      await this.backend.upload(file, as, mesh);
    } catch (error) {
      this.messages.say(error instanceof Error ? error.message : String(error), "error");
    } finally {
      this.messages.progress(undefined);
    }
  }
}
