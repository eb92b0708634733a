// The layers of the design: checks the imports of every source file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "../vscode/paths.ts";
import { entryFiles, homes, type Layer, layers } from "./layers.ts";
import { type Import, importsOf, readImports, sourceFiles } from "./sources.ts";

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const show = ({ from, to, isType }: Import) => `${from} → ${to}${isType ? " (type)" : ""}`;

/** The layer of a file, with `*` replaced by the folder it matches here. */
function layerOf(file: string): Layer | undefined {
  for (const layer of layers) {
    const { folder } = layer;
    const [head = "", tail] = folder.split("*");
    if (tail === undefined ? covers(folder, file) : file.startsWith(head)) {
      const own = file.slice(head.length).split("/");
      if (tail !== undefined && own.length < 2) continue;
      const name = (pattern: string) => pattern.replace("*", own[0] ?? "");
      return { ...layer, folder: name(folder), files: layer.files.map(name) };
    }
  }
  return undefined;
}

function covers(pattern: string, file: string): boolean {
  return pattern.endsWith("/") ? file.startsWith(pattern) : file === pattern;
}

function isAllowed({ from, to, isInternal, isType }: Import): boolean {
  const layer = layerOf(from);
  if (!layer) return false;
  if (isInternal) {
    const patterns = isType ? [...layer.files, ...(layer.types ?? [])] : layer.files;
    return patterns.some((pattern) => covers(pattern, to));
  }
  if (to.startsWith("node:")) return layer.modules.includes("node:");
  const name = packageOf(to);
  const home = homes[name];
  if (home === from || (home !== undefined && isTypesOf(from, home))) return true;
  if (layer.modules.includes(name)) return true;
  return name !== "vscode" && home === undefined && layer.modules.includes("*");
}

/** A declaration file in the same folder adds what the package's own types omit. */
function isTypesOf(from: string, home: string): boolean {
  return (
    from.endsWith(".d.ts") && from.slice(0, from.lastIndexOf("/")) === home.slice(0, home.lastIndexOf("/"))
  );
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

test("every source file is in a folder of the design", () => {
  assert.ok(files.length > 50, `only ${files.length} files were found`);
  assert.deepEqual(
    files.filter((file) => !layerOf(file)),
    [],
  );
});

test("every import resolves to an existing file", () => {
  const known = new Set(files);
  const missing = imports.filter(
    ({ isInternal, to }) => isInternal && !known.has(to) && !to.endsWith(".css"),
  );
  assert.deepEqual(missing.map(show), []);
});

test("every import is allowed for its layer", () => {
  assert.deepEqual(imports.filter((one) => !isAllowed(one)).map(show), []);
});

test("code outside a folder imports only its entry files", () => {
  for (const [folder, entries] of Object.entries(entryFiles)) {
    const fromOutside = imports.filter(({ from, to }) => to.startsWith(folder) && !from.startsWith(folder));
    const isEntry = (file: string) => entries.includes(file.slice(folder.length));
    assert.deepEqual(fromOutside.filter(({ to }) => !isEntry(to)).map(show), []);
    const imported = new Set(fromOutside.map(({ to }) => to.slice(folder.length)));
    assert.deepEqual(
      entries.filter((entry) => !imported.has(entry)),
      [],
      `no code outside ${folder} imports these entries`,
    );
  }
});

test("nothing imports the entry point", () => {
  assert.deepEqual(imports.filter(({ to }) => to === "src/extension.ts").map(show), []);
});

test("only its home file imports a package that has one", () => {
  for (const [name, home] of Object.entries(homes)) {
    if (!files.includes(home)) continue;
    assert.ok(
      imports.some(({ from, to }) => from === home && packageOf(to) === name),
      `${home} does not import ${name}`,
    );
  }
});

test("finds the same imports as the bundler", async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.filter((file) => !file.endsWith(".d.ts")),
    outdir: "unused",
    bundle: true,
    format: "esm",
    write: false,
    metafile: true,
    packages: "external",
    loader: { ".css": "empty" },
    logLevel: "silent",
  });
  const read = new Set(imports.map(({ from, to }) => `${from} → ${to}`));
  const bundled = Object.entries(metafile.inputs).flatMap(([from, input]) =>
    input.imports.map(({ path }) => `${from} → ${path}`),
  );
  const missed = bundled.filter((edge) => !read.has(edge) && !/preact\/jsx-(dev-)?runtime$/.test(edge));
  assert.ok(bundled.length > 100, `only ${bundled.length} imports were seen`);
  assert.deepEqual(missed, []);
});

test("reads all kinds of imports and ignores comments", () => {
  const text = `
    import a, { type B } from "./a.ts"; // import "./no.ts"
    import type { C } from './c.ts';
    import "./d.ts";
    export * from "./e.ts";
    export type { F } from "./f.ts";
    import {
      g,
    } from "zod";
    /* import "./no.ts"; */
    const url = "https://x.example/"; const h = await import("./h.ts");
    let i: typeof import("undici");
    const j = require("node:fs");
    load(() => import("./k.ts"));
  `;
  const found = readImports("src/x/y.ts", text).map(({ to, isType }) => (isType ? `type ${to}` : to));
  assert.deepEqual(found.sort(), [
    "node:fs",
    "src/x/a.ts",
    "src/x/d.ts",
    "src/x/e.ts",
    "src/x/h.ts",
    "src/x/k.ts",
    "type src/x/c.ts",
    "type src/x/f.ts",
    "type undici",
    "zod",
  ]);
});
