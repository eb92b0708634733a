import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { notebooks } from "../../shared/names/ids.ts";
import type { ChainCall, ChainHelp } from "../../tools/chain/chainHelp.ts";
import type { RpcDeps } from "./deps.ts";
import type { RpcNotebooks } from "./notebook.ts";

/** The RPC notebook. Its code is loaded when the first notebook opens. */
export function registerRpc(deps: RpcDeps): Domain<RpcNotebooks> {
  const feature = new Lazy(async () => (await import("./notebook.ts")).createRpcNotebooks(deps));
  const onOpen = ({ notebookType }: vscode.NotebookDocument) => {
    if (notebookType === notebooks.rpc) void feature.get();
  };
  // Secrets in files of environments are marked without a notebook, too.
  const onOpenFile = ({ fileName }: vscode.TextDocument) => {
    if (fileName.endsWith(".rpc.env")) void feature.get();
  };
  return new Domain(
    feature,
    afterActivation(
      async () => {
        vscode.workspace.notebookDocuments.forEach(onOpen);
        vscode.workspace.textDocuments.forEach(onOpenFile);
      },
      (error) => deps.log.error(String(error)),
    ),
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
  );
}

/** Decodes a transaction that an agent wants to send. See `run/describeWrite.ts`. */
export async function describeChainWrite(write: ChainCall): Promise<readonly string[]> {
  const [{ describeWrite }, { evm }] = await Promise.all([import("./notebook.ts"), import("../evm/evm.ts")]);
  return describeWrite(evm, write);
}

/** What agents get of the notebook's knowledge. Its code is loaded with the first call. */
export const chainHelp: ChainHelp = {
  async decode(call, reply) {
    const [{ decodeReply }, { evm }] = await Promise.all([import("./notebook.ts"), import("../evm/evm.ts")]);
    return decodeReply(evm, call, reply);
  },
  hasLocalNode: async () => (await import("./notebook.ts")).localNode() !== "",
  async sendLocally(body, signal) {
    const { localNode, sendToLocalNode } = await import("./notebook.ts");
    return sendToLocalNode(localNode(), body, signal);
  },
};
