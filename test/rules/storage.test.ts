// The extension writes its files in one module, with modes that exclude other users.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../tools/paths.ts";
import { sourceFiles } from "./structure/sources.ts";

/** Functions of node:fs that read, remove, or move within a folder, so that they create no readable file. */
const makesNothing = new Set(
  (
    "access accessSync closeSync constants createReadStream existsSync fstatSync fsyncSync lstat lstatSync readdir readdirSync readFile " +
    "readFileSync readlink readlinkSync readSync realpath realpathSync rename renameSync rm rmSync rmdir stat statSync truncate unlink " +
    "unlinkSync utimes utimesSync watch writeSync"
  ).split(" "),
);

/** Exceptions with their reasons: files of the user, at a path of theirs, or read only. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/platform/files/privateFiles.ts":
    "appendFile appendFileSync chmod mkdir mkdirSync open openSync writeFile writeFileSync".split(" "),
  // `createDurably` and `createWithMode` create files of the user; the rest writes to files that privateFiles.ts opened.
  "src/platform/files/durable/durableFile.ts": ["link", "open", "writeFileSync"],
  // The text file of a document, after `createDurably` or `openPrivate` has created it.
  "src/web/parse/writeParsed.ts": ["createWriteStream", "open"],
  // An export of usage to the user's path.
  "src/account/host/export/exportFile.ts": ["open"],
  // The user's .gitignore.
  "src/platform/files/envFile.ts": ["appendFile"],
  // A file of the workspace that an agent changes, with the mode that it had; a copy with its times for one of its names.
  "src/changes/engine/files/fileAccess.ts": ["lutimes", "mkdir", "open"],
  // Opens the folders of such a file, and makes those that are missing.
  "src/changes/engine/files/heldFolder.ts": ["mkdir", "open"],
  // A symbolic link of the workspace, and its former name if another program has taken its place.
  "src/changes/engine/files/placeLink.ts": ["link", "symlink"],
  // Opens for reading what privateFiles.ts has written.
  "src/changes/engine/programs/snapshotFiles.ts": ["open"],
  // The reports of the command, at the user's paths.
  "src/rpc/cli/reportFiles.ts": ["open", "writeFile"],
  // Opens an upload for reading.
  "src/api/call/body/upload.ts": ["*"],
  // Opens files of the workspace for reading.
  "src/platform/files/bounded/openRegular.ts": ["open"],
  // The same, without following links.
  "src/platform/search/trees/diskTree.ts": ["open"],
  // `mkdtemp` creates a folder with 0700.
  "src/platform/process/privateSocket.ts": ["mkdtemp"],
  // The same.
  "src/chat/host/tools/commands/typedCommand.ts": ["mkdtemp"],
  "src/chat/host/tools/commands/sandbox/commandSandbox.ts": ["mkdtempSync"],
  // Empty folders in place of those that a command must not make.
  "src/chat/host/tools/commands/sandbox/guardedPlaces.ts": ["mkdirSync", "rmdirSync"],
  // Its file is written with 0600.
  "src/platform/process/anvil.ts": ["mkdtemp", "writeFile"],
};

/** Where the editor's file system writes files that the user saves, exports or generates, at a path of theirs. */
const savedByTheEditor = [
  "src/web/cite/bibliography.ts",
  "src/account/host/report/reportCommand.ts",
  "src/web/parse/siblingText.ts",
  "src/web/results/resultController.ts",
  "src/chat/host/code/codeActions.ts",
  "src/chat/host/history/transfer/conversationTransfer.ts",
  "src/images/host/gallery/folderFiles.ts",
  "src/images/host/gallery/pictureActions.ts",
  "src/rpc/editor/run/outputMessages.ts",
  "src/speech/host/reading/saveReading.ts",
  "src/platform/editor/changeDocument.ts",
  "src/changes/engine/files/fileAccess.ts",
  "src/changes/engine/staged/stagedChange.ts",
];

const named = /\bimport\s+(type\s+)?\{([^}]*)\}\s+from\s+["'](?:node:)?fs(?:\/promises)?["']/g;
const moduleName = /["'](?:node:)?fs(?:\/promises)?["']/g;

/** The imported functions that could create a file; `*` for all of node:fs. */
function fileWritersIn(text: string): string[] {
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

test("only src/platform/files/privateFiles.ts creates files, except those of the user", () => {
  const found = sources.map(({ file, text }) => [file, fileWritersIn(text)] as const);
  assert.deepEqual(
    Object.fromEntries(found.filter(([, names]) => names.length > 0)),
    Object.fromEntries(Object.entries(allowed).map(([file, names]) => [file, [...names].sort()])),
  );
});

test("the editor's file system writes only files that the user saves", () => {
  const found = sources.filter(({ text }) => usesEditor.test(text)).map(({ file }) => file);
  assert.deepEqual(found, savedByTheEditor.toSorted());
});

test("detects every way to create a file", () => {
  assert.deepEqual(fileWritersIn('import { readFile, writeFile as w } from "node:fs/promises";'), [
    "writeFile",
  ]);
  assert.deepEqual(fileWritersIn('import { type FileHandle, stat } from "node:fs/promises";'), []);
  assert.deepEqual(fileWritersIn('import type { Stats } from "fs";'), []);
  for (const text of ['import * as fs from "fs";', 'import fs from "node:fs";', 'await import("node:fs")'])
    assert.deepEqual(fileWritersIn(text), ["*"]);
  assert.deepEqual(fileWritersIn('require("fs").writeFileSync'), ["*"]);
  assert.ok(usesEditor.test("vscode.workspace.fs.writeFile(uri, bytes)"));
});

test("whether the editor has accepted an edit is always used", () => {
  const ignored = sources.filter(({ text }) => /^\s*(?:await|void) vscode\.workspace\.applyEdit/m.test(text));
  assert.deepEqual(
    ignored.map(({ file }) => file),
    [],
  );
});
