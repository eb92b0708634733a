// The beginning of a stored text, as the editor with the results shows it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { excerptOf } from "../../../../src/web/results/excerpts.ts";

test("an excerpt is the text as it reads, in one line, without its title", () => {
  for (const [markdown, text] of [
    ["# T\n\nSome **bold** [link](http://a.test/x) text.\n\n- item\n- two", "Some bold link text. item two"],
    ["---\nsource: x\n---\n\n# T\n\n> quote\n\n1. one", "quote one"],
    ["# T\n\n| A | B |\n| --- | --- |\n| 1 | 2 |", "A B 1 2"],
    ["```js\nlet a;\n```\n\n---\n\nend", "let a; end"],
    ["# Other\n\n![](http://a.test/p.png)\n\nx", "Other x"],
    ['---\nsource: "a.pdf"\n---\n\n<!-- Page 1 -->\n\nReport\n\n<!-- Page 2 -->\n\nEnd', "Report End"],
    ["", ""],
  ] as const)
    assert.equal(excerptOf(markdown, "T"), text, markdown);
  assert.equal(excerptOf("a ".repeat(5_000), "").length, 400);
});
