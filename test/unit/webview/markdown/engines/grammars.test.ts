import assert from "node:assert/strict";
import { test } from "node:test";
import { isWorthColour } from "../../../../../src/webview/markdown/code.ts";

test("code is coloured, but not code that is made to be slow", () => {
  assert.equal(isWorthColour("let a = 1;\n".repeat(1800), "js"), true);
  assert.equal(isWorthColour(`${"a".repeat(1000)}\n${"b".repeat(1000)}`, "java"), true);
  for (const [source, language] of [
    ["a".repeat(1001), "java"],
    [`x\n${"[".repeat(19_000)}`, "markdown"],
    ["x\n".repeat(10_001), "js"],
    ["let a;", ""],
    ["", "js"],
  ] as const)
    assert.equal(isWorthColour(source, language), false, language);
});
