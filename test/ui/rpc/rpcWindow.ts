import { once } from "node:events";
import { createServer, type RequestListener, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, dirname } from "node:path";
import { after, before } from "node:test";
import { findAnvil } from "../../../src/platform/process/anvil.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";

/** A window for several suites about RPC notebooks: starting one costs more than the tests of a suite. */
export interface RpcWindow {
  readonly workbench: Workbench;
  /** The node to which the network `local` leads, changed by each suite that needs one. */
  readonly localNode: { url: string };
  /** Where ABIs are asked for. The requests reach the same node. */
  readonly abiHost: string;
}

/** Opens the window with these settings, and these files in its folder. */
export function openRpcWindow(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
): RpcWindow {
  const localNode = { url: "" };
  let workbench: Workbench;
  let proxy: Server;
  let abiHost: string;
  before(async () => {
    // The setting stays, so that no test waits until a changed one has reached the extension.
    proxy = createServer((incoming, response) => {
      const { method, headers, url: path } = incoming;
      const onward = request(localNode.url, { method, headers, path }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      incoming.pipe(onward);
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    abiHost = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const local = {
      "inference.rpc.localNode": `http://${abiHost}`,
      "inference.rpc.abiSource": `http://${abiHost}/server/v2/contract/{chainId}/{address}?fields=abi,sources`,
    };
    const anvil = await findAnvil({ folders: [import.meta.dirname], searchPath: undefined });
    // Without the variable the editor takes the PATH of a login shell.
    const env = { PATH: `${dirname(anvil ?? "")}${delimiter}${process.env.PATH}`, VSCODE_CLI: "1" };
    workbench = await openWorkbench(name, { ...settings, ...local }, env, files);
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await workbench.close();
  });
  return {
    get workbench() {
      return workbench;
    },
    get abiHost() {
      return abiHost;
    },
    localNode,
  };
}

/** Sends the network `local` of a suite to a node of its own. */
export function useLocalNode(window: RpcWindow, answer: RequestListener): void {
  let node: Server;
  before(async () => {
    node = createServer(answer);
    await once(node.listen(0, "127.0.0.1"), "listening");
    window.localNode.url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
  });
  after(async () => {
    await window.workbench.runCommand("View: Close All Editors");
    node.closeAllConnections();
    node.close();
  });
}
