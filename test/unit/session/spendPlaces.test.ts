import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { temporaryFolder } from "../temporaryFolder.ts";
import { double } from "../vscodeDouble.ts";

const { createSpendPlaces } = await import("../../../src/session/spendPlaces.ts");

function folderOn(branch: string, scheme = "file") {
  const path = temporaryFolder();
  mkdirSync(join(path, ".git"));
  writeFileSync(join(path, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
  const uri = { path, fsPath: path, scheme, authority: "" };
  return { name: branch.toUpperCase(), uri, index: 0 };
}

const before = { workspace: { ...double.workspace }, extensions: { ...double.extensions } };
after(() => {
  Object.assign(double.workspace, before.workspace);
  Object.assign(double.extensions, before.extensions);
});

type Folder = ReturnType<typeof folderOn>;

/** A workspace of these folders; `git` is the git extension. */
function wear(folders: readonly Folder[] | undefined, git?: unknown) {
  Object.assign(double.workspace, {
    workspaceFolders: folders,
    getWorkspaceFolder: ({ path }: { readonly path: string }) =>
      folders?.find(({ uri }) => path.startsWith(`${uri.path}/`)),
  });
  double.extensions.getExtension = (id?: string) => (id === "vscode.git" ? git : undefined);
  return createSpendPlaces();
}

const inactive = {
  isActive: false,
  activate: () => assert.fail("git was activated"),
  get exports() {
    return assert.fail("an inactive extension has no API");
  },
};
const active = (repositories: readonly unknown[], enabled = true) => ({
  isActive: true,
  exports: { enabled, getAPI: () => ({ repositories }) },
});

test("the folder of the resource, else the first one, with the branch of its files", async () => {
  const [one, two] = [folderOn("one"), folderOn("two")];
  const place = wear([one, two], inactive);
  assert.deepEqual(await place(`${two.uri.path}/a.ts`), { folder: "TWO", branch: "two" });
  assert.deepEqual(await place("/elsewhere/a.ts"), { folder: "ONE", branch: "one" });
  assert.deepEqual(await place(undefined), { folder: "ONE", branch: "one" });
  assert.deepEqual(await wear(undefined, inactive)("/a.ts"), {});
});

test("an active git extension is asked instead, for the innermost repository around the folder", async () => {
  const folder = folderOn("file");
  const at = (path: string, HEAD: unknown) => ({ rootUri: { ...folder.uri, path }, state: { HEAD } });
  const outer = at("/", { name: "outer" });
  const place = (...repositories: readonly unknown[]) => wear([folder], active(repositories))(undefined);
  assert.deepEqual(
    await place(outer, at(folder.uri.path, { name: "api" }), at(`${folder.uri.path}/in`, { name: "in" })),
    {
      folder: "FILE",
      branch: "api",
    },
  );
  assert.equal((await place(at(folder.uri.path, { commit: "abc" }))).branch, "detached HEAD");
  assert.equal((await place(at(`${folder.uri.path}-2`, { name: "sibling" }))).branch, "file");
  assert.equal((await wear([folder], active([outer], false))(undefined)).branch, "file", "git is disabled");
});

test("a folder of another file system, or an API that fails, gives the folder alone", async () => {
  assert.deepEqual(await wear([folderOn("remote", "vscode-vfs")], inactive)(undefined), { folder: "REMOTE" });
  const broken = { isActive: true, exports: { enabled: true, getAPI: () => assert.fail("broken") } };
  assert.deepEqual(await wear([folderOn("main")], broken)(undefined), { folder: "MAIN" });
});
