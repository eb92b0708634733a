import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";

const never = new AbortController().signal;

test("a text that is longer than a file may be is refused, and nothing is written", async () => {
  const [root, storage] = [temporaryFolder(), temporaryFolder()];
  editor.start(root);
  const changes = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
  await assert.rejects(
    changes.writer.write("a.txt", "é".repeat(13_200_000), never),
    /^Error: a\.txt was not changed: it would have 26400000 bytes, and the limit is 26214400\.$/,
  );
  assert.deepEqual(readdirSync(root), []);
  changes.dispose();
});
