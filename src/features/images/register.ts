import * as vscode from "vscode";
import type { RecentResults } from "../../session/recentResults.ts";
import type { Session } from "../../session/session.ts";
import { commands, imageStudio } from "../../shared/ids.ts";
import type { ImagesFeature } from "./imagesFeature.ts";

export interface ImagesDeps {
  readonly session: Session;
  readonly recents: RecentResults;
  readonly log: vscode.LogOutputChannel;
  readonly extensionUri: vscode.Uri;
  /** Where thumbnails last. */
  readonly globalStorageUri: vscode.Uri;
  /** Where the pictures last that are to be edited; a window without a folder has no such place of its own. */
  readonly storageUri: vscode.Uri | undefined;
  /** Remembers which prices were told. */
  readonly globalState: vscode.Memento;
  /** Remembers the folder of the pictures, and what was set in the studio. */
  readonly workspaceState: vscode.Memento;
}

/** The image studio. What is behind its commands is loaded when one is called. */
export function registerImages(deps: ImagesDeps): vscode.Disposable {
  let loading: Promise<ImagesFeature> | undefined;
  let loaded: ImagesFeature | undefined;
  const load = async () => {
    const [{ createImagesFeature }, { imageSchemas }] = await Promise.all([
      import("./imagesFeature.ts"),
      import("./imageSchemas.ts"),
    ]);
    loaded = createImagesFeature(deps, imageSchemas);
    return loaded;
  };
  const host = () => {
    loading ??= load();
    return loading;
  };
  const filesOf = (one: unknown, many: unknown) =>
    (Array.isArray(many) ? many : [one]).filter((uri) => uri instanceof vscode.Uri);
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.imageStudio, async () => (await host()).show()),
    vscode.commands.registerCommand(commands.imageEdit, async (one: unknown, many: unknown) =>
      (await host()).edit(filesOf(one, many)),
    ),
    deps.recents.add({ label: "Pictures", list: async () => (await host()).recent() }),
    vscode.window.registerWebviewPanelSerializer(imageStudio, {
      deserializeWebviewPanel: async (panel) => (await host()).restore(panel),
    }),
    { dispose: () => loaded?.dispose() },
  );
}
