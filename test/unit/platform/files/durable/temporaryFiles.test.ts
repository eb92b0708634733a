import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  createTemporaryFiles,
  sweepTemporaryFiles,
  temporaryListsIn,
} from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import { newTemporaryName } from "../../../../../src/platform/files/durable/temporaryName.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

/** The name of a temporary file, and of a list, of a process that has ended. */
function namesOfEnded(): { readonly file: string; readonly list: string } {
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const own = newTemporaryName();
  const [, machine = "", , rest = ""] = /^\.inference-(\w+)\.(\w+)\.(\w+)\.tmp$/.exec(own) ?? [];
  const list = [machine, pid.toString(36), rest].join(".");
  return { file: `.inference-${list}.tmp`, list };
}

test("the start removes what a killed process has left in the storage and in folders of the user, and nothing else", async () => {
  const [storage, user, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const { file, list } = namesOfEnded();
  const own = newTemporaryName();
  const lists = temporaryListsIn(storage);
  mkdirSync(join(storage, "chats", "cache"), { recursive: true });
  mkdirSync(lists);
  for (const folder of [join(storage, "chats", "cache"), user, other])
    for (const name of [file, own, "kept.txt"]) writeFileSync(join(folder, name), "");
  // A full disk has cut off the line before.
  writeFileSync(join(lists, list), '\n"/cut of');
  appendFileSync(join(lists, list), `\n${JSON.stringify(user)}\n`);
  await sweepTemporaryFiles(storage);
  for (const folder of [join(storage, "chats", "cache"), user])
    assert.deepEqual(readdirSync(folder).sort(), [own, "kept.txt"].sort());
  assert.deepEqual(readdirSync(other).sort(), [file, own, "kept.txt"].sort(), "no list names this folder");
  assert.deepEqual(readdirSync(lists), []);
});

test("a folder is noted before its temporary file exists, and its list ends with the window", () => {
  const [storage, user] = [temporaryFolder(), temporaryFolder()];
  const files = createTemporaryFiles(temporaryListsIn(storage));
  files.beside(join(user, "a"));
  assert.equal(readdirSync(temporaryListsIn(storage)).length, 1);
  files.dispose();
  assert.deepEqual(readdirSync(temporaryListsIn(storage)), []);
});
