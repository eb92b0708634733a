// The chat's tool for chain notebooks in the real editor, on the sandbox and on a node: its card says what runs, the results
// are in the cells of the notebook, and what was changed after the card is not run.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import * as vscode from "vscode";
import { openChainNotebooks } from "../../../src/chat/host/tools/chain/openChainNotebooks.ts";
import { createRunCellsTool } from "../../../src/chat/host/tools/chain/runCellsTool.ts";
import type { CallContext } from "../../../src/chat/host/tools/tool.ts";
import { commands } from "../../../src/shared/names/ids.ts";
import { closeAll } from "../editors.ts";

const path = "agent.rpc.md";
const [me, thief] = [`0x${"a1".repeat(20)}`, `0x${"ee".repeat(20)}`];
const text = [
  ...["---", "network: ethereum-mainnet", "---", "", "# Head", ""],
  ...["```rpc", "head = eth_blockNumber", "```", ""],
  ...["```rpc", "eth_getBlockByNumber $head false", "expect $head > 0", "```", ""],
  ...["```rpc", "@network local", `eth_sendTransaction { from: ${me}, to: ${me} }`, "```", ""],
].join("\n");

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params?: unknown;
}

describe("cells of a chain notebook that an agent runs", () => {
  const tool = createRunCellsTool(openChainNotebooks);
  const { signal } = new AbortController();
  const sent: Request[] = [];
  let node: Server;
  const run = (input: object) => tool.run?.({ path, ...input }, signal, {} as CallContext);
  const opened = () =>
    vscode.workspace.notebookDocuments.find(({ uri }) => uri.path.endsWith(path)) ?? assert.fail("not open");

  before(async () => {
    // A node that answers each method with a hash, and notes it.
    node = createServer(async (incoming, response) => {
      const body = (await json(incoming)) as Request | readonly Request[];
      const items = [body].flat() as readonly Request[];
      sent.push(...items);
      const replies = items.map(({ id }) => ({ jsonrpc: "2.0", id, result: `0x${"ab".repeat(32)}` }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
    });
    await once(node.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    await vscode.workspace.getConfiguration("inference").update("rpc.localNode", url, true);
    await vscode.commands.executeCommand(commands.connectionUseSandbox);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    writeFileSync(join(folder.uri.fsPath, path), text);
  });
  after(async () => {
    await closeAll();
    await vscode.workspace.getConfiguration("inference").update("rpc.localNode", undefined, true);
    node.closeAllConnections();
    node.close();
  });

  it("shows the price and runs what the card says, with the results in the notebook", async () => {
    const input = { path, cells: [3], simulate: false };
    await tool.prepare?.(input);
    // The cell needs the result of the one before.
    assert.equal(tool.summary(input), `Run cell 3 of ${path}: at most 40 credits`);
    assert.equal(tool.alwaysAsks?.(input), false);
    const result = (await run({ cells: [3], simulate: false })) ?? "";
    assert.match(result, /^1 cell passed\.\n\n\[cell 3\] passed\n/);
    assert.match(result, /expect \$head > 0: met/);
    // Its head had been asked for by the cell before it, which ran then.
    assert.match(result, /\n20 credits · /);
    const { outputs, executionSummary } = opened().cellAt(2);
    assert.equal(executionSummary?.success, true);
    const shown = outputs.flatMap(({ items }) => items).find(({ mime }) => mime === "text/plain");
    assert.ok(shown && result.endsWith(new TextDecoder().decode(shown.data)));
  });

  it("runs a transaction as it was shown, and not one that took its place", async () => {
    const input = { path, cells: [4], simulate: false };
    await tool.prepare?.(input);
    assert.equal(
      tool.summary(input),
      `Run cell 4 of ${path}: free. It may change a chain: eth_sendTransaction`,
    );
    assert.equal(tool.alwaysAsks?.(input), true);
    const { document } = opened().cellAt(3);
    const change = async (from: string, to: string) => {
      const edit = new vscode.WorkspaceEdit();
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(document.uri, all, document.getText().replace(`to: ${from}`, `to: ${to}`));
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    await change(me, thief);
    await assert.rejects(async () => run({ cells: [4], simulate: false }), /not what the user was shown/);
    assert.deepEqual(sent, []);
    await change(thief, me);
    assert.match((await run({ cells: [4], simulate: false })) ?? "", /^1 cell passed\./);
    const [{ method, params } = assert.fail("nothing was sent")] = sent;
    assert.deepEqual([method, params], ["eth_sendTransaction", [{ from: me, to: me }]]);
  });
});
