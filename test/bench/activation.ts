// Module load and activate() of our extension in a fresh extension host, beside those of an empty one in another.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editorState, root } from "../tools/paths.ts";
import { probe, runInHost } from "../vscode/hostRun.ts";
import { measuredExtension } from "./activation/measured.ts";
import { atMost, type Benchmark, median } from "./figure.ts";

const rounds = 9;
const empty = join(import.meta.dirname, "activation", "empty");

export const benchmark: Benchmark = {
  name: "activation",
  needsPackage: true,
  async run() {
    const folder = onDemandExtension();
    const oursMs: number[] = [];
    const emptyMs: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const [oneMs, otherMs] = [await sample("ours", folder), await sample("empty", folder)];
      // The first round warms the caches of the disk.
      if (round === 0) continue;
      oursMs.push(oneMs);
      emptyMs.push(otherMs);
    }
    const differenceMs = median(oursMs.map((ms, round) => ms - (emptyMs[round] ?? Number.NaN)));
    return { activation: atMost(differenceMs, "ms", 5, median(emptyMs)) };
  },
};

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

/** Milliseconds in a fresh extension host. */
async function sample(measured: "ours" | "empty", extension: string): Promise<number> {
  const { failed, values } = await runInHost({
    name: "activation",
    extension,
    files: ["test/bench/activation/inHost.ts"],
    extensions: [probe, empty],
    env: { [measuredExtension]: measured },
  });
  const [failure] = failed;
  if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
  return values.get("activation") as number;
}
