import * as vscode from "vscode";
import { readSettings } from "../../platform/settings.ts";
import { notebooks } from "../../shared/ids.ts";
import { isMainnet, localNetwork } from "../../shared/rpc/networks.ts";
import { createAbiFiles } from "./abiFiles.ts";
import { type CellCommands, createCellCommands } from "./cellCommands.ts";
import { createController } from "./controller.ts";
import { createEvmLoader } from "./evmLoader.ts";
import { withNetworks } from "./file/frontMatter.ts";
import { definitionsIn, networksOfCell, type Project } from "./language/project.ts";
import { createCreditPrice } from "./money.ts";
import { registerNotebookSum } from "./notebookSum.ts";
import { createOfferedNetworks, type OfferedNetworks } from "./offeredNetworks.ts";
import { registerOutputMessages } from "./outputMessages.ts";
import { registerPaste } from "./paste.ts";
import { createProjects, type Projects } from "./projects.ts";
import { registerDiagnostics } from "./providers/diagnostics.ts";
import { registerLanguage } from "./providers/language.ts";
import { registerRefusals } from "./providers/refusals.ts";
import type { RpcDeps } from "./register.ts";
import { registerRunDocuments } from "./runDocuments.ts";
import { isCell } from "./selectedCell.ts";
import { headOf, readCellMetadata, readNotebook, writeNotebook } from "./serializer.ts";
import { showHistory } from "./showHistory.ts";
import { showGallery, showNew } from "./showNew.ts";
import { registerStatusBar } from "./statusBar.ts";
import { createTextDocuments } from "./textDocuments.ts";

/** All of the RPC notebook behind its file type and its commands. */
export interface RpcNotebooks extends CellCommands, vscode.Disposable {
  read(bytes: Uint8Array): vscode.NotebookData;
  write(data: vscode.NotebookData): Uint8Array;
  showNew(): Promise<void>;
  showGallery(): Promise<void>;
  showHistory(target: unknown): Promise<void>;
  chooseNetwork(target: unknown): Promise<void>;
}

export function createRpcNotebooks(deps: RpcDeps): RpcNotebooks {
  const abiFiles = createAbiFiles();
  const texts = createTextDocuments();
  const projects = createProjects(abiFiles);
  const evm = createEvmLoader();
  const offered = createOfferedNetworks(deps, projects);
  const price = createCreditPrice(deps.session, () => readSettings().sandbox.dialect);
  const controller = createController({ ...deps, projects, evm, offered, price });
  const resultOf = (project: Project, cell: number, name: string): unknown => {
    const notebook = notebookOf(project);
    const definition = definitionsIn(project, cell).findLast(({ text }) => text === name);
    const one = project.cells[cell];
    const [network] = one ? networksOfCell(project, one) : [];
    if (!notebook || !definition || network === undefined) return undefined;
    return controller.values(notebook).get(project, definition, network)?.value;
  };
  const subscriptions = vscode.Disposable.from(
    controller,
    price,
    abiFiles,
    texts,
    registerDiagnostics(projects, evm),
    registerLanguage(projects, evm, resultOf),
    registerRefusals(controller),
    registerStatusBar(projects, controller, price),
    registerNotebookSum(projects, controller, deps.globalState, price),
    registerPaste(),
    registerOutputMessages(controller.history),
    registerRunDocuments(controller.history),
  );
  return {
    ...createCellCommands({ ...deps, projects, evm, resultOf, texts }),
    read: readNotebook,
    write: writeNotebook,
    showNew,
    showGallery: () => showGallery(deps.extensionUri),
    showHistory: (target) => showHistory(controller.history, target),
    chooseNetwork: (target) => chooseNetwork(offered, projects, target),
    dispose: () => subscriptions.dispose(),
  };
}

/** The open notebook that a project was made of. */
function notebookOf(project: Project): vscode.NotebookDocument | undefined {
  const [key] = project.cells.map((cell) => cell.key);
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some(({ document }) => document.uri.toString() === key),
  );
}

async function chooseNetwork(offered: OfferedNetworks, projects: Projects, target: unknown): Promise<void> {
  const cell = isCell(target) ? target : undefined;
  const notebook = cell?.notebook ?? vscode.window.activeNotebookEditor?.notebook;
  if (notebook?.notebookType !== notebooks.rpc) return;
  await offered.hear();
  const { project, cells } = projects.of(notebook);
  const one = cell ? project.cells[cells.indexOf(cell)] : undefined;
  const now = one ? networksOfCell(project, one) : project.networks;
  const picked = await vscode.window.showQuickPick(
    projects.offered.map((slug) => ({
      label: slug,
      picked: now.includes(slug),
      description:
        slug === localNetwork
          ? "a node on this machine, free"
          : isMainnet(slug)
            ? "main network"
            : "test network",
    })),
    {
      canPickMany: true,
      title: cell ? "Network of this cell" : "Network of this notebook",
      placeHolder: "Several networks make a comparison",
    },
  );
  if (!picked || picked.length === 0) return;
  await setNetworks(
    notebook,
    cell,
    picked.map(({ label }) => label),
  );
}

async function setNetworks(
  notebook: vscode.NotebookDocument,
  cell: vscode.NotebookCell | undefined,
  networks: readonly string[],
): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  if (cell) {
    const { facts, raw } = readCellMetadata(cell.metadata);
    const metadata = { facts: { ...facts, networks }, ...(raw === undefined ? {} : { raw }) };
    edit.set(notebook.uri, [vscode.NotebookEdit.updateCellMetadata(cell.index, metadata)]);
    const line = /^[ \t]*@network\b[^\r\n]*/m.exec(cell.document.getText());
    if (line) {
      const start = cell.document.positionAt(line.index);
      const end = cell.document.positionAt(line.index + line[0].length);
      edit.replace(cell.document.uri, new vscode.Range(start, end), `@network ${networks.join(", ")}`);
    }
  } else {
    const head = withNetworks(headOf(notebook.metadata), networks);
    edit.set(notebook.uri, [vscode.NotebookEdit.updateNotebookMetadata({ ...notebook.metadata, head })]);
  }
  await vscode.workspace.applyEdit(edit);
}
