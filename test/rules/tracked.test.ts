// Texts that no file of the project may contain, and the entries allowed at its top level.
import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf, trackedFiles } from "./tracked.ts";

const files = trackedFiles();
const texts = files.flatMap((path) => {
  const text = textOf(path);
  return text === undefined ? [] : [{ path, text }];
});
const ours = texts.filter(({ path }) => /^(src|test)\/.*\.(ts|tsx|js|mjs|css)$|^esbuild\.mjs$/.test(path));

/** `path:line text` of each matching line. */
function lines(among: typeof texts, pattern: RegExp): string[] {
  return among.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      return pattern.test(line) ? [`${path}:${index + 1} ${line.trim().slice(0, 80)}`] : [];
    }),
  );
}

/** Split in two, so that the search does not find this file. */
const word = (...halves: string[]) => halves.join("");

test("the top level contains only what the design names", () => {
  const allowed = new Set([
    ...["package.json", "package-lock.json", "tsconfig.json", "esbuild.mjs", "biome.json", "README.md"],
    ...[
      "CONTRIBUTING.md",
      "LICENSE",
      "CHANGELOG.md",
      "src",
      "media",
      "test",
      ".ci",
      ".vscode",
      ".vscodeignore",
    ],
    ...[".gitignore", ".gitattributes", ".editorconfig", ".npmrc", ".nvmrc"],
  ]);
  const top = new Set(files.map((path) => path.split("/", 1)[0] ?? ""));
  assert.deepEqual(
    [...top].filter((name) => !allowed.has(name)),
    [],
  );
});

test("no package registry is named", () => {
  const registry = new RegExp(
    [
      word("registry", "\\.npmjs"),
      word("registry", "\\.yarnpkg"),
      word("npm", "mirror\\.com"),
      word('"resol', 'ved":'),
    ].join("|"),
  );
  assert.deepEqual(lines(texts, registry), []);
});

test("no private key, no service key, no token", () => {
  const secrets = [
    word("-----BEGIN [A-Z ]*PRIVATE", " KEY-----"),
    word("\\bsk-(?!canary)[A-Za-z0-9_-]", "{20,}"),
    word("\\bgh[pousr]", "_[A-Za-z0-9]{30,}"),
    word("\\bAKIA", "[0-9A-Z]{16}\\b"),
    word("_auth", "Token\\s*="),
    word("eyJ[\\w-]{20,}\\.eyJ", "[\\w-]{20,}\\."),
  ];
  assert.deepEqual(lines(texts, new RegExp(secrets.join("|"))), []);
});

test("no unfinished work, no skipped tests, no suppressions", () => {
  const patterns = [
    word("\\b(TO", "DO|FIX", "ME|XX", "X|HA", "CK)\\b"),
    word("\\.(skip|only|to", "do)\\("),
    word("^\\s*(xit|xdescribe|fit|fdescribe)", "\\("),
    word("\\b(skip|only|to", "do): true"),
    word("@ts-(ignore|nochec", "k)"),
    // An accessible widget may need an exception from the linter; it states why.
    word("biome", "-ignore(?! lint/a11y/\\w+: \\w)"),
  ];
  assert.deepEqual(lines(ours, new RegExp(patterns.join("|"))), []);
  // The compiler is asked whether a sum of two currencies is an error.
  const others = ours.filter(({ path }) => path !== "test/unit/shared/money/money.test.ts");
  assert.deepEqual(lines(others, new RegExp(word("@ts-expect", "-error"))), []);
});

test("no test waits for a fixed time", () => {
  const tests = ours.filter(({ path }) => path.endsWith(".test.ts"));
  const sleeps = [
    word("waitFor", "Timeout"),
    word("setTimeout\\((resolve|r|done)", "\\b"),
    word("\\bsleep", "\\("),
  ];
  assert.deepEqual(lines(tests, new RegExp(sleeps.join("|"))), []);
});
