// Rejecting files that were moved one after the other takes time proportional to their number.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;

test("a chain of moves goes back in steps that grow with its length", async () => {
  const accesses = async (length: number): Promise<number> => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    for (let at = 0; at < length; at++) writeFileSync(uriOf(`${at}.txt`).path, `${at}\n`);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const place = (at: number) => (at === 0 ? "aside.txt" : `${at - 1}.txt`);
    for (let at = 0; at < length; at++) await changes.writer.move(`${at}.txt`, place(at), never);
    let count = 0;
    editor.failure = () => {
      count++;
      return undefined;
    };
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    editor.failure = () => undefined;
    for (let at = 0; at < length; at++)
      assert.equal(readFileSync(uriOf(`${at}.txt`).path, "utf8"), `${at}\n`);
    changes.dispose();
    return count;
  };
  const [short, long] = [await accesses(8), await accesses(32)];
  assert.ok(long <= 4.5 * short, `${short} and ${long} accesses to files`);
});
