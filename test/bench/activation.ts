import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { probe, runInHost } from "../vscode/hostRun.ts";
import { editorState, root } from "../vscode/paths.ts";

/** Module load and `activate()` in one fresh extension host, in milliseconds. */
export interface ActivationSample {
  readonly oursMs: number;
  readonly emptyMs: number;
}

export interface ActivationResult extends ActivationSample {
  /** The median of the differences, each within one host; steadier than the difference of the medians. */
  readonly differenceMs: number;
  readonly samples: readonly ActivationSample[];
}

const count = 9;
const empty = join(import.meta.dirname, "activation", "empty");

/**
 * Medians over fresh extension hosts of what our extension (dist/ must be built) and an empty one cost, in the same
 * host one after the other. A first host, not counted, warms the caches.
 */
export async function activation(): Promise<ActivationResult> {
  const extension = onDemandExtension();
  await sample(extension);
  const samples: ActivationSample[] = [];
  while (samples.length < count) samples.push(await sample(extension));
  return {
    oursMs: median(samples.map(({ oursMs }) => oursMs)),
    emptyMs: median(samples.map(({ emptyMs }) => emptyMs)),
    differenceMs: median(samples.map(({ oursMs, emptyMs }) => oursMs - emptyMs)),
    samples,
  };
}

/** A copy of our extension that activates on demand, not when the window has started: the benchmark starts it. */
function onDemandExtension(): string {
  const folder = join(editorState, "host", "activation-extension");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, activationEvents: [] }));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  symlinkSync(join(root, "media"), join(folder, "media"));
  return folder;
}

async function sample(extension: string): Promise<ActivationSample> {
  const result = await runInHost({
    name: "activation",
    extension,
    files: ["test/bench/activation/inHost.ts"],
    extensions: [probe, empty],
  });
  const [failure] = result.failed;
  if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
  return result.values.get("activation") as ActivationSample;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2;
}
