import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { judgeLine } from "../../../../../../../src/chat/host/tools/commands/approval/lineParts.ts";
import { dangerousLines } from "./dangerousLines.ts";

/** A repository with a secret that is tracked, one that is not, and links that lead out. */
function openPlace(t: TestContext) {
  const above = realpathSync(mkdtempSync(join(tmpdir(), "reading-")));
  t.after(() => rmSync(above, { recursive: true, force: true }));
  const folder = join(above, "app");
  for (const path of ["src/deep", "keys", "lib", ".config", "twins/a", "twins/b"])
    mkdirSync(join(folder, path), { recursive: true });
  for (const path of [
    "a.txt",
    "src/b.ts",
    "src/deep/c.ts",
    "keys/server.pem",
    "lib/d.ts",
    ".config/e",
    "twins/a/x",
    "twins/b/x",
  ])
    writeFileSync(join(folder, path), "one\n");
  writeFileSync(join(above, "outside.txt"), "x");
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], {
      cwd: folder,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  git("add", "a.txt", "src", "lib");
  git("commit", "-q", "-m", "one");
  writeFileSync(join(folder, "server.key"), "secret");
  git("add", "server.key");
  git("commit", "-q", "-m", "secret");
  git("rm", "-q", "--cached", "server.key");
  git("commit", "-q", "-m", "gone");
  writeFileSync(join(folder, "a.txt"), "two\n");
  git("commit", "-q", "-am", "two");
  writeFileSync(join(folder, ".env"), "KEY=x");
  symlinkSync(above, join(folder, "up"));
  symlinkSync(join(above, "outside.txt"), join(folder, "link.txt"));
  symlinkSync(join(folder, ".env"), join(folder, "env.txt"));
  symlinkSync("a.txt", join(folder, "inside.txt"));
  const place = { folder, roots: [folder] };
  /** True if a line runs unasked where reading does. */
  const reads = async (line: string) => {
    const parts = judgeLine(place, line)?.parts ?? [];
    const held = await Promise.all(parts.map(({ reads }) => reads?.() ?? false));
    return held.length > 0 && held.every((one) => one);
  };
  return { folder, place, reads };
}

test("programs that only read run unasked with paths of the workspace", async (t) => {
  const { folder, reads } = openPlace(t);
  for (const line of [
    ...[
      "ls",
      "ls -la src",
      "ls -R keys",
      "cat a.txt",
      `cat ${folder}/a.txt`,
      "cat inside.txt",
      "cat missing.txt",
      "head -n 5 a.txt",
    ],
    ...[
      "head -5 a.txt",
      "tail -20 a.txt",
      "wc -l a.txt src/b.ts",
      "grep -n one a.txt",
      "grep -rn one src",
      "grep -e /etc/x a.txt",
    ],
    ...[
      "grep -rn --include=*.ts one src".replace("*", "'*'"),
      "grep /etc/passwd a.txt",
      "grep -A 3 one a.txt",
      "rg one src",
      "rg -n -C 2 one lib",
    ],
    ...[
      "find . -name '*.ts' -not -path './keys/*'",
      "find src -type f",
      "sort a.txt",
      "sort -k 2 -rn a.txt",
      "uniq -c a.txt",
    ],
    ...[
      "diff a.txt src/b.ts",
      "diff -u a.txt lib/d.ts",
      "file a.txt",
      "stat a.txt",
      "du -sh src",
      "pwd",
      "echo a b",
      "which node",
    ],
    ...[
      "date",
      "date '+%Y'",
      "uname -a",
      "node --version",
      "cargo --version",
      "cut -d , -f 1 a.txt",
      "wc -l < a.txt",
      "cat a.txt 2>/dev/null",
    ],
    ...[
      "sed -n 1,20p a.txt",
      "sed -n '5,$p' a.txt",
      "sed -n '1p;3,4p' a.txt src/b.ts",
      "cat a.txt | sed -n 2,3p",
      "git --no-pager diff HEAD~1 --stat",
      "git --no-pager log --oneline -5",
      'grep -n "one\\|two" a.txt',
      'grep -rn "a\\.b(\\"c" src',
      "find . \\( -name '*.ts' -o -name '*.js' \\) -type f",
      "node -v",
    ],
    ...["cat a.txt | grep one | wc -l", "ls && cat a.txt; pwd", "git log --oneline -5 | head -3"],
    ...[
      "git status",
      "git status -sb",
      "git diff",
      "git diff HEAD~1",
      "git diff HEAD~1..HEAD -- a.txt",
      "git diff --stat",
      "git diff --cached",
    ],
    ...[
      "git log",
      "git log --oneline -n 5",
      "git log -p -1",
      "git log -S one --oneline",
      "git show",
      "git show HEAD:a.txt",
      "git show --stat HEAD~3",
    ],
    ...[
      "git branch -a",
      "git branch --show-current",
      "git rev-parse HEAD",
      "git ls-files src",
      "git blame a.txt",
      "git describe --always",
    ],
  ])
    assert.ok(await reads(line), line);
});

