// The contents of each bundle, by esbuild's dist/meta.json.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Metafile } from "esbuild";
import { root } from "../../tools/paths.ts";

const path = join(root, "dist", "meta.json");
assert.ok(existsSync(path), "dist/ is not built: npm run build");
const { outputs } = JSON.parse(readFileSync(path, "utf8")) as Metafile;
const bundles = Object.entries(outputs)
  .filter(([name]) => name.endsWith(".js"))
  .map(([name, output]) => ({ name, ...output, files: Object.keys(output.inputs) }));
const inBrowser = bundles.filter(({ name }) => /^dist\/(webview|renderer)\//.test(name));
const inNode = bundles.filter((bundle) => !inBrowser.includes(bundle));

/** Bundles with an input file that matches. */
function bundlesWith(pattern: RegExp): string[] {
  return bundles.filter(({ files }) => files.some((file) => pattern.test(file))).map(({ name }) => name);
}

function bundlesImporting(pattern: RegExp): string[] {
  const matches = ({ path, external }: { path: string; external?: boolean }) =>
    external === true && pattern.test(path);
  return bundles.filter(({ imports }) => imports.some(matches)).map(({ name }) => name);
}

test("all bundles exist and have inputs", () => {
  for (const name of [
    "account",
    "augment",
    "extension",
    "startBundle",
    "lazyBundle",
    "sandbox",
    "undici",
    "webview/chat",
  ]) {
    const bundle = bundles.find((one) => one.name === `dist/${name}.js`);
    assert.ok(bundle && bundle.files.length > 0, name);
  }
});

test("undici is not part of the activation bundle", () => {
  assert.deepEqual(
    bundlesWith(/\/undici\//).filter((name) => !["dist/undici.js", "dist/sandbox.js"].includes(name)),
    [],
  );
});

test("no bundle contains undici's global dispatcher and fetch", () => {
  // undici's clients need some parts of lib/web to read bodies, but not fetch.
  const replacing =
    /\/undici\/(index\.js|lib\/(global\.js|web\/(fetch\/index\.js|websocket|eventsource|cache)))/;
  assert.deepEqual(bundlesWith(replacing), []);
});

test("extension.js excludes the sandbox, and the sandbox excludes the client", () => {
  const extension = bundles.find(({ name }) => name === "dist/extension.js");
  assert.deepEqual(
    extension?.files.filter((file) => file.startsWith("src/sandbox/")),
    [],
  );
  const sandbox = bundles.find(({ name }) => name === "dist/sandbox.js");
  assert.deepEqual(
    sandbox?.files.filter((file) => /^src\/api\/call\/(client|attempt|decode|retry)\.ts$/.test(file)),
    [],
  );
});

test("extension.js is at most 26 KB, the bundle of the turn after it 51 KB, and each lazy chunk at most 600 KB", () => {
  const bounds = {
    extension: 26_000,
    startBundle: 51_000,
    lazyBundle: 600_000,
    account: 600_000,
    rpc: 600_000,
  };
  for (const [name, bound] of Object.entries(bounds)) {
    const bytes = outputs[`dist/${name}.js`]?.bytes ?? Number.NaN;
    assert.ok(bytes <= bound, `${name}.js has ${bytes} bytes`);
  }
});

test("the RPC result renderer is at most 64 KB, without the views and charts that it loads later", () => {
  const atStart = loadedAtStart("dist/renderer/rpc.js");
  const bytes = atStart.reduce((sum, name) => sum + (outputs[name]?.bytes ?? Number.NaN), 0);
  assert.ok(bytes <= 64_000, `${bytes} bytes`);
  const files = bundles.filter(({ name }) => atStart.includes(name)).flatMap((bundle) => bundle.files);
  assert.ok(!files.some((file) => /\/chart\.js\//.test(file)));
});

test("programs of their own load no code that imports vscode", () => {
  const importing = bundlesImporting(/^vscode$/);
  assert.ok(importing.includes("dist/extension.js"));
  for (const program of ["rpc-run", "mcp", "gateway", "sandbox", "evm", "undici", "zod"])
    assert.deepEqual(
      loadedAtStart(`dist/${program}.js`).filter((name) => importing.includes(name)),
      [],
      program,
    );
});

test("the process at the port of the gateway has 30 KB, and loads no other bundle", () => {
  const { bytes, imports } = outputs["dist/gateway.js"] ?? { bytes: Number.NaN, imports: [] };
  assert.ok(bytes <= 30_000, `${bytes} bytes`);
  assert.deepEqual(
    imports.filter(({ path }) => path.startsWith("./")),
    [],
  );
});

test("the runner of notebooks loads the client of the service only if a cell needs it", () => {
  const atStart = loadedAtStart("dist/rpc-run.js");
  const files = bundles.filter(({ name }) => atStart.includes(name)).flatMap((bundle) => bundle.files);
  assert.ok(files.includes("src/rpc/cli/command.ts"));
  assert.deepEqual(
    files.filter((file) => /^src\/api\/(call\/client|stream\/eventStream)\.ts$/.test(file)),
    [],
  );
  assert.ok(!bundlesImporting(/^\.\/undici\.js$/).some((name) => atStart.includes(name)));
});

test("activation loads neither the client nor zod", () => {
  const extension = bundles.find(({ name }) => name === "dist/extension.js");
  assert.deepEqual(
    extension?.files.filter((file) => /src\/api\/(call|table|endpoints)/.test(file)),
    [],
  );
  assert.ok(!bundlesImporting(/^\.\/zod\.js$/).includes("dist/extension.js"));
});

test("zod is in one shared bundle that contains only what the others name", () => {
  assert.deepEqual(
    bundlesWith(/\/zod\//).filter((name) => inNode.some((bundle) => bundle.name === name)),
    ["dist/zod.js"],
  );
  const bytes = outputs["dist/zod.js"]?.bytes ?? Number.NaN;
  assert.ok(bytes <= 120_000, `zod.js has ${bytes} bytes`);
});

test("bundles of several modules export each name once", () => {
  for (const bundle of ["startBundle", "lazyBundle"]) {
    const names = modulesOf(bundle).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    assert.ok(names.length > 0);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
      bundle,
    );
  }
});

function modulesOf(bundle: string): string[] {
  const list = readFileSync(join(root, "src", `${bundle}.ts`), "utf8");
  return [...list.matchAll(/from "(.+)"/g)].map(([, file]) => join(root, "src", file ?? ""));
}

test("browser code imports nothing of Node", () => {
  const builtin =
    /^(node:.*|assert|buffer|child_process|crypto|events|fs|http|https|net|os|path|stream|tls|url|util)$/;
  const names = new Set(inBrowser.map(({ name }) => name));
  assert.deepEqual(
    bundlesImporting(builtin).filter((name) => names.has(name)),
    [],
  );
});

test("only vscode, Node and our own bundles are external", () => {
  const strange = inNode.flatMap(({ name, imports }) =>
    imports
      .filter(({ external, path }) => external && !/^(vscode$|node:|\.\/)/.test(path))
      .filter(({ path }) => !isBuiltin(path))
      .map(({ path }) => `${name} → ${path}`),
  );
  assert.deepEqual(strange, []);
});

function isBuiltin(name: string): boolean {
  return process.getBuiltinModule(name) !== undefined;
}

/** A bundle with the bundles that it imports statically. */
function loadedAtStart(first: string): readonly string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === "import-statement") add(path);
  };
  add(first);
  return [...found];
}
