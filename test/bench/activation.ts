// Module load and activate() of our extension in fresh extension hosts, each beside empty extensions in the same host.
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { editorState, root } from "../tools/paths.ts";
import { probe, runInHosts } from "../vscode/hostRun.ts";
import { type ActivationSample, type ActivationTime, emptyExtensions } from "./activation/measured.ts";
import { atMost, type Benchmark, type Figure, median } from "./figure.ts";

const hosts = 16;
/** A start of a window takes a few seconds, up to half a minute beside other work. */
const hostTimeoutMs = 60_000;

export const benchmark: Benchmark = {
  name: "activation",
  needsPackage: true,
  async run() {
    const results = await runInHosts(
      {
        name: "activation",
        extension: onDemandExtension(),
        files: ["test/bench/activation/inHost.ts"],
        extensions: [probe, ...emptyExtensions.map(emptyExtension)],
        timeoutMs: hostTimeoutMs,
      },
      hosts,
    );
    const [failure] = results.flatMap(({ failed }) => failed);
    if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
    // The first window warms the caches of the disk and of the browser.
    const samples = results.slice(1).map(({ values }) => values.get("activation") as ActivationSample);
    return {
      activation: more(samples, ({ ms }) => ms, median),
      "activation.least": more(samples, ({ ms }) => ms, least),
      "activation.cpu": more(samples, ({ cpuMs }) => cpuMs, median),
      "activation.leastCpu": more(samples, ({ cpuMs }) => cpuMs, least),
    };
  },
};

/** What ours takes more than an empty extension in the same host. */
function more(
  samples: readonly ActivationSample[],
  of: (time: ActivationTime) => number,
  summary: (values: readonly number[]) => number,
): Figure {
  const ours = summary(samples.map((sample) => of(sample.ours)));
  const empty = summary(samples.map((sample) => median(sample.empty.map(of))));
  return atMost(ours - empty, "ms", 5, empty, ours / empty);
}

function least(values: readonly number[]): number {
  return Math.min(...values);
}

/** A copy of our extension that activates on demand, not when the window has started: the benchmark starts it. */
function onDemandExtension(): string {
  const folder = newFolder("inference-workbench");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, activationEvents: [] }));
  cpSync(join(root, "dist"), join(folder, "dist"), { recursive: true });
  symlinkSync(join(root, "media"), join(folder, "media"));
  return folder;
}

/** An extension whose `activate` does nothing. */
function emptyExtension(id: string): string {
  const [publisher = "", name = ""] = id.split(".");
  const folder = newFolder(name);
  const manifest = { publisher, name, version: "0.0.1", type: "commonjs", main: "./empty.js" };
  const engines = { vscode: "^1.106.0" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, engines, activationEvents: [] }));
  writeFileSync(join(folder, "empty.js"), "exports.activate = () => {};\n");
  return folder;
}

function newFolder(name: string): string {
  const folder = join(editorState, "host", "activation-extensions", basename(name));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}
