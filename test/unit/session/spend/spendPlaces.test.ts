import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { replace } from "../../vscodeDouble.ts";

const { createSpendPlaces } = await import("../../../../src/session/spend/spendPlaces.ts");

function folderOn(branch: string, scheme = "file") {
  const path = temporaryFolder();
  mkdirSync(join(path, ".git"));
  writeFileSync(join(path, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);
  const uri = { path, fsPath: path, scheme, authority: "", toString: () => `${scheme}://${path}` };
  return { name: branch.toUpperCase(), uri, index: 0 };
}

type Folder = ReturnType<typeof folderOn>;

/** A workspace of these folders; `git` is the git extension. */
function placesIn(t: TestContext, folders: readonly Folder[] | undefined, git?: unknown) {
  const getWorkspaceFolder = ({ path }: { readonly path: string }) =>
    folders?.find(({ uri }) => path.startsWith(`${uri.path}/`));
  replace("workspace", { workspaceFolders: folders, getWorkspaceFolder }, t);
  replace("extensions", { getExtension: (id?: string) => (id === "vscode.git" ? git : undefined) }, t);
  const placeOf = createSpendPlaces();
  return async (resource: string | undefined, name?: string) => {
    const { folderId: _, ...place } = await placeOf(resource, name);
    return place;
  };
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

test("the folder of the resource, else the first one, with the branch of its files", async (t) => {
  const [one, two] = [folderOn("one"), folderOn("two")];
  const place = placesIn(t, [one, two], inactive);
  assert.deepEqual(await place(`${two.uri.path}/a.ts`), { folder: "TWO", branch: "two" });
  assert.deepEqual(await place("/elsewhere/a.ts"), { folder: "ONE", branch: "one" });
  assert.deepEqual(await place(undefined), { folder: "ONE", branch: "one" });
  assert.deepEqual(await placesIn(t, undefined, inactive)("/a.ts"), {});
});

test("a folder has the same id in each window and by each name, and another one of its name has another", async (t) => {
  const [one, two] = [folderOn("one"), folderOn("one")];
  placesIn(t, [one, two], inactive);
  const placeOf = createSpendPlaces();
  const idOf = async (resource?: string, name?: string) => (await placeOf(resource, name)).folderId;
  const id = await idOf();
  assert.match(id ?? "", /^[0-9a-f]{16}$/);
  assert.equal(await idOf(`${one.uri.path}/a.ts`), id);
  assert.notEqual(await idOf(`${two.uri.path}/a.ts`), id);
  const there = await idOf(two.uri.path, "Theirs");
  assert.equal(await idOf(two.uri.path, "Ours"), there);
  assert.notEqual(await idOf(one.uri.path, "Theirs"), there);
});

test("a folder that another window has open is the place of its calls, with its own branch", async (t) => {
  const [here, elsewhere] = [folderOn("here"), folderOn("there")];
  const place = placesIn(t, [here], inactive);
  assert.deepEqual(await place(elsewhere.uri.path, "Theirs"), { folder: "Theirs", branch: "there" });
  assert.deepEqual(await place("/gone", "Gone"), { folder: "Gone" });
  assert.deepEqual(await placesIn(t, undefined, inactive)(elsewhere.uri.path, "T"), {
    folder: "T",
    branch: "there",
  });
});

test("an active git extension is asked instead, for the innermost repository around the folder", async (t) => {
  const folder = folderOn("file");
  const at = (path: string, HEAD: unknown) => ({ rootUri: { ...folder.uri, path }, state: { HEAD } });
  const outer = at("/", { name: "outer" });
  const place = (...repositories: readonly unknown[]) =>
    placesIn(t, [folder], active(repositories))(undefined);
  assert.deepEqual(
    await place(outer, at(folder.uri.path, { name: "api" }), at(`${folder.uri.path}/in`, { name: "in" })),
    {
      folder: "FILE",
      branch: "api",
    },
  );
  assert.equal((await place(at(folder.uri.path, { commit: "abc" }))).branch, "detached HEAD");
  assert.equal((await place(at(`${folder.uri.path}-2`, { name: "sibling" }))).branch, "file");
  assert.equal(
    (await placesIn(t, [folder], active([outer], false))(undefined)).branch,
    "file",
    "git is disabled",
  );
});

test("a folder of another file system, or an API that fails, gives the folder alone", async (t) => {
  assert.deepEqual(await placesIn(t, [folderOn("remote", "vscode-vfs")], inactive)(undefined), {
    folder: "REMOTE",
  });
  const broken = { isActive: true, exports: { enabled: true, getAPI: () => assert.fail("broken") } };
  assert.deepEqual(await placesIn(t, [folderOn("main")], broken)(undefined), { folder: "MAIN" });
});
