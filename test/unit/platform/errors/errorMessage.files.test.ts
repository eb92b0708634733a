// A file that can't be read or written is not a fault of the extension: the sentence says why, and what to do.
import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";

const denied = "permission is denied. Choose another folder, or change its permissions.";
const cases: readonly (readonly [message: string, sentence: string])[] = [
  ["EACCES: permission denied, open '/ro/a b.csv'", `/ro/a b.csv can't be read or written: ${denied}`],
  [
    "Unable to write file '/ro/a.csv' (NoPermissions (FileSystemError): Error: EACCES: permission denied, open '/ro/a.csv')",
    `/ro/a.csv can't be read or written: ${denied}`,
  ],
  ["EPERM: operation not permitted, rename '/ro/a' -> '/ro/b'", `/ro/a can't be read or written: ${denied}`],
  [
    "Error: EROFS: read-only file system, mkdir '/ro/abi'",
    "/ro/abi can't be read or written: the disk is read-only. Choose a folder on another disk.",
  ],
  [
    "ENOSPC: no space left on device, write",
    "A file can't be read or written: the disk is full. Free some space, and try again.",
  ],
];
for (const [message, sentence] of cases)
  test(message, () => {
    assert.equal(explain(new Error(message), { service: "Sandbox" }).sentence, sentence);
  });

test("the editor's error of a denied file needs no code of Node", () => {
  const error = Object.assign(new Error("file:///ro/a.csv"), { name: "NoPermissions (FileSystemError)" });
  assert.equal(explain(error, { service: "Sandbox" }).sentence, `A file can't be read or written: ${denied}`);
});

test("a program that can't be started and a connection are no files", () => {
  for (const message of [
    "spawn git EACCES",
    "connect EACCES 10.0.0.1:443",
    "EBADF: bad file descriptor, read",
  ])
    assert.match(
      explain(new Error(message), { service: "Sandbox" }).sentence,
      /^Something in this extension/,
    );
});
