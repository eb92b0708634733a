import { Domain } from "../platform/domain.ts";
import { afterActivation } from "../platform/editor/afterActivation.ts";
import { Lazy } from "../platform/lazy.ts";
import type { EditorDeps } from "./deps.ts";
import type { EditorFeature } from "./editorFeature.ts";

/** Registers the editor actions and commit messages. The feature is loaded by the first command. */
export function registerEditor(deps: EditorDeps): Domain<EditorFeature> {
  return new Domain(
    new Lazy(async () => (await import("./editorFeature.ts")).createEditorFeature(deps)),
    afterActivation(
      async () => (await import("./codeActions.ts")).registerCodeActions(),
      (error) => deps.log.error(String(error)),
    ),
  );
}
