import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { userFile } from "../../../../../../src/tools/mcp/client/config/userFile.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

function folderWith(state: unknown): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "globalStorage"));
  writeFileSync(join(folder, "globalStorage/storage.json"), JSON.stringify(state));
  return folder;
}

test("the file of the profile that belongs to the workspace is read", async () => {
  const folder = folderWith({
    userDataProfiles: [
      { location: "3a1b", name: "Mine" },
      { location: "77", name: "Shared", useDefaultFlags: { mcp: true } },
      { location: "../x", name: "No name" },
    ],
    profileAssociations: {
      workspaces: { "file:///a": "3a1b", "file:///b": "77", "file:///c": "gone", "file:///d": "../x" },
    },
  });
  const usual = join(folder, "mcp.json");
  assert.equal(await userFile(folder, "file:///a"), join(folder, "profiles/3a1b/mcp.json"));
  for (const other of ["file:///b", "file:///c", "file:///d", "file:///e", "constructor", undefined])
    assert.equal(await userFile(folder, other), usual, other);
});

test("without the editor's note it is the usual file", async () => {
  const empty = temporaryFolder();
  for (const folder of [empty, folderWith(7), folderWith({ profileAssociations: [] })])
    assert.equal(await userFile(folder, "file:///a"), join(folder, "mcp.json"));
});
