import * as vscode from "vscode";
import { registerFeatureCommands } from "../platform/editor/featureCommands.ts";
import { Lazy } from "../platform/lazy.ts";
import { commands } from "../shared/ids.ts";
import { registerCodeActions } from "./codeActions.ts";
import type { EditorDeps } from "./deps.ts";

/** Registers the editor actions and commit messages. The feature is loaded by the first command. */
export function registerEditor(deps: EditorDeps): vscode.Disposable {
  const feature = new Lazy(async () => (await import("./editorFeature.ts")).createEditorFeature(deps));
  return vscode.Disposable.from(
    registerCodeActions(),
    registerFeatureCommands(feature, {
      [commands.editorAsk]: (editor) => editor.askInChat("ask"),
      [commands.editorExplain]: (editor) => editor.askInChat("explain"),
      [commands.editorWriteTests]: (editor) => editor.askInChat("writeTests"),
      [commands.editorFix]: (editor) => editor.edits.start("fix"),
      [commands.editorDocument]: (editor) => editor.edits.start("document"),
      [commands.editorEdit]: (editor, instruction) => editor.edits.start("edit", instruction),
      [commands.editorOpenSample]: (editor) => editor.openSample(),
      [commands.editorAcceptEdit]: (editor) => editor.edits.accept(),
      [commands.editorRejectEdit]: (editor) => editor.edits.reject(),
      [commands.editorAcceptHunk]: (editor) => editor.edits.acceptHunk(),
      [commands.editorRejectHunk]: (editor) => editor.edits.rejectHunk(),
      [commands.editorRepeatEdit]: (editor, instruction) => editor.edits.again(instruction),
      [commands.editorStopEdit]: (editor) => editor.edits.stop(),
      [commands.editorWriteCommitMessage]: (editor, source) => editor.commits.write(source),
      [commands.editorStopCommitMessage]: (editor) => editor.commits.stop(),
      [commands.editorRestoreCommitMessage]: (editor) => editor.commits.restore(),
    }),
    feature,
  );
}
