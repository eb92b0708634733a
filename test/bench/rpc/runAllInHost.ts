// Runs inside an extension host: all cells of a notebook as a user runs them, the same cells by an extension that only
// shows outputs, and by the runner without an editor. They take turns.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import * as vscode from "vscode";
import { sendEvent } from "../../host/channel.ts";
import { ourExtension } from "../../host/extensions.ts";

/** Milliseconds of each round. */
export interface RunAllSamples {
  readonly ours: readonly number[];
  readonly floor: readonly number[];
  readonly runner: readonly number[];
}

const rounds = 7;
const type = "inference-rpc";

describe("run all", () => {
  it("takes its time", async () => {
    const { RUN_ALL_NODE: node = "", RUN_ALL_CELLS: cells = "" } = process.env;
    const extension = ourExtension();
    await extension.activate();
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration("inference").update("rpc.localNode", node, Global);
    const ours = await openNotebook("run-all.rpc.md", Number(cells));
    // With a second kernel, the editor asks which one runs a notebook, unless it was chosen.
    await chooseKernel(type);
    let shown: readonly vscode.NotebookCellOutputItem[] = [];
    const kernel = createFloor(() => shown);
    const floor = await openNotebook("floor.rpc.md", Number(cells));
    await chooseKernel(kernel.id);
    const args = [join(extension.extensionPath, "dist", "rpc-run.js"), ours.uri.fsPath];
    const samples = { ours: [] as number[], floor: [] as number[], runner: [] as number[] };
    // The first round loads the code of the notebook.
    for (let round = 0; round <= rounds; round++) {
      const own = await msOfRun(ours);
      shown = ours.cellAt(0).outputs[0]?.items ?? [];
      const [least, runner] = [await msOfRun(floor), await msOfRunner([...args, "--local-node", node])];
      if (round === 0) continue;
      samples.ours.push(own);
      samples.floor.push(least);
      samples.runner.push(runner);
    }
    kernel.dispose();
    sendEvent({ type: "value", name: "run-all", value: samples satisfies RunAllSamples });
  });
});

async function openNotebook(name: string, cells: number): Promise<vscode.NotebookDocument> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder);
  const uri = vscode.Uri.joinPath(folder.uri, name);
  const text = "```rpc\neth_gasPrice\neth_blockNumber\n```\n\n".repeat(cells);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`---\nnetwork: local\n---\n${text}`));
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  await vscode.window.showNotebookDocument(notebook);
  return notebook;
}

async function chooseKernel(id: string): Promise<void> {
  await vscode.commands.executeCommand("notebook.selectKernel", { id, extension: ourExtension().id });
}

/** The least that the editor needs: each cell gets its number, start, output and end at once, and nothing is awaited. */
function createFloor(items: () => readonly vscode.NotebookCellOutputItem[]): vscode.NotebookController {
  const kernel = vscode.notebooks.createNotebookController("floor", type, "Floor");
  kernel.supportsExecutionOrder = true;
  let order = 0;
  kernel.executeHandler = async (cells) => {
    const executions = cells.map((cell) => kernel.createNotebookCellExecution(cell));
    const outputs = executions.map((execution) => {
      execution.executionOrder = ++order;
      execution.start(Date.now());
      const taken = execution.replaceOutput(new vscode.NotebookCellOutput([...items()]));
      execution.end(true, Date.now());
      return taken;
    });
    await Promise.all(outputs);
  };
  return kernel;
}

async function msOfRun(notebook: vscode.NotebookDocument): Promise<number> {
  await vscode.window.showNotebookDocument(notebook);
  const start = performance.now();
  await vscode.commands.executeCommand("notebook.execute");
  const ms = performance.now() - start;
  assert.ok(notebook.getCells().every(({ executionSummary }) => executionSummary?.success === true));
  return ms;
}

async function msOfRunner(args: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, [...args, "--network", "local"], { stdio: "ignore" });
  const [status] = await once(child, "close");
  assert.equal(status, 0);
  return performance.now() - start;
}
