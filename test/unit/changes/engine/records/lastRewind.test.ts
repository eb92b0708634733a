// What was replaced by a rewind stays in reach of its undo, whatever the next rewind does.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import type { FileChange, LastRewind } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const names = ["a.txt", "b.txt", "c.txt"];

/** Three files that an agent has changed, and the user after it. */
async function openFiles() {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  const put = (text: string) => {
    for (const name of names) writeFileSync(uriOf(name).path, text);
  };
  put("former\n");
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const made: FileChange[] = [];
  for (const name of names) made.push(await changes.writer.write(name, "agent\n", never));
  put("user\n");
  return {
    changes,
    rewind: (which: readonly FileChange[] = made, answer: "overwrite" | "keep" = "overwrite") =>
      changes.rewind(which, async () => answer, "chat"),
    /** Makes the file fail once the plan of the rewind has read it. */
    async failing(name: string, work: () => Promise<unknown>) {
      let reads = 0;
      editor.failure = (path) => (path === uriOf(name).path && ++reads > 3 ? "Unavailable" : undefined);
      await work();
      editor.failure = () => undefined;
    },
    seen: () => names.map((name) => readFileSync(uriOf(name).path, "utf8").trim()),
    last: (): LastRewind => changes.lastRewind ?? assert.fail("no undo"),
  };
}

test("a rewind without changes leaves the undo", async () => {
  const { changes, rewind, last, seen } = await openFiles();
  await rewind();
  assert.deepEqual((await rewind())?.changes, []);
  await rewind(last().changes);
  assert.deepEqual(seen(), ["user", "user", "user"]);
  changes.dispose();
});

test("an undo that fails can be tried again for the other files", async () => {
  const { changes, rewind, failing, last, seen } = await openFiles();
  await rewind();
  await failing("b.txt", () => rewind(last().changes));
  assert.deepEqual(seen(), ["user", "former", "former"]);
  const left = last().changes.filter(({ uri }) => !uri.endsWith("a.txt"));
  await rewind(left);
  assert.deepEqual(seen(), ["user", "user", "user"]);
  changes.dispose();
});

test("a rewind that is repeated after a failure is undone as a whole", async () => {
  const { changes, rewind, failing, last, seen } = await openFiles();
  await failing("b.txt", () => rewind());
  assert.deepEqual(seen(), ["former", "user", "user"]);
  await rewind();
  assert.deepEqual(seen(), ["former", "former", "former"]);
  await rewind(last().changes);
  assert.deepEqual(seen(), ["user", "user", "user"]);
  changes.dispose();
});

test("files that were kept in an undo can still be undone", async () => {
  const { changes, rewind, last, seen } = await openFiles();
  await rewind();
  writeFileSync(uriOf("b.txt").path, "later\n");
  await rewind(last().changes, "keep");
  assert.deepEqual(seen(), ["user", "later", "user"]);
  await rewind(last().changes.filter(({ uri }) => uri.endsWith("b.txt")));
  assert.deepEqual(seen(), ["user", "user", "user"]);
  changes.dispose();
});