test("a path outside, of secrets, of Git's own files, or through a link asks", async (t) => {
  const { reads } = openPlace(t);
  for (const line of [
    ...[
      "cat /etc/passwd",
      "cat ../outside.txt",
      "cat src/../../outside.txt",
      "cat .env",
      "cat env.txt",
      "cat link.txt",
      "cat up/outside.txt",
    ],
    ...[
      "cat up/missing.txt",
      "cat ~/.ssh/id_rsa",
      "cat keys/server.pem",
      "cat .git/config",
      "cat .git/HEAD",
      "cat .GIT/config",
      "head -5 .env",
    ],
    ...[
      "ls /",
      "ls ..",
      "ls up/",
      "find /",
      "find ../",
      "find up/",
      "du -sh ..",
      "stat /etc/passwd",
      "file ../outside.txt",
    ],
    ...[
      "grep x .env",
      "grep -e x /etc/passwd",
      "grep x a.txt -A /etc/passwd",
      "grep a.txt -e x /etc/passwd",
      "grep --regexp=x /etc/passwd",
    ],
    ...[
      "grep -r x",
      "grep -r x .",
      "grep -rn x keys",
      "grep -r x .git",
      "rg x",
      "rg x keys",
      "rg x up",
      "rg x .env",
      "rg -e x /etc",
    ],
    ...[
      "sort .env",
      "uniq .env",
      "diff .env a.txt",
      "diff a.txt /etc/passwd",
      "diff twins/a twins/b",
      "diff keys a.txt",
      "wc -l < .env",
    ],
    ...[
      "wc -l < ../outside.txt",
      "cat < link.txt",
      "cat a.txt /etc/passwd",
      "cat -- /etc/passwd",
      "ls -- ..",
      "cat +5",
      "cat ''",
    ],
    ...[
      "git show HEAD~2",
      "git show HEAD~2:server.key",
      "git show HEAD:.env",
      "git log -p",
      "git log --patch --all",
      "git diff HEAD~2..HEAD~1",
    ],
    ...[
      "git diff /etc/passwd a.txt",
      "git diff ../outside.txt a.txt",
      "git blame .env",
      "git blame ../x",
      "git show ':/secret'",
      "git show 'HEAD^{/secret:x}'",
    ],
    ...[
      "git show ':(top).env'",
      "git log -p -- server.key",
      "git diff HEAD~2 -- server.key",
      "git diff HEAD~3:server.key HEAD:a.txt",
      "git diff nonsense",
    ],
  ])
    assert.ok(!(await reads(line)), line);
});

test("an option or a program that could do more asks", async (t) => {
  const { reads } = openPlace(t);
  for (const line of dangerousLines) assert.ok(!(await reads(line)), line);
  assert.ok(dangerousLines.length > 200);
});

test("another folder than that of the workspace may be a repository that runs programs, and a program of the workspace another one", async (t) => {
  const { folder } = openPlace(t);
  const place = { folder: join(folder, "src"), roots: [folder] };
  const read = (line: string) => judgeLine(place, line)?.parts[0]?.reads;
  assert.ok(await read("cat b.ts")?.());
  assert.equal(read("git status"), undefined);
  assert.equal(read("cat ../a.txt"), undefined);
  for (const name of ["ls", "sed"]) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  const runsUnasked = (line: string) =>
    judgeLine({ folder, roots: [folder] }, line)?.parts.every(({ reads }) => reads !== undefined) ?? false;
  const { PATH = "" } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
  });
  assert.ok(runsUnasked("ls") && runsUnasked("cat a.txt | sed -n 1,3p"));
  for (const path of [`${folder}:${PATH}`, `.:${PATH}`, `${PATH}:`]) {
    process.env.PATH = path;
    for (const line of ["ls", "cat a.txt | sed -n 1,3p", "cat a.txt | sed -n 1p"])
      assert.ok(!runsUnasked(line), `${line} with ${path}`);
  }
});

test("rg reads a folder unasked if none of the files that it searches is a secret, however many are ignored", async (t) => {
  const { folder, reads } = openPlace(t);
  assert.equal(await reads("rg one"), false, "keys are searched");
  writeFileSync(join(folder, ".gitignore"), "/keys\n/server.key\n/many\n");
  mkdirSync(join(folder, "many"));
  for (let at = 0; at <= 20_000; at++) linkSync(join(folder, "a.txt"), join(folder, "many", `${at}.pem`));
  for (const line of ["rg one", "rg -n one .", "rg one src .", "rg one | head -3"])
    assert.equal(await reads(line), true, line);
  // An explicit path is searched although it is ignored.
  for (const line of [
    "rg one keys",
    "rg one many",
    "rg one .",
    "rg --pre x one",
    "rg -u one",
    "rg -L one",
    "rg --hidden one",
  ])
    assert.equal(await reads(line), line === "rg one .", line);
  // Rules of its own take back those of Git.
  writeFileSync(join(folder, ".ignore"), "!/keys\n");
  assert.equal(await reads("rg one"), false);
  rmSync(join(folder, ".ignore"));
  const former = process.env.RIPGREP_CONFIG_PATH;
  process.env.RIPGREP_CONFIG_PATH = join(folder, "a.txt");
  t.after(() => {
    if (former === undefined) delete process.env.RIPGREP_CONFIG_PATH;
    else process.env.RIPGREP_CONFIG_PATH = former;
  });
  for (const line of ["rg one", "rg one src"]) assert.equal(await reads(line), false, line);
});
