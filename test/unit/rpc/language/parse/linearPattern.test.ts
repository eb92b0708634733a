// No pattern of the RPC notebook or its renderer takes more than linear time on any text.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import jsTokens from "js-tokens";
import { analyse } from "scslre";
import { root } from "../../../../tools/paths.ts";

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function patternsOf(file: string): readonly Pattern[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...jsTokens(text, { jsx: file.endsWith("x") })].flatMap(({ type, value }) => {
    const [, source = "", flags = ""] = /^\/(.*)\/(\w*)$/s.exec(value) ?? [];
    return type === "RegularExpressionLiteral" ? [{ file, source, flags }] : [];
  });
}

/** The ways in which a pattern can be slow: exponential backtracking, or a retry from each position. */
function faultsOf({ source, flags }: Omit<Pattern, "file">): readonly string[] {
  return analyse({ source, flags }).reports.map(({ type, exponential }) =>
    exponential ? "Exponential" : type,
  );
}

const files = globSync("src/rpc/**/*.{ts,tsx}", { cwd: root });

test("each is linear", () => {
  const patterns = files.flatMap(patternsOf);
  assert.ok(
    files.length > 100 && patterns.length > 150,
    `${patterns.length} patterns in ${files.length} files`,
  );
  const slow = patterns.flatMap((pattern) =>
    faultsOf(pattern).map((fault) => `${pattern.file}: ${fault}: /${pattern.source}/${pattern.flags}`),
  );
  assert.deepEqual(slow, []);
});

test("each is a literal in the source", () => {
  const made = files.filter((file) => /\bRegExp\(/.test(readFileSync(join(root, file), "utf8")));
  assert.deepEqual(made, []);
});

test("the check distinguishes slow patterns from others", () => {
  const ofComments = String.raw`^(?:\s|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*[[{]`;
  assert.ok(faultsOf({ source: ofComments, flags: "" }).includes("Exponential"));
  assert.notDeepEqual(faultsOf({ source: String.raw`(?:[ \t]*(?:\r\n|\n|\r))+$`, flags: "" }), []);
  assert.deepEqual(faultsOf({ source: String.raw`[\r\n]+$`, flags: "" }), ["Move"]);
  assert.deepEqual(faultsOf({ source: String.raw`[\r\n]+`, flags: "y" }), []);
});
