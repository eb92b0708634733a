import * as vscode from "vscode";
import { changeDocument } from "../../../platform/editor/changeDocument.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import type { InsertTarget } from "../../../platform/editor/lastEditor.ts";
import { hidesSomething, visibleLine } from "../../../shared/text/html/visibleText.ts";
import { applyCode, type Use } from "./applyCode.ts";
import type { Proposals } from "./proposals.ts";
import { commandOf } from "./proposedText.ts";

/** A longer command does not fit into the confirmation, so it can't be run from here. */
const longestCommand = 2000;

export interface CodeParts {
  readonly proposals: Proposals;
  readonly lastEditor: { readonly target: InsertTarget | undefined };
}

/** Performs the action of a code block's button. */
export async function useCode(use: Use, { proposals, lastEditor }: CodeParts): Promise<void> {
  switch (use.action) {
    case "insert":
      return insert(use, lastEditor.target);
    case "apply":
      return applyCode(use, proposals, (code) => insert(code, lastEditor.target));
    case "save":
      return save(use);
    case "run":
      return run(use);
  }
}

/** Replaces the selections. Without a target the code becomes a new document. */
async function insert({ text, language }: Use, target: InsertTarget | undefined): Promise<void> {
  if (!target) {
    const document = await vscode.workspace.openTextDocument({ content: text, ...languageOf(language) });
    await vscode.window.showTextDocument(document);
    return;
  }
  const changes = target.selections.map((range) => ({ range, text }));
  if (!(await changeDocument(target.document, changes)))
    void vscode.window.showWarningMessage("The code was not inserted: the document can't be edited.");
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
