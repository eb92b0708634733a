import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { imageStudio } from "../../shared/names/ids.ts";
import type { ImagesDeps } from "./deps.ts";
import type { ImagesFeature } from "./imagesFeature.ts";

/** Registers the image studio. The feature is loaded by its first command. */
export function registerImages(deps: ImagesDeps): Domain<ImagesFeature> {
  const feature = new Lazy(async () => {
    const [{ createImagesFeature }, { imageSchemas }] = await Promise.all([
      import("./imagesFeature.ts"),
      import("./imageSchemas.ts"),
    ]);
    return createImagesFeature(deps, imageSchemas);
  });
  return new Domain(
    feature,
    deps.recents.add({ label: "Pictures", list: async () => (await feature.get()).recent() }),
    // The editor keeps a tab that activates the extension until it has its provider.
    afterActivation(
      async () =>
        vscode.window.registerWebviewPanelSerializer(imageStudio, {
          deserializeWebviewPanel: async (panel) => (await feature.get()).restore(panel),
        }),
      (error) => deps.log.error(String(error)),
    ),
  );
}
