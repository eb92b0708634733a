import assert from "node:assert/strict";
import type { EditorChangesDeps } from "../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { loadWithEditor } from "./editorModel.ts";

type Create = (deps: EditorChangesDeps) => PendingChanges;
const { createEditorChanges } = await loadWithEditor<{ readonly createEditorChanges: Create }>(
  "src/changes/engine/editorChanges.ts",
);

/** The changes of a new window over the editor of the test. */
export function openChanges(
  blobs: string,
  stateFile: string,
  report = (error: unknown): void => assert.fail(String(error)),
): PendingChanges {
  return createEditorChanges({ blobs, stateFile, report });
}
