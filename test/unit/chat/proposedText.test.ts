import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commandOf, proposedText } from "../../../src/features/chat/proposedText.ts";
import { hidesSomething } from "../../../src/shared/visibleText.ts";

const file = "import a from 'a';\n\nfunction one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";

describe("the code of an answer in a file", () => {
  it("stands in place of the selection", () => {
    const start = file.indexOf("  return 1;");
    const end = file.indexOf("}", start);
    assert.equal(
      proposedText(file, "  return 11;", { start, end }),
      file.replace("  return 1;\n", "  return 11;\n"),
    );
  });

  it("stands in place of the function that it is another wording of", () => {
    const code = "function one() {\n  // better\n  return 1.0;\n}";
    assert.equal(proposedText(file, code, undefined), file.replace("function one() {\n  return 1;\n}", code));
  });

  it("keeps the file's own line ends", () => {
    const windows = file.replaceAll("\n", "\r\n");
    const proposed = proposedText(windows, "function two() {\n  return 22;\n}", { start: 3, end: 3 });
    assert.equal(proposed, windows.replace("return 2;", "return 22;"));
  });

  it("is the whole file where its place is not clear", () => {
    assert.equal(
      proposedText(file, "const x = 1;\nexport { x };", undefined),
      "const x = 1;\nexport { x };\n",
    );
    assert.equal(proposedText("", "const x = 1;", undefined), "const x = 1;");
    const twice = "function f() {\n}\nfunction f() {\n}\n";
    assert.equal(proposedText(twice, "function f() {\n  1;\n}", undefined), "function f() {\n  1;\n}\n");
  });
});

describe("a command of an answer", () => {
  it("is shown and run without its prompts and what it printed", () => {
    assert.equal(commandOf("$ npm ci\nadded 3 packages\n$ npm test\n"), "npm ci\nnpm test");
    assert.equal(commandOf("npm ci\r\nnpm test\n"), "npm ci\nnpm test");
    assert.equal(commandOf("  \n"), "");
  });

  it("that hides a part of itself is known", () => {
    for (const hidden of ["ls \u202emr", "ls\u0008\u0008rm", "ls \u200b", "\u001b[8mrm", "a\rb"]) {
      assert.ok(hidesSomething(hidden), JSON.stringify(hidden));
    }
    assert.ok(!hidesSomething("printf 'a\tb'\nls — äöü 東京 🙂"));
  });
});
