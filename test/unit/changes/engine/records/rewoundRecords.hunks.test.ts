// After a rewind, hunks of earlier questions are still pending, and rejecting them restores the text before the agent.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { moments } from "../../editorDocument.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

for (const [title, isOpen, end] of [
  ["closed", false, "\n"],
  ["open with CRLF", true, "\r\n"],
  ["closed with CRLF", false, "\r\n"],
] as const) {
  const openFile = () => {
    const storage = temporaryFolder();
    editor.start(temporaryFolder());
    const uri = uriOf("a.txt");
    const original = ["a", "b", "c", "d", "e", ""].join(end);
    writeFileSync(uri.path, original);
    if (isOpen) editor.open(uri);
    const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
    return {
      uri,
      original,
      changes,
      edit: (oldText: string, newText: string) => changes.writer.edit("a.txt", [{ oldText, newText }], never),
      hunks: () => changes.fileOf(uri)?.hunks.map(({ startLine, lineCount }) => [startLine, lineCount]),
      disk: () => readFileSync(uri.path, "utf8"),
    };
  };

  test(`${title}: another line of an earlier question stays pending`, async () => {
    const { changes, edit, hunks, uri, disk, original } = openFile();
    await edit("d", "D");
    const made = await edit("b", "B1\nB2");
    await changes.rewind([made], async () => assert.fail("asked"));
    assert.deepEqual(hunks(), [[3, 1]]);
    await changes.reject(uri);
    assert.equal(disk(), original);
    changes.dispose();
  });

  test(`${title}: the same line of an earlier question stays pending`, async () => {
    const { changes, edit, hunks, uri, disk, original } = openFile();
    const first = await edit("b", "B");
    const second = await edit("B", "BB");
    await changes.rewind([second], async () => assert.fail("asked"));
    assert.deepEqual(hunks(), [[1, 1]]);
    await changes.rewind([first], async () => assert.fail("asked"));
    assert.deepEqual([hunks(), disk()], [undefined, original]);
    await edit("b", "B");
    await changes.reject(uri);
    assert.equal(disk(), original);
    changes.dispose();
  });

  test(`${title}: a line that a later question had put back is pending again`, async () => {
    const { changes, edit, hunks, uri, disk, original } = openFile();
    await edit("b", "B");
    await edit("d", "D");
    const made = await edit("B", "b");
    await changes.rewind([made], async () => assert.fail("asked"));
    assert.deepEqual(hunks(), [
      [1, 1],
      [3, 1],
    ]);
    await changes.reject(uri);
    assert.equal(disk(), original);
    changes.dispose();
  });

  test(`${title}: no hunk is left of changes that were accepted or rewound`, async () => {
    const { changes, edit, hunks, uri } = openFile();
    const made = [await edit("b", "B")];
    await changes.accept(uri);
    made.push(await edit("B", "BB"), await edit("d", "D"));
    await changes.rewind(made.slice(1), async () => assert.fail("asked"));
    assert.deepEqual(hunks(), undefined);
    await edit("e", "E");
    await changes.rewind(made.slice(0, 1), async () => "overwrite");
    assert.deepEqual(hunks(), undefined);
    changes.dispose();
  });
}

test("what the user types while the file is restored does not become a hunk", async () => {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  const uri = uriOf("a.txt");
  writeFileSync(uri.path, "a\nb\nc\n");
  const document = editor.open(uri);
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const edit = (oldText: string, newText: string) =>
    changes.writer.edit("a.txt", [{ oldText, newText }], never);
  await edit("a", "A");
  const made = await edit("c", "C");
  moments.at = (moment) => {
    if (moment !== "in the save") return;
    moments.at = () => {};
    document.type(1, 0, "typed ");
  };
  await changes.rewind([made], async () => assert.fail("asked"));
  await changes.reject(uri);
  assert.match(document.getText(), /typed b/);
  changes.dispose();
});
