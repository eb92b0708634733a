// Runs inside a fresh extension host, once per sample.
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { tell } from "../../host/channel.ts";
import { ourExtension, probeContext } from "../../host/extensions.ts";

describe("activation", () => {
  it("takes its time", async () => {
    await calm();
    await probeContext(); // the first of all warms the host's own way of loading extensions
    const empty = vscode.extensions.getExtension("inference-workbench.empty");
    if (!empty) throw new Error("the empty extension is not installed");
    const emptyMs = await timed(empty);
    const oursMs = await timed(ourExtension());
    tell({ type: "value", name: "activation", value: { oursMs, emptyMs } });
  });
});

/** Milliseconds to load an extension's module and activate it. */
async function timed(extension: vscode.Extension<unknown>): Promise<number> {
  if (extension.isActive) throw new Error(`${extension.id} is active already`);
  const start = performance.now();
  await extension.activate();
  return performance.now() - start;
}

/**
 * Resolves once timers have come on time for a second: until then the window is still starting, and its work on the
 * same cores would be measured instead of ours. Gives up after ten seconds: on a busy machine it never comes.
 */
async function calm(): Promise<void> {
  const tickMs = 20;
  const end = performance.now() + 10_000;
  for (let onTime = 0; onTime < 50 && performance.now() < end; ) {
    const start = performance.now();
    await wait(tickMs);
    onTime = performance.now() - start < tickMs + 4 ? onTime + 1 : 0;
  }
}
