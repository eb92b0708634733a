// Runs inside a fresh extension host, once per sample.
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { sendEvent } from "../../host/channel.ts";
import { ourExtension, probeContext } from "../../host/extensions.ts";
import { type ActivationSample, type ActivationTime, emptyExtensions } from "./measured.ts";

describe("activation", () => {
  it("takes its time", async () => {
    await calm();
    // The first extension warms the host's code that loads extensions.
    await probeContext();
    const empty: ActivationTime[] = [];
    for (const id of emptyExtensions) empty.push(await timed(id));
    const value: ActivationSample = { ours: await timed(ourExtension().id), empty };
    sendEvent({ type: "value", name: "activation", value });
  });
});

/** Loads an extension's module and activates it. */
async function timed(id: string): Promise<ActivationTime> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension) throw new Error(`${id} is not installed`);
  if (extension.isActive) throw new Error(`${id} is active already`);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await extension.activate();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

/**
 * Resolves once timers have fired on time for half a second. Until then the window is still starting, and its work on
 * the same cores would be measured. Gives up after three seconds, because timers of a busy machine are never on time.
 */
async function calm(): Promise<void> {
  const tickMs = 20;
  const end = performance.now() + 3_000;
  for (let onTime = 0; onTime < 25 && performance.now() < end; ) {
    const start = performance.now();
    await wait(tickMs);
    onTime = performance.now() - start < tickMs + 4 ? onTime + 1 : 0;
  }
}
