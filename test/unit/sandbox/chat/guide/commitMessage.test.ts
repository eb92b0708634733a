import assert from "node:assert/strict";
import { test } from "node:test";
import { commitMessage } from "../../../../../src/sandbox/chat/guide/commitMessage.ts";

const file = (name: string, head = "") =>
  `diff --git a/${name} b/${name}\n${head}--- a/${name}\n+++ b/${name}\n@@ -1 +1,2 @@\n-a\n+b\n+c\n`;

test("a commit message names the files and the size of the change", () => {
  assert.equal(commitMessage(file("a.ts")), "Change a.ts");
  assert.equal(
    commitMessage(file("a.ts") + file("b.ts")),
    "Change 2 files\n\n- a.ts: 2 lines more, 1 less\n- b.ts: 2 lines more, 1 less",
  );
  assert.equal(commitMessage(file("a.ts", "new file mode 100644\n")), "Add a.ts");
  assert.equal(commitMessage(file("a.ts", "deleted file mode 100644\n")), "Remove a.ts");
  assert.equal(commitMessage(""), "Change nothing");
});
