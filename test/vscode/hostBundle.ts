import { globSync } from "node:fs";
import { join, sep } from "node:path";
import { build } from "esbuild";
import { results, root } from "../tools/paths.ts";

/** The test files that run inside the extension host. */
export function hostTestFiles(): string[] {
  return globSync("test/host/**/*.test.ts", { cwd: root }).sort();
}

/** Bundles the files (paths from the root) into one module with the `run()` that VS Code calls. Returns its path. */
export async function bundleHostTests(name: string, files: readonly string[]): Promise<string> {
  const outfile = join(results, "host", `${name}.js`);
  const paths = files.map((file) => file.split(sep).join("/"));
  const loads = paths.map(
    (path) => `[${JSON.stringify(path)}, () => import(${JSON.stringify(`./${path}`)})]`,
  );
  await build({
    stdin: {
      contents: `import { runTests } from "./test/host/index.ts";
        export const run = () => runTests([${loads.join(", ")}]);`,
      resolveDir: root,
      sourcefile: "run.ts",
      loader: "ts",
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node22",
    packages: "external", // resolved in node_modules, above test-results/
    sourcemap: "inline",
    logLevel: "warning",
    // The sandbox finds its workers by it. No test in here starts one.
    logOverride: { "empty-import-meta": "silent" },
  });
  return outfile;
}
