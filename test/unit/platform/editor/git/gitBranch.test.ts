import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { detachedHead, readGitBranch } from "../../../../../src/platform/editor/git/gitBranch.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

function repository(head: string): string {
  const root = temporaryFolder();
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git", "HEAD"), head);
  return root;
}

test("reads the branch from the root and from a folder inside", async () => {
  const root = repository("ref: refs/heads/feature/größe\n");
  const inner = join(root, "packages", "one");
  mkdirSync(inner, { recursive: true });
  assert.equal(await readGitBranch(root), "feature/größe");
  assert.equal(await readGitBranch(inner), "feature/größe");
});

test("names a detached HEAD as such", async () => {
  assert.equal(await readGitBranch(repository(`${"0a".repeat(20)}\n`)), detachedHead);
  assert.equal(await readGitBranch(repository(`${"0a".repeat(32)}\n`)), detachedHead);
});

test("follows the file of a worktree or a submodule, relative or absolute", async () => {
  const root = repository("ref: refs/heads/main\n");
  const own = join(root, ".git", "worktrees", "fix");
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "HEAD"), "ref: refs/heads/fix\r\n");
  for (const named of [own, "../.git/worktrees/fix"]) {
    const tree = join(root, `tree-${named.length}`);
    mkdirSync(tree);
    writeFileSync(join(tree, ".git"), `gitdir: ${named}\n`);
    assert.equal(await readGitBranch(tree), "fix", named);
  }
});

test("agrees with git about a new repository, a worktree and a detached HEAD", async () => {
  const root = temporaryFolder();
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], {
      cwd: root,
      stdio: "pipe",
    });
  git("init", "-q", "-b", "trunk");
  assert.equal(await readGitBranch(root), "trunk", "before the first commit");
  git("commit", "-q", "--allow-empty", "-m", "one");
  git("worktree", "add", "-q", "-b", "side", join(root, "side"));
  assert.equal(await readGitBranch(join(root, "side")), "side");
  git("checkout", "-q", "--detach");
  assert.equal(await readGitBranch(root), detachedHead);
});

test("reads no branch outside of a repository, or from files of another form", async () => {
  assert.equal(await readGitBranch(join(temporaryFolder(), "missing")), undefined);
  for (const head of ["", "ref: refs/tags/v1\n", "nonsense", "x".repeat(1_000_000), "\0".repeat(5000)])
    assert.equal(await readGitBranch(repository(head)), undefined, head.slice(0, 20));
  const root = temporaryFolder();
  for (const file of [
    "gitdir: //host/share\n",
    "gitdir: \\\\host\\share\n",
    "gitdir: \n",
    "gitdir: .git\n",
    "",
  ]) {
    writeFileSync(join(root, ".git"), file);
    assert.equal(await readGitBranch(root), undefined, file);
  }
});

test("doesn't wait for a pipe", async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, ".git"));
  execFileSync("mkfifo", [join(root, ".git", "HEAD")]);
  assert.equal(await readGitBranch(root), undefined);
});
