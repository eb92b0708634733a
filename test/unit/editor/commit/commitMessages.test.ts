import assert from "node:assert/strict";
import { test } from "node:test";
import { toCommitMessage } from "../../../../src/editor/edit/text/cleanAnswer.ts";

test("removes what a model puts around a commit message", () => {
  assert.equal(toCommitMessage("```\nAdd a button\n\nIt stops.\n```"), "Add a button\n\nIt stops.");
  assert.equal(toCommitMessage('**Commit message:** "Add a button"'), "Add a button");
  assert.equal(toCommitMessage("\nAdd a button\nIt stops.  \n"), "Add a button\n\nIt stops.");
  assert.equal(toCommitMessage("Say `a` and `b`"), "Say `a` and `b`");
  assert.equal(toCommitMessage("  "), "");
});
