import * as vscode from "vscode";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { TextDocuments } from "../../platform/editor/textDocuments.ts";
import { readSettings } from "../../platform/settings.ts";
import { commands } from "../../shared/names/ids.ts";
import { createEvmLoader } from "../evm/evmLoader.ts";
import { isSecretResult } from "../language/environment/secretResults.ts";
import { definitionsIn, networksOfCell, type Project } from "../language/project.ts";
import { getAbi, registerAbiActions } from "../providers/abiActions.ts";
import { registerLanguage } from "../providers/language.ts";
import { storedName } from "../run/expect/values.ts";
import { CreditPrice } from "../run/plan/money.ts";
import { canSimulate, planCell } from "../run/plan/plan.ts";
import { createCellCommands } from "./commands/cellCommands.ts";
import { registerPaste } from "./commands/paste.ts";
import { selectedCell } from "./commands/selectedCell.ts";
import { showGallery, showNew } from "./commands/showNew.ts";
import type { RpcDeps } from "./deps.ts";
import { ContractAbi } from "./environment/contractAbi.ts";
import { EnvironmentFiles } from "./environment/environmentFiles.ts";
import { chooseEnvironment } from "./environment/environmentPick.ts";
import { createEnvironmentSecrets } from "./environment/environmentSecrets.ts";
import { chooseNetwork } from "./environment/networkPick.ts";
import { AbiFiles, createProjects, OfferedNetworks, type Projects } from "./explorer/projects.ts";
import { registerTests } from "./explorer/testExplorer.ts";
import { createController, type RpcController } from "./run/controller.ts";
import { registerOutputMessages } from "./run/outputMessages.ts";
import { registerRunDocuments } from "./run/runDocuments.ts";
import { showHistory } from "./run/showHistory.ts";
import { readNotebook, writeNotebook } from "./serializer.ts";
import { registerNotebookSum, registerStatusBar } from "./statusBar.ts";

export { decodeReply } from "../run/reply/decodeReply.ts";
export { sendToLocalNode } from "../run/senders.ts";
export { describeWrite } from "../run/write/describeWrite.ts";

/** The address of the network `local`; empty if the user has removed it. */
export function localNode(): string {
  return readSettings().rpc.localNode;
}

/** The RPC notebook: its file type and commands. */
export interface RpcNotebooks extends vscode.Disposable {
  read(bytes: Uint8Array): vscode.NotebookData;
  write(data: vscode.NotebookData): Uint8Array;
  readonly commands: DomainCommands<"rpc">;
}

export function createRpcNotebooks(deps: RpcDeps): RpcNotebooks {
  const abiFiles = new AbiFiles();
  const texts = new TextDocuments("inference-rpc-text", vscode.ViewColumn.Beside);
  const environments = new EnvironmentFiles(deps.workspaceState);
  const secrets = createEnvironmentSecrets(environments);
  const projects = createProjects(abiFiles, environments);
  const evm = createEvmLoader();
  const offered = new OfferedNetworks(deps, projects);
  const price = new CreditPrice(deps.session, () => readSettings().sandbox.dialect);
  const callerOf = createCallers();
  const controller = createController({ ...deps, projects, evm, offered, price, callerOf });
  // The credit counter of earlier versions.
  if (deps.globalState.get("rpc.spent") !== undefined) void deps.globalState.update("rpc.spent", undefined);
  const contractAbi = new ContractAbi({ ...deps, projects, texts });
  const resultOf = (project: Project, cell: number, name: string): unknown => {
    const notebook = notebookOf(project);
    const definition = definitionsIn(project, cell).findLast(({ text }) => text === name);
    const one = project.cells[cell];
    const [network] = one ? networksOfCell(project, one) : [];
    if (!notebook || !definition || network === undefined) return undefined;
    // Values of secrets are neither shown nor copied.
    if (isSecretResult(project, definition)) return undefined;
    return controller.values(notebook).get(storedName(project, definition), network)?.value;
  };
  const subscriptions = vscode.Disposable.from(
    controller,
    price,
    abiFiles,
    environments,
    secrets,
    texts,
    registerLanguage(projects, evm, resultOf, controller),
    registerStatusBar(projects, controller, price),
    registerNotebookSum({
      session: deps.session,
      projects,
      price,
      callerOf,
      report: (error) => deps.log.error(String(error)),
    }),
    registerPaste(projects),
    registerOutputMessages(controller.history, contractAbi),
    registerAbiActions(projects),
    registerRunDocuments(controller.history),
    registerTests({ projects, evm, controller }),
  );
  const ofCells = createCellCommands({ ...deps, projects, evm, resultOf, texts });
  return {
    read: readNotebook,
    write: writeNotebook,
    commands: {
      [commands.rpcNew]: () => showNew(),
      [commands.rpcOpenGallery]: () => showGallery(deps.extensionUri),
      [commands.rpcChooseNetwork]: (target) => chooseNetwork(offered, projects, target),
      [commands.rpcChooseEnvironment]: (target) => chooseEnvironment(environments, projects, target),
      [commands.rpcGetAbi]: (target) => getAbi(contractAbi, target),
      [commands.rpcIgnoreEnvironment]: (target) => secrets.ignore(target),
      [commands.rpcCopyAs]: (target) => ofCells.copyAs(target),
      [commands.rpcConvert]: (target) => ofCells.convert(target),
      [commands.rpcShowRequest]: (target) => ofCells.showRequest(target),
      [commands.rpcSimulate]: (target) => simulateCell(projects, controller, target),
      [commands.rpcShowHistory]: (target) => showHistory(controller.history, target),
      [commands.rpcImport]: () => ofCells.importRequests(),
      [commands.rpcCopyCiCommand]: () => ofCells.copyCiCommand(),
    },
    dispose: () => subscriptions.dispose(),
  };
}

/** Runs a cell, but simulates its transactions instead of sending them. */
async function simulateCell(projects: Projects, controller: RpcController, target: unknown): Promise<void> {
  const cell = selectedCell(target);
  if (!cell) return;
  const { project, cells } = projects.of(cell.notebook);
  if (canSimulate(planCell(project, cells.indexOf(cell)))) return controller.simulate(cell);
  const message =
    "This cell has no transaction to simulate. A simulation needs a line with send or eth_sendTransaction.";
  void vscode.window.showWarningMessage(message);
}

/** Ids of notebooks for the ledger. The URI of an untitled notebook is reused once it is closed, so it gets a random part. */
function createCallers(): (notebook: vscode.NotebookDocument) => string {
  const untitled = new WeakMap<vscode.NotebookDocument, string>();
  return (notebook) => {
    const uri = notebook.uri.toString();
    if (!notebook.isUntitled) return uri;
    const name = untitled.get(notebook) ?? `${uri}#${crypto.randomUUID()}`;
    untitled.set(notebook, name);
    return name;
  };
}

/** The open notebook of a project. */
function notebookOf(project: Project): vscode.NotebookDocument | undefined {
  const [key] = project.cells.map((cell) => cell.key);
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some(({ document }) => document.uri.toString() === key),
  );
}
