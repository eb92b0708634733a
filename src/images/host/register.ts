import * as vscode from "vscode";
import { chosenFiles, registerFeatureCommands } from "../../platform/editor/featureCommands.ts";
import { Lazy } from "../../platform/lazy.ts";
import { commands, imageStudio } from "../../shared/ids.ts";
import type { ImagesDeps } from "./deps.ts";

/** Registers the image studio. The feature is loaded by its first command. */
export function registerImages(deps: ImagesDeps): vscode.Disposable {
  const feature = new Lazy(async () => {
    const [{ createImagesFeature }, { imageSchemas }] = await Promise.all([
      import("./imagesFeature.ts"),
      import("./imageSchemas.ts"),
    ]);
    return createImagesFeature(deps, imageSchemas);
  });
  return vscode.Disposable.from(
    registerFeatureCommands(feature, {
      [commands.imagesOpenStudio]: (images) => images.show(),
      [commands.imagesEdit]: (images, clicked, selected) => images.edit(chosenFiles(clicked, selected)),
    }),
    deps.recents.add({ label: "Pictures", list: async () => (await feature.get()).recent() }),
    vscode.window.registerWebviewPanelSerializer(imageStudio, {
      deserializeWebviewPanel: async (panel) => (await feature.get()).restore(panel),
    }),
    feature,
  );
}
