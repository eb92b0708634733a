// The chain notebooks of the window, for tools: they run in their own editor, so that the user sees what runs.
import * as vscode from "vscode";
import { workspaceUri } from "../../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { isRequestCell } from "../../../../rpc/editor/explorer/projects.ts";
import { networksOfNotebook, readCellMetadata } from "../../../../rpc/editor/serializer.ts";
import { commands, notebooks } from "../../../../shared/names/ids.ts";
import { checkedUri } from "../../../../tools/files/editorFiles.ts";
import type { ShownNotebook } from "./cellsToRun.ts";
import type { CellResult, ChainNotebooks } from "./runCellsTool.ts";

export const openChainNotebooks: ChainNotebooks = {
  async open(path) {
    return shownOf(await documentOf(path));
  },
  opened(path) {
    try {
      const uri = workspaceUri(path).toString();
      const open = vscode.workspace.notebookDocuments.find((one) => one.uri.toString() === uri);
      return open?.notebookType === notebooks.rpc ? shownOf(open) : undefined;
    } catch {
      return undefined;
    }
  },
  async run(path, indexes, simulates, signal) {
    if (!vscode.workspace.isTrusted)
      throw new Refusal("Nothing was run, because this folder is not trusted.");
    const notebook = await documentOf(path);
    const cells = indexes.map((index) => notebook.cellAt(index));
    await vscode.window.showNotebookDocument(notebook, { preserveFocus: true, preview: false });
    signal.throwIfAborted();
    const before = cells.map(({ executionSummary }) => executionSummary?.timing?.endTime);
    const cancel = () => void vscode.commands.executeCommand("notebook.cancelExecution", notebook.uri);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      if (simulates)
        for (const cell of cells) await vscode.commands.executeCommand(commands.rpcSimulate, cell);
      else {
        const ranges = indexes.map((index) => ({ start: index, end: index + 1 }));
        await vscode.commands.executeCommand("notebook.cell.execute", { ranges, document: notebook.uri });
      }
    } finally {
      signal.removeEventListener("abort", cancel);
    }
    return cells.map((cell, at) => resultOf(cell, before[at]));
  },
};

async function documentOf(path: string): Promise<vscode.NotebookDocument> {
  const uri = await checkedUri(path);
  if (!uri.path.endsWith(".rpc.md"))
    throw new Refusal(`${path} is no chain notebook: their names end with .rpc.md.`);
  const open = vscode.workspace.notebookDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open) return open;
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch {
    throw new Refusal(`${path} could not be opened. Write it with write_file first.`);
  }
}

function shownOf(notebook: vscode.NotebookDocument): ShownNotebook {
  return {
    networks: networksOfNotebook(notebook.metadata),
    cells: notebook.getCells().map((cell) => {
      if (!isRequestCell(cell)) return {};
      return { request: { text: cell.document.getText(), facts: readCellMetadata(cell.metadata).facts } };
    }),
  };
}

/** The newest output of a cell; not run if its last end is the one from before. */
function resultOf(
  { outputs, executionSummary }: vscode.NotebookCell,
  before: number | undefined,
): CellResult {
  const items = outputs.flatMap((output) => output.items);
  const item =
    items.find(({ mime }) => mime === "text/plain") ?? items.find(({ mime }) => /std|error/.test(mime));
  const text = item ? new TextDecoder().decode(item.data) : "";
  const hasRun =
    executionSummary?.timing?.endTime !== undefined && executionSummary.timing.endTime !== before;
  const isFine = executionSummary?.success;
  // A cell that is refused before it is sent ends at once, with its reason as output.
  return { isFine: hasRun || isFine === false ? isFine === true : undefined, text };
}

/** Whether tools for chain notebooks are offered: once the window has had one, until it is closed. */
export class ChainNotebookOffer {
  #isOffered = false;

  async read(): Promise<boolean> {
    this.#isOffered ||= vscode.workspace.notebookDocuments.some(isChain);
    if (!this.#isOffered && (vscode.workspace.workspaceFolders ?? []).length > 0)
      this.#isOffered = (await vscode.workspace.findFiles("**/*.rpc.md", "**/node_modules/**", 1)).length > 0;
    return this.#isOffered;
  }

  /** Tells once that a user has opened the first notebook. */
  onDidChange(listener: () => void): vscode.Disposable {
    return vscode.workspace.onDidOpenNotebookDocument((notebook) => {
      if (!this.#isOffered && isChain(notebook)) listener();
    });
  }
}

function isChain({ notebookType }: vscode.NotebookDocument): boolean {
  return notebookType === notebooks.rpc;
}
