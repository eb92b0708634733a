import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { proposedText } from "../../../../../src/chat/host/code/proposedText.ts";
import { proposedCases } from "../../proposedCases.ts";
import { shop, shopWith, textOf } from "../../proposedFiles.ts";

describe("the code of an answer in a file", () => {
  for (const [what, file, code, language, after] of proposedCases)
    it(`${what}: its position, or none`, () => {
      const proposed = proposedText(file, { text: code, language }, undefined, "mean.py");
      assert.equal(textOf(file, proposed), after);
      if (proposed.kind === "unplaced") assert.match(proposed.reason, /^[A-Z].*\.$/);
    });

  it("is offered as a whole file only for text", () => {
    const wholeOf = (text: string, language: string) => {
      const proposed = proposedText(shop, { text, language });
      return proposed.kind === "unplaced" ? proposed.whole : "placed";
    };
    assert.equal(wholeOf("const x = 1;", "js"), "const x = 1;\n");
    assert.equal(wholeOf("// ...existing code...\nconst x = 1;", "js"), undefined);
    assert.equal(wholeOf("-x\n+y", "diff"), undefined);
    const shells = "sh bash zsh fish console shell shellsession powershell pwsh ps1 cmd bat BASH".split(" ");
    for (const language of shells) {
      assert.equal(wholeOf("ls", language), undefined, language);
      assert.equal(proposedText("", { text: "ls", language }).kind, "unplaced", language);
      assert.equal(
        proposedText(shop, { text: "ls", language }, { start: 0, end: 9 }).kind,
        "unplaced",
        language,
      );
    }
  });

  it("replaces the selection, with its indentation", () => {
    const select = (text: string) => ({ start: shop.indexOf(text), end: shop.indexOf(text) + text.length });
    const apply = (text: string, selected: string) =>
      textOf(shop, proposedText(shop, { text, language: "js" }, select(selected)));
    assert.equal(apply("let sum = 1;", "    let sum = 0;\n"), shopWith("let sum = 0;", "let sum = 1;"));
    assert.equal(apply("let sum = 1;", "let sum = 0;"), shopWith("let sum = 0;", "let sum = 1;"));
    assert.equal(apply("item.cost", "item.price"), shopWith("item.price", "item.cost"));
    assert.equal(
      apply("let a = 1;\nlet b = 2;", "let sum = 0;"),
      shopWith("let sum = 0;", "let a = 1;\n    let b = 2;"),
    );
    // Omitted text would be lost.
    assert.equal(apply("// ...existing code...\nlet a = 1;", "let sum = 0;"), null);
  });
});
