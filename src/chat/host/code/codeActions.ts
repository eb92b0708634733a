import * as vscode from "vscode";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { hidesSomething, visibleLine } from "../../../shared/text/html/visibleText.ts";
import { applyCode, type Use } from "./applyCode.ts";
import type { Proposals } from "./proposals.ts";
import { commandOf } from "./proposedText.ts";

/** A longer command does not fit into the confirmation, so it can't be run from here. */
const longestCommand = 2000;

/** Performs the action of a code block's button. */
export async function useCode(use: Use, proposals: Proposals): Promise<void> {
  switch (use.action) {
    case "insert":
      return insert(use);
    case "apply":
      return applyCode(use, proposals, insert);
    case "save":
      return save(use);
    case "run":
      return run(use);
  }
}

async function insert({ text, language }: Use): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (!editor) {
    const document = await vscode.workspace.openTextDocument({ content: text, ...languageOf(language) });
    await vscode.window.showTextDocument(document);
    return;
  }
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!done)
    void vscode.window.showWarningMessage("The code was not inserted: the active editor can't be edited.");
  else await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

async function save({ text, language, path }: Use): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const named = path?.split(/[\\/]/).at(-1);
  const name = (named && visibleLine(named)) ?? `code.${/^\w{1,10}$/.test(language) ? language : "txt"}`;
  const target = await vscode.window.showSaveDialog(
    folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {},
  );
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(text.endsWith("\n") ? text : `${text}\n`));
  await vscode.window.showTextDocument(target);
}

async function run({ text }: Use): Promise<void> {
  const command = commandOf(text);
  if (command === "") return;
  if (command.length > longestCommand || hidesSomething(command)) {
    void vscode.window.showWarningMessage(
      "The command was not run: it is too long to show in full, or contains invisible characters. Copy it and check it first.",
    );
    return;
  }
  const lines = command.split("\n").length;
  const question =
    lines === 1 ? "Run this command in the terminal?" : `Run these ${lines} lines in the terminal?`;
  const chosen = await warnModally(question, { detail: command }, "Run");
  if (chosen !== "Run") return;
  const terminal = vscode.window.activeTerminal ?? vscode.window.createTerminal();
  terminal.show();
  terminal.sendText(command, true);
}

function languageOf(language: string): { readonly language?: string } {
  const languageIds: Readonly<Record<string, string>> = {
    ts: "typescript",
    tsx: "typescriptreact",
    js: "javascript",
    jsx: "javascriptreact",
    py: "python",
    sh: "shellscript",
    bash: "shellscript",
    rs: "rust",
    rb: "ruby",
    md: "markdown",
    yml: "yaml",
    "c++": "cpp",
    "c#": "csharp",
  };
  const id = languageIds[language.toLowerCase()] ?? language.toLowerCase();
  return /^[\w#+-]+$/.test(id) ? { language: id } : {};
}
