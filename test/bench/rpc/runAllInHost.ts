// Runs inside an extension host: all cells of a notebook, as a user runs them.
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { sendEvent } from "../../host/channel.ts";
import { ourExtension } from "../../host/extensions.ts";

describe("run all", () => {
  it("takes its time", async () => {
    const { RUN_ALL_NODE: node = "", RUN_ALL_CELLS: cells = "" } = process.env;
    await ourExtension().activate();
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration("inference").update("rpc.localNode", node, Global);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, "run-all.rpc.md");
    const text = "```rpc\neth_gasPrice\neth_blockNumber\n```\n\n".repeat(Number(cells));
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`---\nnetwork: local\n---\n${text}`));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    const samples: number[] = [];
    // The first run loads the code of the notebook.
    for (let round = 0; round < 4; round++) {
      const start = performance.now();
      await vscode.commands.executeCommand("notebook.execute");
      if (round > 0) samples.push(performance.now() - start);
      const run = notebook.getCells().filter(({ executionSummary }) => executionSummary?.success === true);
      assert.equal(run.length, Number(cells));
    }
    sendEvent({ type: "value", name: "run-all", value: samples });
  });
});
