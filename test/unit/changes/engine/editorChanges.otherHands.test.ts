// Hunks beside what other programs change, in open files and while no window is open.
import assert from "node:assert/strict";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { Position, Range } from "../editorDocument.ts";
import { editor } from "../editorModel.ts";
import { openChanges } from "../openChanges.ts";
import { uriOf } from "../seenFiles.ts";

const never = new AbortController().signal;
const lines = Array.from({ length: 40 }, (_, line) => `line ${line}`);
const textWith = (...changed: readonly (readonly [line: number, text: string])[]) =>
  changed.reduce<string[]>((all, [line, text]) => all.with(line, text), lines).join("\n");
const [hunk, both] = [[20, "agent"] as const, [[0, "other"] as const, [39, "other"] as const]];

function openFile() {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  const uri = uriOf("a.txt");
  writeFileSync(uri.path, textWith());
  const open = () => openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const edit = (changes = open()) =>
    changes.writer.edit("a.txt", [{ oldText: "line 20\n", newText: "agent\n" }], never);
  return { uri, storage, open, edit };
}

const hunksOf = (changes: ReturnType<typeof openChanges>) =>
  changes.files.map(({ hunks }) => hunks.map(({ startLine, before }) => [startLine, ...before]));

test("a program that changes both ends of an open file leaves the hunk between pending", async () => {
  const { uri, open, edit } = openFile();
  const document = editor.open(uri);
  const changes = open();
  await edit(changes);
  for (const text of ["other", "another"]) {
    writeFileSync(uri.path, textWith([0, text], hunk, [39, text]));
    editor.settle();
    assert.equal(document.isDirty, false);
    assert.deepEqual(hunksOf(changes), [[[20, "line 20"]]]);
  }
  // Also after the user has typed and saved.
  document.type(5, 0, "my ");
  await document.save();
  writeFileSync(uri.path, document.getText().replaceAll("another", "a third"));
  editor.settle();
  assert.deepEqual(hunksOf(changes), [[[20, "line 20"]]]);
  await changes.reject(uri);
  assert.equal(readFileSync(uri.path, "utf8"), textWith([0, "a third"], [5, "my line 5"], [39, "a third"]));
  changes.dispose();
});

for (const encoding of ["utf8", "utf16le"] as const)
  test(`an editor that reads late what a ${encoding} file was before an edit leaves the hunk pending`, async () => {
    const { uri, open, edit } = openFile();
    const bytesOf = (text: string) => Buffer.from(text, encoding);
    writeFileSync(uri.path, bytesOf(textWith()));
    const document = editor.open(uri, encoding);
    const changes = open();
    const earlier = textWith([0, "other"]);
    writeFileSync(uri.path, bytesOf(earlier));
    await edit(changes);
    const edited = textWith([0, "other"], hunk);
    assert.deepEqual(readFileSync(uri.path), bytesOf(edited));
    // The editor has read the file after the first of the two changes.
    document.edit([{ range: new Range(new Position(0, 0), new Position(0, 6)), text: "other" }], false);
    assert.equal(document.getText(), earlier);
    assert.deepEqual(hunksOf(changes), [[[20, "line 20"]]]);
    editor.settle();
    await changes.reject(uri);
    assert.deepEqual(readFileSync(uri.path), bytesOf(earlier));
    changes.dispose();
  });

test("the same after a reload with the file open", async () => {
  const { uri, open, edit } = openFile();
  editor.open(uri);
  const first = open();
  await edit(first);
  first.dispose();
  const changes = open();
  await changes.reject(uriOf("other.txt"));
  writeFileSync(uri.path, textWith(...both, hunk));
  editor.settle();
  assert.deepEqual(hunksOf(changes), [[[20, "line 20"]]]);
  changes.dispose();
});

test("a window that is killed right after an edit knows what others change before the next one opens", async () => {
  const { uri, storage, open, edit } = openFile();
  const killed = open();
  await edit(killed);
  const log = `${storage}/changes.jsonl`;
  assert.doesNotMatch(readFileSync(log, "utf8"), /line 39/, "the text is not written at once");
  copyFileSync(log, `${log}.killed`);
  killed.dispose();
  assert.match(readFileSync(log, "utf8"), /line 39/, "it is, when the window closes");
  copyFileSync(`${log}.killed`, log);
  writeFileSync(uri.path, textWith(...both, hunk));
  const changes = open();
  await changes.reject(uri);
  assert.equal(readFileSync(uri.path, "utf8"), textWith(...both));
  changes.dispose();
});

test("hunks whose text can't be known any more are left as they are in the file", async () => {
  const { uri, storage, open, edit } = openFile();
  const killed = open();
  await edit(killed);
  const log = readFileSync(`${storage}/changes.jsonl`);
  killed.dispose();
  writeFileSync(`${storage}/changes.jsonl`, log);
  rmSync(`${storage}/blobs`, { recursive: true });
  const changes = open();
  await changes.reject(uri);
  assert.deepEqual(changes.files, []);
  assert.equal(readFileSync(uri.path, "utf8"), textWith(hunk));
  changes.dispose();
});
