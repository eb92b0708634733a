// Builds every bundle into dist/. `--watch` rebuilds on change, `--dev` adds source maps and skips minifying.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import * as zod from "zod";
import { writeNotices } from "./test/tools/notices.ts";

const watch = process.argv.includes("--watch");
const dev = watch || process.argv.includes("--dev");

/** Modules that are bundles of their own. An import of one becomes a `require` of its file on first use. */
const ownBundles = {
  sandbox: resolve("src/sandbox/main.ts"),
  undici: resolve("src/api/transport/undici.ts"),
  // The sandbox and the RPC notebook start it on first use.
  anvil: resolve("src/platform/process/anvil.ts"),
  account: resolve("src/account/host/accountFeature.ts"),
  chat: resolve("src/chat/host/chatFeature.ts"),
  rpc: resolve("src/rpc/editor/notebook.ts"),
  rpcService: resolve("src/rpc/cli/service.ts"),
  evm: resolve("src/rpc/evm/evm.ts"),
  augment: resolve("src/web/augmentFeature.ts"),
  images: resolve("src/images/host/imagesFeature.ts"),
  speech: resolve("src/speech/host/speechFeature.ts"),
  // The client of MCP servers, with the SDK.
  mcpClient: resolve("src/tools/mcp/client/connection/openServer.ts"),
};
/** Bundles of several modules that are imported dynamically; see the files. */
const lists = { startBundle: resolve("src/startBundle.ts"), lazyBundle: resolve("src/lazyBundle.ts") };
/** The name of the bundle of each of these modules, by its path. */
const loadedLater = new Map(
  Object.entries(lists).flatMap(([name, list]) =>
    [...readFileSync(list, "utf8").matchAll(/from "(.+)"/g)].map(([, path]) => [resolve("src", path), name]),
  ),
);

/** The WebAssembly that the sandbox's worker loads: every file that its source names, from its package. */
const wasmNamed = globSync("src/sandbox/**/*.ts").flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/(?:compileWasm|emscriptenOptions)\("([^"]+)"\)/g)].map(
    ([, name]) => name,
  ),
);
const wasm = wasmNamed.map((name) => fileURLToPath(import.meta.resolve(name)));

/**
 * The names that the sources import from zod, for a shared bundle: otherwise five bundles would each contain 28 KB of
 * it. `core` is used only for types and would add everything that is unused.
 */
const zodNamed = globSync("src/**/*.ts").flatMap((path) =>
  [...readFileSync(path, "utf8").matchAll(/\bz\.(\w+)/g)].map(([, name]) => name),
);
/** The MCP SDK names the versions of zod by path. Its types need more of it than ours do. */
const mcpZodNamed = ["types.js", "shared/auth.js"]
  .map((file) => readFileSync(`node_modules/@modelcontextprotocol/sdk/dist/esm/${file}`, "utf8"))
  .flatMap((text) => [...text.matchAll(/\bz\s*\.(\w+)/g)].map(([, name]) => name));
const zodUsed = Object.keys(zod).filter(
  (name) => name !== "core" && [...zodNamed, ...mcpZodNamed, "safeParse"].includes(name),
);

/** @type {esbuild.Plugin} */
const keepApart = {
  name: "keep-apart",
  setup(build) {
    build.onResolve({ filter: /^zod$/ }, () => ({ path: "./zod.js", external: true }));
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, resolveDir, path }) => {
      if (kind === "entry-point") return undefined;
      const target = resolve(resolveDir, path);
      const own = Object.keys(ownBundles).find((name) => ownBundles[name] === target);
      if (own) return { path: `./${own}.js`, external: true };
      if (kind !== "dynamic-import" || resolveDir.startsWith(resolve("src/sandbox"))) return undefined;
      const listed = loadedLater.get(target);
      if (listed) return { path: `./${listed}.js`, external: true };
      const text = `${path} is loaded later: name it in src/lazyBundle.ts or src/startBundle.ts`;
      return { errors: [{ text }] };
    });
  },
};

/**
 * A namespace import of `vscode` would become a copy of all its getters in each bundle, module by module: 5 of the 9 ms
 * that the extension took to load. What the editor hands out is such a namespace already, and so is our zod.
 * @type {esbuild.Plugin}
 */
const takeNamespacesAsTheyAre = {
  name: "take-namespaces-as-they-are",
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /^import \* as (vscode|z) from ("\w+");/gm,
        "const $1 = require($2);",
      ),
      loader: "ts",
    }));
  },
};

/**
 * The MCP SDK supports two versions of zod, and schema validators that this server does not use.
 * @type {esbuild.Plugin}
 */
const mcpSdk = {
  name: "mcp-sdk",
  setup(build) {
    build.onResolve({ filter: /^zod\/(v4|v4-mini)$/ }, () => ({ path: "./zod.js", external: true }));
    build.onResolve({ filter: /^(zod\/v3|zod-to-json-schema|.*\/ajv-provider\.js)$/ }, ({ path }) => ({
      path,
      namespace: "unused",
    }));
    build.onLoad({ filter: /.*/, namespace: "unused" }, () => ({
      contents:
        "export const AjvJsonSchemaValidator = undefined, zodToJsonSchema = undefined, object = undefined;",
    }));
  },
};

/**
 * The editor looks up the calling extension for every `require("vscode")`, so each bundle has one, not one for each of
 * its modules.
 * @type {esbuild.Plugin}
 */
