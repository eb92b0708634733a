// Builds every bundle into dist/. `--watch` rebuilds on change, `--dev` adds source maps and skips minifying.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import * as esbuild from "esbuild";

const watch = process.argv.includes("--watch");
const dev = watch || process.argv.includes("--dev");

/** Modules that are bundles of their own: whoever imports one gets a `require` of its file, run on first use. */
const ownBundles = {
  sandbox: resolve("src/sandbox/main.ts"),
  undici: resolve("src/api/transport/undici.ts"),
};

/** @type {esbuild.Plugin} */
const keepApart = {
  name: "keep-apart",
  setup(build) {
    build.onResolve({ filter: /\/(main|undici)\.ts$/ }, (args) => {
      if (args.kind === "entry-point") return undefined;
      const target = resolve(args.resolveDir, args.path);
      const name = Object.keys(ownBundles).find((key) => ownBundles[key] === target);
      return name ? { path: `./${name}.js`, external: true } : undefined;
    });
  },
};

/** @type {esbuild.BuildOptions} */
const shared = {
  bundle: true,
  minify: !dev,
  sourcemap: dev ? "linked" : false,
  legalComments: "none",
  metafile: true,
  logLevel: "info",
};

/** @type {esbuild.BuildOptions[]} */
const builds = [
  {
    ...shared,
    entryPoints: { extension: "src/extension.ts", ...ownBundles },
    outdir: "dist",
    platform: "node",
    format: "cjs",
    target: "node22",
    external: ["vscode"],
    plugins: [keepApart],
  },
  {
    ...shared,
    entryPoints: { chat: "src/webview/chat/main.tsx" },
    outdir: "dist/webview",
    platform: "browser",
    format: "esm",
    splitting: true,
    target: "chrome140",
    tsconfig: "src/webview/tsconfig.json",
  },
];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist", { recursive: true });
if (watch) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  // The rules tests and the bundle benchmark read what went into each file from here.
  const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
  writeFileSync("dist/meta.json", JSON.stringify({ outputs }));
}
