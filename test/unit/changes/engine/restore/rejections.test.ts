import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { moments } from "../../editorDocument.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

// A formatter changes the text in the save that follows a rejected hunk.
for (const end of ["\n", "\r\n"])
  test(`the other hunks follow what the formatter wrote, with lines that end with ${JSON.stringify(end)}`, async () => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const uri = uriOf("a.txt");
    const lines = (...all: readonly string[]) => all.map((line) => line + end).join("");
    writeFileSync(uri.path, lines("a", "b", "c", "d", "e", "f"));
    const document = editor.open(uri);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    const edit = (oldText: string, newText: string) =>
      changes.writer.edit("a.txt", [{ oldText, newText }], never);
    await edit("b", "B");
    await edit("e", "E");
    let isFormatted = false;
    moments.at = (moment) => {
      if (moment !== "before the save" || isFormatted) return;
      isFormatted = true;
      document.type(0, 0, "x\ny\n");
    };
    await changes.reject(uri, changes.fileOf(uri)?.hunks[0]?.id);
    moments.at = () => {};
    assert.equal(readFileSync(uri.path, "utf8"), lines("x", "y", "a", "b", "c", "d", "E", "f"));
    assert.deepEqual(
      changes.fileOf(uri)?.hunks.map(({ startLine, lineCount }) => [startLine, lineCount]),
      [[6, 1]],
    );
    await changes.reject(uri, changes.fileOf(uri)?.hunks[0]?.id);
    assert.equal(readFileSync(uri.path, "utf8"), lines("x", "y", "a", "b", "c", "d", "e", "f"));
    changes.dispose();
  });

// Rejecting files that were moved one after the other takes time proportional to their number.
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
