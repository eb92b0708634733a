import assert from "node:assert/strict";
import { test } from "node:test";
import { quoteSources } from "../../../../../src/sandbox/chat/guide/quoteSources.ts";

test("a table is quoted in words, in the one line of its item", () => {
  const text = "# Tools\n\n| Tool | Price |\n| --- | ---: |\n| `search` | $0.01 |\n| `read` | $0.02 |\n";
  const answer = quoteSources({
    sources: [{ number: 1, title: "Tools", text }],
    question: "What does a search cost?",
  });
  const [, quote = ""] = answer.split("\n\n");
  assert.equal(quote, "- Tool · Price; `search` · $0.01; `read` · $0.02 [1]");
});
