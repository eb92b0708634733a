// The layers of the design: checks the imports of every source file.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "../../tools/paths.ts";
import { domains, entryPoints, homes, type Runtime, runtimes, sandboxReads } from "./layers.ts";
import { type Import, importsOf, readImports, sourceFiles } from "./sources.ts";

const files = sourceFiles();
const imports = files.flatMap(importsOf);
const show = ({ from, to, isType }: Import) => `${from} → ${to}${isType ? " (type)" : ""}`;
const below = (file: string) => file.slice("src/".length);
const domainOf = (file: string) => below(file).split("/")[0] ?? "";
const rowOf = (domain: string) => domains.findIndex((row) => row.includes(domain));
const isEntry = (file: string) => entryPoints.includes(below(file));
const sources = imports.filter(({ isInternal, to }) => isInternal && !to.endsWith(".css"));

/** Whether a pattern of the tables matches a file: a folder, a folder with one free name, or a file. */
function covers(pattern: string, file: string): boolean {
  const path = below(file);
  if (!pattern.startsWith("*"))
    return pattern.endsWith("/") || pattern === "" ? path.startsWith(pattern) : path === pattern;
  return path.slice(path.indexOf("/")).startsWith(pattern.slice(1));
}

function runtimeOf(file: string): Runtime | undefined {
  return runtimes.find(({ folders }) => folders.some((folder) => covers(folder, file)));
}

/** Its own domain, or one of a lower row. Nobody imports the sandbox: it is a bundle of its own. */
function isDomainAllowed({ from, to }: Import): boolean {
  if (isEntry(from)) return !isEntry(to);
  const [own, other] = [domainOf(from), domainOf(to)];
  if (own === other) return true;
  if (own === "sandbox") return sandboxReads.some((pattern) => covers(pattern, to));
  return other !== "sandbox" && rowOf(own) !== -1 && rowOf(own) < rowOf(other);
}

/** A page imports no other page, but what pages share. */
function isRuntimeAllowed({ from, to }: Import): boolean {
  const [own, other] = [runtimeOf(from), runtimeOf(to)];
  if (own?.imports.some((folder) => folder.endsWith("/") && covers(folder, to))) return true;
  if (other?.name === "page" && domainOf(from) !== domainOf(to) && domainOf(to) !== "webview") return false;
  return own?.imports.includes(other?.name ?? "") ?? false;
}

function isModuleAllowed({ from, to }: Import): boolean {
  const modules = runtimeOf(from)?.modules ?? [];
  if (to.startsWith("node:")) return modules.includes("node:");
  const name = packageOf(to);
  const home = homes[name];
  if (home !== undefined) return below(from) === home || isTypesOf(below(from), home);
  return modules.includes(name) || (name !== "vscode" && modules.includes("*"));
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

test("every source file is in a domain, and every row of the tables matches a file", () => {
  assert.ok(files.length > 50, `only ${files.length} files were found`);
  assert.deepEqual(
    files.filter((file) => !isEntry(file) && rowOf(domainOf(file)) === -1),
    [],
  );
  const patterns = [
    ...entryPoints,
    ...domains.flat().map((domain) => `${domain}/`),
    ...runtimes.flatMap(({ folders }) => folders),
    ...sandboxReads,
    ...Object.values(homes),
  ];
  assert.deepEqual(
    patterns.filter((pattern) => !files.some((file) => covers(pattern, file))),
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

test("a file imports from its own domain and from lower ones", () => {
  assert.deepEqual(sources.filter((found) => !isDomainAllowed(found)).map(show), []);
});

test("a file imports what its runtime can load", () => {
  const internal = sources.filter((found) => !isRuntimeAllowed(found));
  const modules = imports.filter((found) => !found.isInternal && !isModuleAllowed(found));
  assert.deepEqual([...internal, ...modules].map(show), []);
});

test("what runs without the editor never reaches vscode", () => {
  const values = imports.filter(({ isType }) => !isType);
  const reaches = new Map<string, boolean>();
  const reachesEditor = (file: string): boolean => {
    const known = reaches.get(file);
    if (known !== undefined) return known;
    reaches.set(file, false);
    const found = values.some(({ from, to }) => from === file && (to === "vscode" || reachesEditor(to)));
    reaches.set(file, found);
    return found;
  };
  const apart = files.filter((file) => runtimeOf(file)?.runsWithoutEditor);
  assert.ok(apart.length > 100);
  assert.deepEqual(apart.filter(reachesEditor), []);
});

test("the run of a cell gets its plan, not the notebook", () => {
  const knowing = files.filter(
    (file) => file.startsWith("src/rpc/run/") && /\bProject\b/.test(readFileSync(join(root, file), "utf8")),
  );
  assert.deepEqual(knowing, [
    // The names of stored results.
    "src/rpc/run/expect/values.ts",
    "src/rpc/run/plan/plan.ts",
    "src/rpc/run/plan/requestKey.ts",
    "src/rpc/run/plan/runPlan.ts",
  ]);
});

test("nothing imports the entry point", () => {
  assert.deepEqual(imports.filter(({ to }) => to === "src/extension.ts").map(show), []);
});

test("only its home file imports a package that has one", () => {
  for (const [name, home] of Object.entries(homes)) {
    assert.ok(
      imports.some(({ from, to }) => below(from) === home && packageOf(to) === name),
      `${home} does not import ${name}`,
    );
  }
});

test("finds the same imports as the bundler", async () => {
  const sources = files.filter((file) => !file.endsWith(".d.ts"));
  const { metafile } = await build({
    absWorkingDir: root,
    // One entry for all: a bundle for each file would have most of the others in it.
    stdin: {
      contents: sources.map((file) => `import ${JSON.stringify(`./${file}`)};`).join("\n"),
      resolveDir: root,
    },
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
    (from === "<stdin>" ? [] : input.imports).map(({ path }) => `${from} → ${path}`),
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
