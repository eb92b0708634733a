import * as vscode from "vscode";
import { commands, notebooks } from "../../shared/ids.ts";
import type { ChainWrite } from "../../tools/chainTool.ts";
import type { RpcDeps } from "./deps.ts";
import type { RpcNotebooks } from "./notebook.ts";

/** The RPC notebook. Its code is loaded when the first notebook opens. */
export function registerRpc(deps: RpcDeps): vscode.Disposable {
  let loading: Promise<RpcNotebooks> | undefined;
  let loaded: RpcNotebooks | undefined;
  const load = async () => {
    const { createRpcNotebooks } = await import("./notebook.ts");
    loaded = createRpcNotebooks(deps);
    return loaded;
  };
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const onOpen = ({ notebookType }: vscode.NotebookDocument) => {
    if (notebookType === notebooks.rpc) void feature();
  };
  // Secrets in files of environments are marked without a notebook, too.
  const onOpenFile = ({ fileName }: vscode.TextDocument) => {
    if (fileName.endsWith(".rpc.env")) void feature();
  };
  vscode.workspace.notebookDocuments.forEach(onOpen);
  vscode.workspace.textDocuments.forEach(onOpenFile);
  const command = (id: string, run: (rpc: RpcNotebooks, ...args: unknown[]) => unknown) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => run(await feature(), ...args));
  return vscode.Disposable.from(
    vscode.workspace.registerNotebookSerializer(
      notebooks.rpc,
      {
        deserializeNotebook: async (bytes) => (await feature()).read(bytes),
        serializeNotebook: async (data) => (await feature()).write(data),
      },
      { transientOutputs: true },
    ),
    vscode.workspace.onDidOpenNotebookDocument(onOpen),
    vscode.workspace.onDidOpenTextDocument(onOpenFile),
    command(commands.rpcNew, (rpc) => rpc.showNew()),
    command(commands.rpcGallery, (rpc) => rpc.showGallery()),
    command(commands.rpcNetwork, (rpc, target) => rpc.chooseNetwork(target)),
    command(commands.rpcEnvironment, (rpc, target) => rpc.chooseEnvironment(target)),
    command(commands.rpcAbi, (rpc, target) => rpc.getAbi(target)),
    command(commands.rpcIgnore, (rpc, target) => rpc.ignoreFile(target)),
    command(commands.rpcCopyAs, (rpc, target) => rpc.copyAs(target)),
    command(commands.rpcConvert, (rpc, target) => rpc.convert(target)),
    command(commands.rpcShowRequest, (rpc, target) => rpc.showRequest(target)),
    command(commands.rpcSimulate, (rpc, target) => rpc.simulate(target)),
    command(commands.rpcHistory, (rpc, target) => rpc.showHistory(target)),
    command(commands.rpcImport, (rpc) => rpc.importRequests()),
    command(commands.rpcCopyCi, (rpc) => rpc.copyCiCommand()),
    { dispose: () => loaded?.dispose() },
  );
}

/** Decodes a transaction that an agent wants to send. See `run/describeWrite.ts`. */
export async function describeChainWrite(write: ChainWrite): Promise<readonly string[]> {
  const [{ describeWrite }, { evm }] = await Promise.all([import("./notebook.ts"), import("../evm/evm.ts")]);
  return describeWrite(evm, write);
}
