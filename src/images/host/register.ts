import * as vscode from "vscode";
import { commands, imageStudio } from "../../shared/ids.ts";
import type { ImagesDeps } from "./deps.ts";
import type { ImagesFeature } from "./imagesFeature.ts";

/** Registers the image studio. The feature is loaded by its first command. */
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
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const filesOf = (clicked: unknown, selected: unknown) =>
    (Array.isArray(selected) ? selected : [clicked]).filter((uri) => uri instanceof vscode.Uri);
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.imageStudio, async () => (await feature()).show()),
    vscode.commands.registerCommand(commands.imageEdit, async (clicked: unknown, selected: unknown) =>
      (await feature()).edit(filesOf(clicked, selected)),
    ),
    deps.recents.add({ label: "Pictures", list: async () => (await feature()).recent() }),
    vscode.window.registerWebviewPanelSerializer(imageStudio, {
      deserializeWebviewPanel: async (panel) => (await feature()).restore(panel),
    }),
    { dispose: () => loaded?.dispose() },
  );
}
