import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commandOf } from "../../../../../src/chat/host/code/proposedText.ts";
import { hidesSomething } from "../../../../../src/shared/text/html/visibleText.ts";

describe("a command of an answer", () => {
  it("is shown and run without prompts and printed output", () => {
    assert.equal(commandOf("$ npm ci\nadded 3 packages\n$ npm test\n"), "npm ci\nnpm test");
    assert.equal(commandOf("npm ci\r\nnpm test\n"), "npm ci\nnpm test");
    assert.equal(commandOf("  \n"), "");
  });

  it("is recognised if it hides a part of itself", () => {
    for (const hidden of ["ls \u202emr", "ls\u0008\u0008rm", "ls \u200b", "\u001b[8mrm", "a\rb"]) {
      assert.ok(hidesSomething(hidden), JSON.stringify(hidden));
    }
    assert.ok(!hidesSomething("printf 'a\tb'\nls — äöü 東京 🙂"));
  });
});