const requireVscodeOnce = {
  name: "require-vscode-once",
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === "once" ? { path: "vscode", external: true } : { path: "vscode", namespace: "once" },
    );
    build.onLoad({ filter: /^vscode$/, namespace: "once" }, () => ({
      contents: 'module.exports = require("vscode");',
    }));
  },
};

/**
 * Only the WebP encoder with SIMD is shipped, which every supported editor runs; the package would add the script of the
 * other one.
 * @type {esbuild.Plugin}
 */
const simdOnly = {
  name: "simd-only",
  setup(build) {
    build.onResolve({ filter: /\/webp_enc\.js$/ }, ({ resolveDir }) => ({
      path: resolve(resolveDir, "codec/enc/webp_enc_simd.js"),
    }));
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

/** @type {esbuild.BuildOptions} */
const forNode = {
  ...shared,
  outdir: "dist",
  platform: "node",
  format: "cjs",
  target: "node22",
  // Bundlers can't see the requires of its UMD form.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: [keepApart, takeNamespacesAsTheyAre, requireVscodeOnce],
};
const { sandbox, undici, anvil, evm, ...sharing } = ownBundles;
const { startBundle, lazyBundle } = lists;

/**
 * esbuild shares code between bundles only as ES modules, and the editor loads CommonJS: each output is converted.
 * @type {esbuild.Plugin}
 */
const asCommonJs = {
  name: "as-common-js",
  setup(build) {
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, text } of outputFiles) {
        const { code } = await esbuild.transform(text, {
          format: "cjs",
          platform: "node",
          minify: !dev,
          sourcemap: dev ? "inline" : false,
          supported: { "dynamic-import": false },
        });
        writeFileSync(path, code);
      }
    });
  },
};

/**
 * A style sheet is its text, as short as it can be said.
 * @type {esbuild.Plugin}
 */
const sheetsAsText = {
  name: "sheets-as-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, "utf8"), {
        loader: "css",
        minify: !dev,
        target: "chrome140",
      });
      return { contents: code, loader: "text" };
    });
  },
};

/** @type {esbuild.BuildOptions[]} */
const builds = [
  { ...forNode, entryPoints: { extension: "src/extension.ts", startBundle, undici, anvil, evm } },
  {
    // Each module is loaded once, even if several features use it.
    ...forNode,
    entryPoints: { lazyBundle, ...sharing, "rpc-run": "src/rpcRun.ts" },
    format: "esm",
    splitting: true,
    chunkNames: "shared-[hash]",
    write: false,
    // The conversion reads it.
    sourcemap: dev ? "inline" : false,
    plugins: [...forNode.plugins, mcpSdk, asCommonJs],
  },
  {
    ...forNode,
    stdin: { contents: `export { ${zodUsed.join(", ")} } from "zod";`, resolveDir: "." },
    outdir: undefined,
    outfile: "dist/zod.js",
    plugins: [],
  },
  {
    ...forNode,
    entryPoints: { sandbox },
    // It resolves its worker relative to itself.
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: 'const bundleUrl=require("node:url").pathToFileURL(__filename).href;' },
  },
  {
    ...forNode,
    entryPoints: { mcp: "src/tools/mcp/server/process/main.ts" },
    define: { extensionVersion: JSON.stringify(JSON.parse(readFileSync("package.json", "utf8")).version) },
    plugins: [keepApart, mcpSdk],
  },
  { ...forNode, entryPoints: { gateway: "src/gateway/address/process/main.ts" }, plugins: [keepApart] },
  {
    ...forNode,
    entryPoints: [
      { in: "src/sandbox/work/worker.ts", out: "worker" },
      ...wasm.map((path) => ({ in: path, out: basename(path, ".wasm") })),
    ],
    outdir: "dist/work",
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    loader: { ".wasm": "copy" },
    plugins: [...forNode.plugins, simdOnly],
  },
  {
    ...shared,
    entryPoints: {
      dashboard: "src/account/page/main.tsx",
      requests: "src/requests/page/main.tsx",
      results: "src/web/page/main.tsx",
      chat: "src/chat/page/main.tsx",
      studio: "src/images/page/main.tsx",
      player: "src/speech/page/main.tsx",
    },
    outdir: "dist/webview",
    platform: "browser",
    format: "esm",
    splitting: true,
    target: "chrome140",
    tsconfig: "src/webview/tsconfig.json",
  },
  {
    ...shared,
    entryPoints: { rpc: "src/rpc/renderer/main.tsx" },
    outdir: "dist/renderer",
    platform: "browser",
    format: "esm",
    splitting: true,
    target: "chrome140",
    plugins: [sheetsAsText],
    tsconfig: "src/rpc/renderer/tsconfig.json",
  },
];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist", { recursive: true });
if (watch) {
  for (const options of builds) await (await esbuild.context(options)).watch();
} else {
  const results = await Promise.all(builds.map((options) => esbuild.build(options)));
  // The rules tests and the bundle benchmark read the inputs of each file from here.
  const outputs = Object.assign({}, ...results.map((result) => result.metafile.outputs));
  writeFileSync("dist/meta.json", JSON.stringify({ outputs }));
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  writeFileSync("dist/THIRD_PARTY_NOTICES.txt", writeNotices(inputs));
}
