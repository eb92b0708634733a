import * as vscode from "vscode";
import { registerFeatureCommands } from "../../platform/editor/featureCommands.ts";
import { Lazy } from "../../platform/lazy.ts";
import { commands, notebooks } from "../../shared/ids.ts";
import type { ChainWrite } from "../../tools/chainTool.ts";
import type { RpcDeps } from "./deps.ts";

/** The RPC notebook. Its code is loaded when the first notebook opens. */
export function registerRpc(deps: RpcDeps): vscode.Disposable {
  const feature = new Lazy(async () => (await import("./notebook.ts")).createRpcNotebooks(deps));
  const onOpen = ({ notebookType }: vscode.NotebookDocument) => {
    if (notebookType === notebooks.rpc) void feature.get();
  };
  // Secrets in files of environments are marked without a notebook, too.
  const onOpenFile = ({ fileName }: vscode.TextDocument) => {
    if (fileName.endsWith(".rpc.env")) void feature.get();
  };
  vscode.workspace.notebookDocuments.forEach(onOpen);
  vscode.workspace.textDocuments.forEach(onOpenFile);
  return vscode.Disposable.from(
    vscode.workspace.registerNotebookSerializer(
      notebooks.rpc,
      {
        deserializeNotebook: async (bytes) => (await feature.get()).read(bytes),
        serializeNotebook: async (data) => (await feature.get()).write(data),
      },
      { transientOutputs: true },
    ),
    vscode.workspace.onDidOpenNotebookDocument(onOpen),
    vscode.workspace.onDidOpenTextDocument(onOpenFile),
    registerFeatureCommands(feature, {
      [commands.rpcNew]: (rpc) => rpc.showNew(),
      [commands.rpcOpenGallery]: (rpc) => rpc.showGallery(),
      [commands.rpcChooseNetwork]: (rpc, target) => rpc.chooseNetwork(target),
      [commands.rpcChooseEnvironment]: (rpc, target) => rpc.chooseEnvironment(target),
      [commands.rpcGetAbi]: (rpc, target) => rpc.getAbi(target),
      [commands.rpcIgnoreEnvironment]: (rpc, target) => rpc.ignoreFile(target),
      [commands.rpcCopyAs]: (rpc, target) => rpc.copyAs(target),
      [commands.rpcConvert]: (rpc, target) => rpc.convert(target),
      [commands.rpcShowRequest]: (rpc, target) => rpc.showRequest(target),
      [commands.rpcSimulate]: (rpc, target) => rpc.simulate(target),
      [commands.rpcShowHistory]: (rpc, target) => rpc.showHistory(target),
      [commands.rpcImport]: (rpc) => rpc.importRequests(),
      [commands.rpcCopyCiCommand]: (rpc) => rpc.copyCiCommand(),
    }),
    feature,
  );
}

/** Decodes a transaction that an agent wants to send. See `run/describeWrite.ts`. */
export async function describeChainWrite(write: ChainWrite): Promise<readonly string[]> {
  const [{ describeWrite }, { evm }] = await Promise.all([import("./notebook.ts"), import("../evm/evm.ts")]);
  return describeWrite(evm, write);
}
