// Runs inside a fresh extension host, once per sample.
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { sendEvent } from "../../host/channel.ts";
import { ourExtension, probeContext } from "../../host/extensions.ts";
import { measuredExtension } from "./measured.ts";

describe("activation", () => {
  it("takes its time", async () => {
    await calm();
    // The first extension warms the host's code that loads extensions.
    await probeContext();
    const empty = vscode.extensions.getExtension("inference-workbench.empty");
    if (!empty) throw new Error("the empty extension is not installed");
    const ms = await timed(process.env[measuredExtension] === "empty" ? empty : ourExtension());
    sendEvent({ type: "value", name: "activation", value: ms });
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
 * Resolves once timers have fired on time for a second. Until then the window is still starting, and its work on the
 * same cores would be measured. Gives up after ten seconds, because timers of a busy machine are never on time.
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
