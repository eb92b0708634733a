// Git inside the sandbox: in a repository, in a folder of one, in a worktree, and beside others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { CommandSandbox } from "../../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import { repositoryOf } from "../../../../../../../src/chat/host/tools/commands/sandbox/repositories.ts";
import { startProgram } from "../../../../../../../src/platform/process/program.ts";
import { installBubblewrap } from "../../../../../../tools/installBubblewrap.ts";
import { cacheDirectory } from "../../../../../../tools/paths.ts";

await installBubblewrap();

mkdirSync(cacheDirectory(), { recursive: true });
const base = realpathSync(mkdtempSync(join(cacheDirectory(), "repositories-")));
after(() => rmSync(base, { recursive: true, force: true }));

const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
const git = (folder: string, ...words: string[]) =>
  execFileSync("git", [...identity, ...words], { cwd: folder, encoding: "utf8", stdio: "pipe" });

/** A repository with a commit, a folder in it and a worktree beside it. */
function prepare(name: string) {
  const repository = join(base, name);
  const [inside, worktree] = [join(repository, "packages/a"), join(base, `${name}-worktree`)];
  mkdirSync(inside, { recursive: true });
  git(repository, "init", "--quiet");
  writeFileSync(join(inside, "a.txt"), "one\n");
  git(repository, "add", ".");
  git(repository, "commit", "--quiet", "-m", "First");
  git(repository, "worktree", "add", "--quiet", worktree);
  return { repository, inside, worktree };
}

/** Runs a line in the sandbox of a workspace folder; undefined without a sandbox. */
async function run(workspace: string, line: string, repository: boolean, folder = workspace) {
  const sandbox = new CommandSandbox({
    isWanted: () => true,
    workspaceFolders: () => [workspace],
    writableFolders: () => [],
    hidden: [],
  });
  try {
    const isOn = (await sandbox.ready()).isOn;
    const sandboxed = isOn ? sandbox.wrap(folder, { network: false, repository }) : undefined;
    const words = [...(sandboxed?.words ?? []), "/bin/sh", "-c", line] as [string, ...string[]];
    const program = startProgram(words, { folder, env: process.env }, "ignore", { hasMonitor: isOn });
    const said = Buffer.concat((await program.child.stderr?.toArray()) ?? []).toString();
    const { code } = await program.ended;
    sandboxed?.release();
    return { code, said, isOn };
  } finally {
    sandbox.dispose();
  }
}

const commit = `git ${identity.join(" ")} commit --quiet --all -m Second`;

test("a commit in a folder of a repository and in a worktree needs the repository, and gets it", async () => {
  const { inside, worktree } = prepare("commits");
  for (const [workspace, file] of [
    [inside, "a.txt"],
    [worktree, "packages/a/a.txt"],
  ] as const) {
    writeFileSync(join(workspace, file), "two\n");
    const refused = await run(workspace, commit, false);
    assert.equal(refused.code === 0, !refused.isOn, refused.said);
    if (!refused.isOn) continue;
    const { code, said } = await run(workspace, commit, true);
    assert.equal(code, 0, said);
    assert.match(git(workspace, "log", "-1", "--format=%s"), /^Second$/m);
    assert.equal(existsSync(join(inside, ".git")), false);
  }
});

test("what makes Git run programs is not written with the repository of a worktree either, and no other worktree", async () => {
  const { repository, worktree } = prepare("guards");
  const other = join(base, "guards-other");
  git(repository, "worktree", "add", "--quiet", other);
  const dot = join(repository, ".git");
  const before = readFileSync(join(dot, "config"), "utf8");
  for (const line of [
    `echo x >'${dot}/hooks/pre-commit'`,
    `echo x >>'${dot}/config'`,
    `echo x >'${dot}/worktrees/guards-worktree/commondir'`,
    `echo x >'${dot}/worktrees/guards-other/HEAD'`,
    `echo x >'${repository}/packages/a/a.txt'`,
  ]) {
    const { code, isOn } = await run(worktree, line, true);
    if (!isOn) return;
    assert.notEqual(code, 0, line);
  }
  assert.equal(readFileSync(join(dot, "config"), "utf8"), before);
});

test("a repository in a subfolder is read only, too, but for a command that may write it", async () => {
  const { worktree } = prepare("nested");
  const nested = join(worktree, "nested");
  mkdirSync(nested);
  git(nested, "init", "--quiet");
  const [head, config] = ["echo x >nested/.git/NEW", "echo x >>nested/.git/config"];
  const { code, isOn } = await run(worktree, head, false);
  if (!isOn) return;
  assert.notEqual(code, 0);
  assert.equal((await run(worktree, head, true)).code, 0);
  assert.notEqual((await run(worktree, config, true)).code, 0);
});

test("a file .git opens no folder that does not know of it", async () => {
  const { repository } = prepare("victim");
  const liar = join(base, "liar");
  mkdirSync(liar);
  for (const place of [
    `${repository}/.git/worktrees/victim-worktree`,
    `${repository}/.git`,
    base,
    "missing",
    "../",
  ]) {
    writeFileSync(join(liar, ".git"), `gitdir: ${place}\n`);
    assert.equal(repositoryOf(liar), undefined, place);
  }
  writeFileSync(join(liar, ".git"), `gitdir: ${"x".repeat(5000)}\n`);
  assert.equal(repositoryOf(liar), undefined);
});
