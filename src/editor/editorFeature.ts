import type * as vscode from "vscode";
import { askInChat } from "./askInChat.ts";
import { CommitMessages } from "./commit/commitMessages.ts";
import type { EditorDeps } from "./deps.ts";
import { createEditController, type EditController } from "./edit/editController.ts";
import { openSample } from "./openSample.ts";
import type { ChatAction } from "./prompts.ts";

/** The editor's actions, loaded when one of them is called. */
export interface EditorFeature extends vscode.Disposable {
  askInChat(action: ChatAction): Promise<void>;
  openSample(): Promise<void>;
  readonly edits: EditController;
  readonly commits: CommitMessages;
}

export function createEditorFeature(deps: EditorDeps): EditorFeature {
  const edits = createEditController(deps);
  const commits = new CommitMessages(deps);
  return {
    askInChat: (action) => askInChat(deps, action),
    openSample,
    edits,
    commits,
    dispose() {
      edits.dispose();
      commits.dispose();
    },
  };
}
