import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { readExcludes, readInclude } from "../../../../src/platform/search/rules/excludes.ts";
import { toScope } from "../../../../src/platform/search/rules/searchScope.ts";
import type { SearchScope } from "../../../../src/platform/search/searchEngine.ts";
import { diskRules } from "../../../../src/platform/search/trees/diskTree.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

/** Contents of files by their paths. */
export type Tree = ReadonlyMap<string, string | Uint8Array>;

const folderNames = ["a", "b", "dist", "x y", ".h", "[c]"];
const fileNames = ["a.ts", "b.js", "b.ts", "c.txt", ".d", "k.gen.js", "zé.md", "dist"];

const folderPath = fc.array(fc.constantFrom(...folderNames), { maxLength: 3 });
const filePath = fc
  .tuple(folderPath, fc.constantFrom(...fileNames))
  .map(([folders, name]) => [...folders, name].join("/"));

/** Parts of a pattern, so that many of them match. */
const patternPart = fc.constantFrom(
  ...[
    "a",
    "b",
    "dist",
    "x y",
    ".h",
    "*",
    "**",
    "*.ts",
    "*.js",
    "b.*",
    "?.ts",
    "[ab].ts",
    "[!a].*",
    "*.gen.js",
  ],
  ...["d*", "\\[c\\]", "[[]c]", "c.txt", "zé.md", "*a"],
);
export const pattern = fc
  .tuple(
    fc.constantFrom("", "", "!", "!"),
    fc.constantFrom("", "", "/"),
    fc.array(patternPart, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "", "/", "  "),
  )
  .map(([negation, start, parts, end]) => `${negation}${start}${parts.join("/")}${end}`);

const ignoreText = fc
  .array(
    fc.oneof({ weight: 8, arbitrary: pattern }, { weight: 1, arbitrary: fc.constantFrom("# no", "", "\\#") }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .chain((lines) => fc.constantFrom("\n", "\r\n").map((end) => lines.join(end)));

const ignoreFiles = (...names: string[]) =>
  fc.array(
    fc
      .tuple(folderPath, fc.constantFrom(...names), ignoreText)
      .map(([folders, name, text]) => [[...folders, name].join("/"), text] as const),
    { minLength: 1, maxLength: 4 },
  );

const lines = ["const Foo = 1;", "  foo bar", "\tif (foo.bar()) {", "Straße FOO_2", "x", "", "été foo"];
const contents = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...lines), { maxLength: 5 }).map((all) => all.join("\n")),
  },
  { weight: 1, arbitrary: fc.constant("foo\r\nbar foo\r\n\r\n") },
  { weight: 1, arbitrary: fc.constant("foo\n\0 binary") },
  { weight: 1, arbitrary: fc.constant("\uFEFFfoo mark\nfoo") },
  { weight: 1, arbitrary: fc.constant(Buffer.from("\uFEFFfoo wide é\nx\n", "utf16le")) },
  { weight: 1, arbitrary: fc.constant(Buffer.from("foo \xe9t\xe9\nfoo\n", "latin1")) },
);

/** A tree in which a path is either a file or a folder. */
export function treeOf(...kinds: string[]): fc.Arbitrary<Tree> {
  return fc
    .tuple(fc.array(fc.tuple(filePath, contents), { minLength: 3, maxLength: 25 }), ignoreFiles(...kinds))
    .map(([files, ignores]) => {
      const tree = new Map<string, string | Uint8Array>();
      for (const [path, text] of [...files, ...ignores]) {
        const isBelowFile = prefixes(path).some((part) => part !== path && tree.has(part));
        const isFolder = [...tree.keys()].some((other) => other.startsWith(`${path}/`));
        if (!isBelowFile && !isFolder) tree.set(path, text);
      }
      return tree;
    });
}

function prefixes(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Writes a tree, with links that nothing follows. Returns its folder. */
export function writeTree(tree: Tree, { isRepository = false } = {}): string {
  const root = join(temporaryFolder(), "work", "space");
  mkdirSync(root, { recursive: true });
  if (isRepository) execFileSync("git", ["init", "-q", root], { env: gitEnvironment });
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  symlinkSync(dirname(root), join(root, "up"));
  symlinkSync("/etc/passwd", join(root, "link.ts"));
  return root;
}

/** Without the settings of the user. */
export const gitEnvironment = {
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

/** A scope as the search of the workspace builds it. */
export async function scopeOf(
  root: string,
  { exclude = {}, include = "", folder = "", usesIgnoreFiles = true } = {},
): Promise<SearchScope> {
  const rules = await diskRules(root, readExcludes([exclude]), usesIgnoreFiles);
  return toScope({ root, rules, named: { path: folder, isFolder: true }, include: readInclude(include) });
}
