import * as vscode from "vscode";
import { applyOrWarn } from "../../../platform/editor/changeDocument.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import type { TextDocuments } from "../../../platform/editor/textDocuments.ts";
import { readSettings } from "../../../platform/settings.ts";
import { environment, notebooks } from "../../../shared/names/ids.ts";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import type { EvmLoader } from "../../evm/evmLoader.ts";
import { hasComment } from "../../exchange/request/readRequest.ts";
import { readRequests } from "../../exchange/request/readRequests.ts";
import { asLiteralCell, type Wire, wireOf } from "../../exchange/request/wireOf.ts";
import { exportForms, indented, writeRequest } from "../../exchange/request/writeRequest.ts";
import { literalAsLines } from "../../exchange/toPasted.ts";
import type { CellFacts } from "../../language/check/cellFacts.ts";
import { parseCell } from "../../language/parse/parseCell.ts";
import { environmentsOf, networksOfCell } from "../../language/project.ts";
import type { ResultOf } from "../../providers/language.ts";
import type { RpcDeps } from "../deps.ts";
import { askForNetwork } from "../environment/networkPick.ts";
import type { Projects } from "../explorer/projects.ts";
import { environmentOfNotebook, readCellMetadata, toCellData } from "../serializer.ts";
import { selectedCell } from "./selectedCell.ts";

/** Commands on a cell other than run. Without a cell as target they take the selected one. */
export interface CellCommands {
  copyAs(target: unknown): Promise<void>;
  convert(target: unknown): Promise<void>;
  showRequest(target: unknown): Promise<void>;
  importRequests(): Promise<void>;
  /** Copies the command that runs the notebook without an editor. */
  copyCiCommand(): Promise<void>;
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
      const { network, networks } = found;
      if (networks > 1) {
        const message = `Copied for ${network} only. The cell has ${networks} networks, but this form has one address.`;
        return void vscode.window.showWarningMessage(message);
      }
      void vscode.window.setStatusBarMessage(
        `Copied as ${chosen}. It reads the key from the variable INFERENCE_API_KEY.`,
        4000,
      );
    },
    async convert(target) {
      const cell = selectedCell(target);
      if (!cell) return;
      const made = await converted(deps, cell);
      if (!made) return;
      if (made.lost.length > 0) {
        const convert = "Convert Without Them";
        const detail = `The other form can't contain ${made.lost.join(", ")}.`;
        if ((await warnModally("The conversion loses a part of this cell.", { detail }, convert)) !== convert)
          return;
      }
      await replaceCell(cell, made);
    },
    async showRequest(target) {
      const found = await requestOf(deps, target);
      if (!found) return;
      const { network, networks, text, key, unknown } = found;
      const others = networks > 1 ? ` and ${networks - 1} more network${networks > 2 ? "s" : ""}` : "";
      const notes =
        unknown.length > 0 ? `\n// ${unknown.join(", ")}: the value is known when the cell runs` : "";
      const header = key === undefined ? "" : `\n// Idempotency-Key: ${key}`;
      const content = `// POST ${network === localNetwork ? "the node on this machine" : `/crypto/rpc/${network}`}${others} (not sent)${header}${notes}\n${indented(text)}\n`;
      await deps.texts.show("request.jsonc", content);
    },
    importRequests: () => importRequests(deps),
    copyCiCommand: () => copyCiCommand(deps),
  };
}

async function copyCiCommand({ extensionUri, projects }: CellCommandDeps): Promise<void> {
  const { notebook } = vscode.window.activeNotebookEditor ?? {};
  if (notebook?.notebookType !== notebooks.rpc) return;
  if (notebook.isUntitled) {
    const message = "Save the notebook first. The command runs the file on disk.";
    return void vscode.window.showWarningMessage(message);
  }
  const runner = vscode.Uri.joinPath(extensionUri, "dist", "rpc-run.js").fsPath;
  const file = vscode.workspace.asRelativePath(notebook.uri, false);
  const { chosen } = environmentsOf(projects.of(notebook).project);
  // The runner reads the front matter itself.
  const isChosen = chosen !== undefined && environmentOfNotebook(notebook.metadata) === undefined;
  const choice = isChosen ? ["--environment", chosen] : [];
  const command = ["node", runner, file, ...choice, "--junit", "rpc-results.xml"].map(shellWord).join(" ");
  await vscode.env.clipboard.writeText(command);
  const unsaved = notebook.isDirty ? " The notebook has changes that are not saved." : "";
  void vscode.window.setStatusBarMessage(
    `Copied. The command reads the key from the variable ${environment.key}.${unsaved}`,
    4000,
  );
}

/** One word for sh, or for PowerShell and cmd on Windows, where file names contain no double quotes. */
function shellWord(word: string): string {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}

const noNetwork =
  "The cell has no network, because the one that @network names can't be used. Its line says why.";

