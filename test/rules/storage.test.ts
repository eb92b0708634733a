// What the extension keeps is written in one place, which gives it modes that shut others out.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../vscode/paths.ts";
import { sourceFiles } from "./sources.ts";

/** Of node:fs, what reads, removes, or moves within a folder, and so makes no file that others could read. */
const makesNothing = new Set(
  (
    "access accessSync closeSync constants createReadStream existsSync fstatSync fsyncSync lstat readdir readFile " +
    "readFileSync readlinkSync readSync realpath rename renameSync rm rmSync stat statSync truncate unlink " +
    "unlinkSync utimes utimesSync watch writeSync"
  ).split(" "),
);

/** Where else files are made, and why: each is the user's own, at a place of theirs, or reads alone. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/platform/privateFiles.ts":
    "appendFile appendFileSync chmod mkdir mkdirSync open openSync writeFile writeFileSync".split(" "),
  // `createDurably` makes files of the user's; the rest writes to what privateFiles.ts has opened.
  "src/platform/durableFile.ts": ["link", "open", "writeFileSync"],
  // The text beside a document, once `createDurably` or `openPrivate` has made its file.
  "src/features/augment/parse/writeParsed.ts": ["createWriteStream", "open"],
  // An export of usage where the user wants it.
  "src/features/account/exportFile.ts": ["open"],
  // A .env of the user's, which it makes with 0600, and the .gitignore beside it.
  "src/features/account/envFile.ts": ["appendFile", "writeFile"],
  // It opens what is to be sent, to read it.
  "src/api/upload.ts": ["*"],
  // It opens the file of an ABI, to read it.
  "src/features/rpc/readAbiFile.ts": ["open"],
  // `mkdtemp` makes a folder with 0700.
  "src/sandbox/rpc/anvil/nodeProcess.ts": ["mkdtemp"],
};

/** Where the editor's file system writes what the user saves, exports or has drawn, at a place of theirs. */
const savedByTheEditor = [
  "src/features/augment/parse/siblingText.ts",
  "src/features/augment/resultController.ts",
  "src/features/chat/code/codeActions.ts",
  "src/features/chat/history/conversationTransfer.ts",
  "src/features/images/folderFiles.ts",
  "src/features/images/pictureActions.ts",
  "src/features/speech/saveReading.ts",
  "src/platform/changeDocument.ts",
];

const named = /\bimport\s+(type\s+)?\{([^}]*)\}\s+from\s+["'](?:node:)?fs(?:\/promises)?["']/g;
const moduleName = /["'](?:node:)?fs(?:\/promises)?["']/g;

/** The names by which a source could make a file; `*` where it takes all of node:fs. */
function makersIn(text: string): string[] {
  const imports = [...text.matchAll(named)];
  const names = imports.flatMap(([, type, list = ""]) =>
    type ? [] : list.split(",").map((one) => one.trim()),
  );
  const values = names.filter((name) => name !== "" && !name.startsWith("type "));
  const whole = [...text.matchAll(moduleName)].length > imports.length ? ["*"] : [];
  return [...whole, ...values.map((name) => name.split(/\s+as\s+/)[0] ?? "")]
    .filter((name) => !makesNothing.has(name))
    .sort();
}

const usesEditor = /\b(?:workspace\.)?fs\s*\.\s*(?:writeFile|createDirectory|copy)\s*\(|\.createFile\(/;

const sources = sourceFiles().map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

test("files are made in src/platform/privateFiles.ts, and elsewhere only where they are the user's", () => {
  const found = sources.map(({ file, text }) => [file, makersIn(text)] as const);
  assert.deepEqual(
    Object.fromEntries(found.filter(([, names]) => names.length > 0)),
    Object.fromEntries(Object.entries(allowed).map(([file, names]) => [file, [...names].sort()])),
  );
});

test("the editor's file system writes only what the user saves", () => {
  const found = sources.filter(({ text }) => usesEditor.test(text)).map(({ file }) => file);
  assert.deepEqual(found, savedByTheEditor);
});

test("no way to make a file is overlooked", () => {
  assert.deepEqual(makersIn('import { readFile, writeFile as w } from "node:fs/promises";'), ["writeFile"]);
  assert.deepEqual(makersIn('import { type FileHandle, stat } from "node:fs/promises";'), []);
  assert.deepEqual(makersIn('import type { Stats } from "fs";'), []);
  for (const text of ['import * as fs from "fs";', 'import fs from "node:fs";', 'await import("node:fs")'])
    assert.deepEqual(makersIn(text), ["*"]);
  assert.deepEqual(makersIn('require("fs").writeFileSync'), ["*"]);
  assert.ok(usesEditor.test("vscode.workspace.fs.writeFile(uri, bytes)"));
});
