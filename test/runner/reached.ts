import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { readImports } from "../rules/structure/sources.ts";

/** Files without an import statement: the style sheets of a page come by its entry file. */
const named: Readonly<Record<string, readonly string[]>> = {
  "test/unit/webview/pageStyle.ts": ["account", "chat", "images", "speech"].map(
    (domain) => `src/${domain}/page/main.tsx`,
  ),
};
const quoted = /["'`]([\w@./-]+\.(?:tsx?|css|json|md))["'`]/g;

/**
 * The unit and contract tests that import one of these files, directly or through other files.
 * Type imports don't count: they are removed before the test runs, and the compiler checks them.
 */
export function reachedTests(root: string, changed: readonly string[]): string[] {
  const importers = new Map<string, Set<string>>();
  for (const file of filesOf(root, "{src,test}/**/*.{ts,tsx,mts}"))
    for (const used of usedBy(root, file)) importers.set(used, (importers.get(used) ?? new Set()).add(file));
  const reached = new Set(changed);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return [...reached]
    .filter((file) => /^test\/(?:unit|contract)\/.*\.test\.ts$/.test(file) && existsSync(join(root, file)))
    .sort();
}

/** The files that it imports, and those that it names in quotes, from the root, its own folder or that of the test pages. */
function usedBy(root: string, file: string): readonly string[] {
  const text = readFileSync(join(root, file), "utf8");
  const imported = readImports(file, text);
  const types = new Set(imported.filter(({ isType }) => isType).map(({ to }) => to));
  const folders = ["", posix.dirname(file), "test/unit/webview/pages"];
  const inQuotes = [...text.matchAll(quoted)].flatMap(([, name = ""]) =>
    folders.map((folder) => posix.join(folder, name)).filter((path) => !types.has(path)),
  );
  return [
    ...imported.filter(({ isType, isInternal }) => isInternal && !isType).map(({ to }) => to),
    ...inQuotes,
    ...(named[file] ?? []),
  ];
}

function filesOf(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root }).map((path) => path.split(sep).join("/"));
}
