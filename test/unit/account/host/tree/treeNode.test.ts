import assert from "node:assert/strict";
import { test } from "node:test";
import { shareBar, spokenText, tooltipMarkdown } from "../../../../../src/account/host/tree/treeNode.ts";

test("bars are right at their bounds", () => {
  assert.equal(shareBar(0), "▱▱▱▱▱▱▱▱ 0 %");
  assert.equal(shareBar(0.001), "▰▱▱▱▱▱▱▱ 0 %");
  assert.equal(shareBar(3), "▰▰▰▰▰▰▰▰ 300 %");
});

test("a hover text is markdown whose texts are escaped", () => {
  const notes = ["a|b\n[c](d) $(x) <i>"];
  assert.equal(tooltipMarkdown({ notes }), "a\\|b \\[c\\]\\(d\\) \\$\\(x\\) \\<i\\>");
  assert.equal(
    tooltipMarkdown({ title: "k*", facts: [["a|", "1"]], notes: ["n"] }),
    "**k\\***\n\n| | |\n|:--|:--|\n| a\\| | 1 |\n\nn",
  );
});

test("a screen reader says what only the hover text has, and nothing twice", () => {
  const row = { id: "m", label: "guide", description: "$0.50 · 2.00 DIEM, 1,200 tokens" };
  const facts = [
    ["Type", "LLM"],
    ["USD", "$0.5021"],
    ["DIEM", "2.00 DIEM"],
    ["Units", "1,200 tokens"],
  ] as const;
  const tooltip = { title: "guide", facts, notes: ["As of today."] };
  assert.equal(
    spokenText({ ...row, tooltip }),
    "guide, $0.50 · 2.00 DIEM, 1,200 tokens, Type LLM, USD $0.5021, As of today.",
  );
  assert.equal(spokenText({ ...row, tooltip: { ...tooltip, isBelow: true } }), `guide, ${row.description}`);
  assert.equal(
    spokenText({ id: "f", label: "Today", description: "– It failed.", tooltip: { notes: ["It failed."] } }),
    "Today, – It failed.",
  );
  assert.equal(spokenText({ id: "x", label: "x" }), "x");
});
