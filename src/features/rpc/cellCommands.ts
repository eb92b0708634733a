import * as vscode from "vscode";
import { exactText } from "../../shared/exactJson.ts";
import { languages, notebooks } from "../../shared/ids.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import type { EvmLoader } from "./evmLoader.ts";
import { readRequests } from "./exchange/readRequests.ts";
import { literalAsLines } from "./exchange/toPasted.ts";
import { type Wire, wireOf } from "./exchange/wireOf.ts";
import { exportForms, writeRequest } from "./exchange/writeRequest.ts";
import { parseCell } from "./language/parseCell.ts";
import { networksOfCell } from "./language/project.ts";
import type { Projects } from "./projects.ts";
import type { ResultOf } from "./providers/language.ts";
import type { RpcDeps } from "./register.ts";
import { selectedCell } from "./selectedCell.ts";
import type { TextDocuments } from "./textDocuments.ts";

/** What can be done with a cell beside running it. Each takes the cell, or the one that is selected. */
export interface CellCommands {
  copyAs(target: unknown): Promise<void>;
  convert(target: unknown): Promise<void>;
  showRequest(target: unknown): Promise<void>;
  importRequests(): Promise<void>;
}

export interface CellCommandDeps extends RpcDeps {
  readonly projects: Projects;
  readonly evm: EvmLoader;
  readonly resultOf: ResultOf;
  readonly texts: TextDocuments;
}

export function createCellCommands(deps: CellCommandDeps): CellCommands {
  return {
    async copyAs(target) {
      const found = await requestOf(deps, target);
      if (!found) return;
      const form = await vscode.window.showQuickPick([...exportForms], { title: "Copy the request as" });
      const chosen = exportForms.find((one) => one === form);
      if (!chosen) return;
      await vscode.env.clipboard.writeText(writeRequest(chosen, found));
      void vscode.window.setStatusBarMessage(
        `Copied as ${chosen}. The key is the variable INFERENCE_API_KEY.`,
        4000,
      );
    },
    async convert(target) {
      const cell = selectedCell(target);
      if (!cell) return;
      const text = await converted(deps, cell);
      if (text !== undefined) await replaceText(cell.document, text);
    },
    async showRequest(target) {
      const found = await requestOf(deps, target);
      if (!found) return;
      const { network, body, unknown } = found;
      const notes = unknown.length > 0 ? `\n// ${unknown.join(", ")}: known only when the cell runs` : "";
      const content = `// POST ${network === localNetwork ? "the node on this machine" : `/crypto/rpc/${network}`}: nothing was sent${notes}\n${exactText(body, 2)}\n`;
      await deps.texts.show("request.jsonc", content);
    },
    importRequests: () => importRequests(),
  };
}

async function requestOf(deps: CellCommandDeps, target: unknown) {
  const cell = selectedCell(target);
  if (!cell) return undefined;
  const { project, cells } = deps.projects.of(cell.notebook);
  const one = project.cells[cells.indexOf(cell)];
  if (!one) return undefined;
  const [network = localNetwork] = networksOfCell(project, one);
  const wire = await wireFor(deps, cell);
  const root = deps.session.active ? (await deps.session.client()).root : "https://SERVICE/api/v1";
  return { ...wire, network, root };
}

async function wireFor(
  { projects, evm, resultOf }: CellCommandDeps,
  cell: vscode.NotebookCell,
): Promise<Wire> {
  const { project, cells } = projects.of(cell.notebook);
  return wireOf(project, cells.indexOf(cell), await evm.load(), (at, name) => resultOf(project, at, name));
}

async function converted(deps: CellCommandDeps, cell: vscode.NotebookCell): Promise<string | undefined> {
  const text = cell.document.getText();
  if (parseCell(text).form === "literal") {
    const lines = literalAsLines(text);
    if (lines === undefined)
      void vscode.window.showWarningMessage(
        "Lines can't say this: each call needs a method and a list of parameters. The cell stays as it is.",
      );
    return lines;
  }
  const { body, unknown } = await wireFor(deps, cell);
  if (unknown.length > 0) {
    void vscode.window.showWarningMessage(
      `${unknown.join(", ")} is known only when the cell runs, and JSON has no names for it. The cell stays as it is.`,
    );
    return undefined;
  }
  return exactText(body, 2);
}

async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  await vscode.workspace.applyEdit(edit);
}

/** Adds the requests of a file to the notebook, a cell each. */
async function importRequests(): Promise<void> {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.rpc) return;
  const files = await vscode.window.showOpenDialog({
    title: "Import requests",
    filters: { Requests: ["http", "rest", "json", "jsonc", "sh", "txt"] },
  });
  const [file] = files ?? [];
  if (!file) return;
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const cells = readRequests(text).map(({ text: value, network }) => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, value, languages.rpc);
    cell.metadata = { facts: network ? { networks: [network] } : {} };
    return cell;
  });
  if (cells.length === 0) {
    void vscode.window.showWarningMessage(
      "There is no JSON-RPC request in that file: no curl, no cast rpc, no JSON with a method.",
    );
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.set(editor.notebook.uri, [vscode.NotebookEdit.insertCells(editor.notebook.cellCount, cells)]);
  await vscode.workspace.applyEdit(edit);
}