async function requestOf(deps: CellCommandDeps, target: unknown) {
  const cell = selectedCell(target);
  if (!cell) return undefined;
  const { project, cells } = deps.projects.of(cell.notebook);
  const one = project.cells[cells.indexOf(cell)];
  if (!one) return undefined;
  const networks = networksOfCell(project, one);
  const [network] = networks;
  if (network === undefined) {
    void vscode.window.showWarningMessage(noNetwork);
    return undefined;
  }
  const wire = await wireFor(deps, cell);
  const root = deps.session.active
    ? (await deps.session.client({ kind: "notebook" })).root
    : "https://SERVICE/api/v1";
  return { ...wire, network, networks: networks.length, root, localNode: readSettings().rpc.localNode };
}

async function wireFor(
  { projects, evm, resultOf }: CellCommandDeps,
  cell: vscode.NotebookCell,
): Promise<Wire> {
  const { project, cells } = projects.of(cell.notebook);
  return wireOf(project, cells.indexOf(cell), await evm.load(), (at, name) => resultOf(project, at, name));
}

/** A cell converted to its other form. */
interface Converted {
  readonly text: string;
  /** The attributes of its fence. */
  readonly facts: CellFacts;
  /** Parts that the other form cannot express. */
  readonly lost: readonly string[];
}

async function converted(deps: CellCommandDeps, cell: vscode.NotebookCell): Promise<Converted | undefined> {
  const { facts } = readCellMetadata(cell.metadata);
  const parsed = parseCell(cell.document.getText());
  if (parsed.form === "literal") {
    const { text, start } = parsed;
    const lines = literalAsLines(text.slice(start));
    if (lines === undefined) {
      void vscode.window.showWarningMessage(
        "The cell was not converted. Lines need a method and a list of parameters for each call. They can't write a number such as 1.0 or 1e3, nor a member twice.",
      );
      return undefined;
    }
    const above = text.slice(0, start).trim();
    const lost = hasComment(text.slice(start)) ? ["the comments in the JSON"] : [];
    return { text: above ? `${above}\n${lines}` : lines, facts, lost };
  }
  const found = deps.projects.of(cell.notebook);
  const one = found.project.cells[found.cells.indexOf(cell)];
  // Without @network the JSON would be sent to the default network.
  if (one && networksOfCell(found.project, one).length === 0) {
    void vscode.window.showWarningMessage(noNetwork);
    return undefined;
  }
  const { text, unknown } = await wireFor(deps, cell);
  if (unknown.length > 0) {
    void vscode.window.showWarningMessage(
      `${unknown.join(", ")} is known only when the cell runs, and JSON can't refer to results by name. The cell was not converted.`,
    );
    return undefined;
  }
  const { project, cells } = deps.projects.of(cell.notebook);
  const made = asLiteralCell(project, cells.indexOf(cell), indented(text));
  return { ...made, facts: { ...facts, ...made.facts } };
}

async function replaceCell(cell: vscode.NotebookCell, { text, facts }: Converted): Promise<void> {
  const { document, index, notebook } = cell;
  const { raw } = readCellMetadata(cell.metadata);
  const edit = new vscode.WorkspaceEdit();
  const end = document.lineAt(document.lineCount - 1).range.end;
  edit.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
  const metadata = { facts, ...(raw === undefined ? {} : { raw }) };
  edit.set(notebook.uri, [vscode.NotebookEdit.updateCellMetadata(index, metadata)]);
  await applyOrWarn(edit);
}

/** Limit of a file with requests. */
const mostRequestBytes = 10_000_000;

/** Adds each request of a file to the notebook as a cell. */
async function importRequests({ projects }: CellCommandDeps): Promise<void> {
  const editor = vscode.window.activeNotebookEditor;
  if (editor?.notebook.notebookType !== notebooks.rpc) return;
  const files = await vscode.window.showOpenDialog({
    title: "Import requests",
    filters: { Requests: ["http", "rest", "json", "jsonc", "sh", "txt"] },
  });
  const [file] = files ?? [];
  if (!file) return;
  if ((await vscode.workspace.fs.stat(file)).size > mostRequestBytes) {
    void vscode.window.showWarningMessage(
      `This file is larger than ${mostRequestBytes / 1_000_000} MB. Copy the requests that you need into a smaller one.`,
    );
    return;
  }
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const all = readRequests(text, readSettings().rpc.localNode);
  const read = all.filter(({ from }) => from !== "withheld");
  if (read.length === 0) {
    void vscode.window.showWarningMessage(
      "No JSON-RPC request was found in that file. It can contain curl, cast rpc or JSON with a method.",
    );
    return;
  }
  const chosen = new Map<string, string | undefined>();
  for (const { host } of read)
    if (host !== undefined && !chosen.has(host))
      chosen.set(host, await askForNetwork(projects.offered, host));
  const cells = read.map(({ text: value, network, host }) => {
    const own = (host === undefined ? undefined : chosen.get(host)) ?? network;
    return toCellData(value, own ? { networks: [own] } : {});
  });
  const edit = new vscode.WorkspaceEdit();
  edit.set(editor.notebook.uri, [vscode.NotebookEdit.insertCells(editor.notebook.cellCount, cells)]);
  await applyOrWarn(edit);
  const left = all.length - read.length;
  if (left > 0)
    void vscode.window.showWarningMessage(
      `${left} of the ${all.length} requests in that file ${left === 1 ? "was" : "were"} not imported, because JSON-RPC can't express them.`,
    );
}
