import * as vscode from "vscode";
import { commands } from "../shared/ids.ts";
import { registerCodeActions } from "./codeActions.ts";
import type { EditorDeps } from "./deps.ts";
import type { EditorFeature } from "./editorFeature.ts";

/** Registers the editor actions and commit messages. The feature is loaded by the first command. */
export function registerEditor(deps: EditorDeps): vscode.Disposable {
  let loading: Promise<EditorFeature> | undefined;
  const load = async () => {
    const { createEditorFeature } = await import("./editorFeature.ts");
    return createEditorFeature(deps);
  };
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const command = (id: string, run: (editor: EditorFeature, argument: unknown) => unknown) =>
    vscode.commands.registerCommand(id, async (argument: unknown) => run(await feature(), argument));
  return vscode.Disposable.from(
    registerCodeActions(),
    command(commands.editorAsk, (editor) => editor.askInChat("ask")),
    command(commands.editorExplain, (editor) => editor.askInChat("explain")),
    command(commands.editorWriteTests, (editor) => editor.askInChat("writeTests")),
    command(commands.editorFix, (editor) => editor.edits.start("fix")),
    command(commands.editorDocument, (editor) => editor.edits.start("document")),
    command(commands.editorEdit, (editor, instruction) => editor.edits.start("edit", instruction)),
    command(commands.editAccept, (editor) => editor.edits.accept()),
    command(commands.editReject, (editor) => editor.edits.reject()),
    command(commands.editAcceptHunk, (editor) => editor.edits.acceptHunk()),
    command(commands.editRejectHunk, (editor) => editor.edits.rejectHunk()),
    command(commands.editAgain, (editor, instruction) => editor.edits.again(instruction)),
    command(commands.editStop, (editor) => editor.edits.stop()),
    command(commands.commitMessage, (editor, source) => editor.commits.write(source)),
    command(commands.commitStop, (editor) => editor.commits.stop()),
    command(commands.commitRestore, (editor) => editor.commits.restore()),
    { dispose: () => void loading?.then((loaded) => loaded.dispose()) },
  );
}
