import { randomUUID } from "node:crypto";
import type * as vscode from "vscode";
import type { DomainCommands } from "../platform/editor/commands/domainCommands.ts";
import { CacheKeys } from "../session/cacheKeys.ts";
import { commands } from "../shared/names/ids.ts";
import { askInChat } from "./askInChat.ts";
import { CommitMessages } from "./commit/commitMessages.ts";
import type { EditorDeps } from "./deps.ts";
import { createEditController } from "./edit/editController.ts";
import { openSample } from "./openSample.ts";

/** The editor's actions, loaded when one of them is called. */
export interface EditorFeature extends vscode.Disposable {
  readonly commands: DomainCommands<"editor">;
}

export async function createEditorFeature(deps: EditorDeps): Promise<EditorFeature> {
  const { staged } = await deps.review.get();
  const parts = { ...deps, cacheKeys: new CacheKeys(randomUUID()) };
  const edits = createEditController(parts, staged);
  const commits = new CommitMessages(parts);
  return {
    commands: {
      [commands.editorAsk]: () => askInChat(deps, "ask"),
      [commands.editorExplain]: () => askInChat(deps, "explain"),
      [commands.editorWriteTests]: () => askInChat(deps, "writeTests"),
      [commands.editorFix]: () => edits.start("fix"),
      [commands.editorDocument]: () => edits.start("document"),
      [commands.editorEdit]: (instruction) => edits.start("edit", instruction),
      [commands.editorRewrite]: () => edits.start("rewrite"),
      [commands.editorShorten]: () => edits.start("shorten"),
      [commands.editorProofread]: () => edits.start("proofread"),
      [commands.editorTranslate]: (language) => edits.start("translate", language),
      [commands.editorSummarize]: () => edits.start("summarize"),
      [commands.editorOpenSample]: () => openSample(),
      [commands.editorRepeatEdit]: (instruction) => edits.again(instruction),
      [commands.editorStopEdit]: () => edits.stop(),
      [commands.editorWriteCommitMessage]: (source) => commits.write(source),
      [commands.editorStopCommitMessage]: () => commits.stop(),
      [commands.editorRestoreCommitMessage]: () => commits.restore(),
    },
    dispose() {
      edits.dispose();
      commits.dispose();
    },
  };
}
