import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { judgeLine } from "../../../../../../../src/chat/host/tools/commands/approval/lineParts.ts";

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

/** One or more for each option that writes, runs a program, follows links, reads a list of names, or does not end. */
const dangerous = [
  ...[
    "ls -L",
    "ls --dereference",
    "cat -u",
    "cat -l a.txt",
    "head --zero-terminated a.txt",
    "tail -f a.txt",
    "tail -F a.txt",
    "tail --follow a.txt",
  ],
  ...[
    "tail --pid=1 a.txt",
    "tail --retry a.txt",
    "wc --files0-from=a.txt",
    "nl --help",
    "cut --zz a.txt",
    "tr a",
  ].filter((line) => line !== "tr a"),
  ...[
    "sort -o a.txt a.txt",
    "sort -oa.txt a.txt",
    "sort -no a.txt a.txt",
    "sort --output=a.txt a.txt",
    "sort --output a.txt",
    "sort --outp=a.txt a.txt",
  ],
  ...[
    "sort -T /tmp a.txt",
    "sort --compress-program=x a.txt",
    "sort --files0-from=a.txt",
    "sort -S 9G a.txt",
    "sort --random-source=x a.txt",
  ],
  ...[
    "uniq a.txt b.txt",
    "uniq -c a.txt b.txt",
    "grep -R x src",
    "grep --dereference-recursive x src",
    "grep -f a.txt src/b.ts",
  ],
  ...[
    "grep --file=a.txt src/b.ts",
    "grep -S x src",
    "grep -P x a.txt",
    "grep -z x a.txt",
    "grep -D read x a.txt",
    "grep -d recurse x src",
  ],
  ...[
    "rg --pre x one src",
    "rg --pre=x one src",
    "rg -z one src",
    "rg --search-zip one src",
    "rg -L one src",
    "rg --follow one src",
    "rg -f a.txt src",
  ],
  ...[
    "rg --hidden one src",
    "rg -u one src",
    "rg -uuu one src",
    "rg -. one src",
    "rg --no-ignore one src",
    "rg -g .env one src",
    "rg --glob=.env one src",
  ],
  ...[
    "rg --iglob=x one src",
    "rg --hostname-bin=x one src",
    "rg --ignore-file=x one src",
    "rg --files",
    "rg --type-add=x one src",
  ],
  ...[
    "find . -exec rm x",
    "find . -execdir x",
    "find . -ok x",
    "find . -okdir x",
    "find . -delete",
    "find . -fprint a",
    "find . -fprintf a b",
  ],
  ...[
    "find . -fls a",
    "find . -fprint0 a",
    "find -L . -name x",
    "find -H . -name x",
    "find . -follow",
    "find -files0-from a.txt",
    "find . -newer /etc/passwd",
  ],
  ...[
    "find . -samefile /etc/passwd",
    "find -D exec .",
    "find . -lname x",
    "find . -name x ../",
    "diff -r src lib",
    "diff --recursive src lib",
  ],
  ...[
    "diff --to-file=a.txt lib",
    "diff --from-file=a.txt lib",
    "diff -l a.txt src/b.ts",
    "diff -X a.txt src lib",
    "diff --label=x a.txt src/b.ts",
  ],
  ...[
    "diff -S x src lib",
    "diff -D x a.txt src/b.ts",
    "file -f a.txt",
    "file -m x a.txt",
    "file -C",
    "file -z a.txt",
    "file -s a.txt",
    "file -L link.txt",
  ],
  ...[
    "stat -L link.txt",
    "stat --dereference link.txt",
    "du -L src",
    "du --files0-from=a.txt",
    "du -X a.txt",
    "du --exclude-from=a.txt",
  ],
  ...[
    "tree -o x",
    "tree -l",
    "tree --fromfile",
    "tree -R",
    "date -s x",
    "date --set=x",
    "date 01010000",
    "date -f a.txt",
    "date --file=a.txt",
    "date -r .env",
  ],
  ...[
    "date -d x",
    "readlink -z x",
    "which -x",
    "uname x",
    "hostname x",
    "pwd x",
    "whoami x",
    "cat --unknown a.txt",
    "echo '\\033]0;x'",
    "nproc x",
  ],
  ...[
    "node --eval",
    "node -v a.js",
    "node --version a.js",
    "sh --version",
    "x --version",
    "env --version",
    "npm --versions",
  ],
  ...[
    "git -c core.pager=x log",
    "git -C .. log",
    "git --git-dir=x log",
    "git --exec-path=x log",
    "git -p log",
    "git log --output=x",
    "git log --output x",
  ],
  ...[
    "git log --ext-diff",
    "git log -p --ext-diff",
    "git log --textconv",
    "git log --show-signature",
    "git log '--format=%G?'",
    "git log -L 1,2:a.txt",
  ],
  ...[
    "git log --pretty='%GK'",
    "git log -c -p",
    "git log --cc",
    "git log -m -p",
    "git log --stdin",
    "git log --follow -p a.txt",
    "git log -z -p -G x --outp=y",
  ],
  ...[
    "git diff --output=x",
    "git diff --output x",
    "git diff --ext-diff",
    "git diff --textconv",
    "git diff --no-index a.txt src/b.ts",
    "git diff -O x",
  ],
  ...[
    "git diff -Ox",
    "git diff --ignore-submodules",
    "git diff --submodule=diff",
    "git diff --outpu=x",
    "git show --output=x",
    "git show --textconv",
  ],
  ...[
    "git show --ext-diff",
    "git show --show-signature",
    "git show '--format=%G?'",
    "git status -v",
    "git status --verbose",
    "git status -vv",
  ],
  ...[
    "git blame --contents=.env a.txt",
    "git blame --contents .env a.txt",
    "git blame --textconv a.txt",
    "git blame --ignore-revs-file=x a.txt",
  ],
  ...[
    "git branch x",
    "git branch -d main",
    "git branch -D main",
    "git branch -m x",
    "git branch -c x",
    "git branch --edit-description",
    "git branch -u x",
  ],
  ...[
    "git branch -f main HEAD",
    "git tag x",
    "git tag -d x",
    "git tag -l x",
    "git tag -a",
    "git remote -v",
    "git remote add x y",
    "git config -l",
  ],
  ...[
    "git config --get user.name",
    "git stash",
    "git stash list",
    "git fetch",
    "git pull",
    "git push",
    "git grep x",
    "git ls-remote",
    "git archive HEAD",
  ],
  ...[
    "git rev-parse --parseopt",
    "git rev-parse --git-path x",
    "git rev-parse --exec",
    "git ls-files -z",
    "git ls-files --with-tree=x",
    "git ls-files -X a.txt",
  ],
  ...[
    "git describe --contains",
    "git cat-file -p HEAD:.env",
    "git reflog",
    "git bisect log",
    "git difftool",
    "git help",
    "git --version x",
    "git",
  ],
  ...[
    "cat a.txt > out.txt",
    "echo x > out.txt",
    "ls >> a.txt",
    "cat a.txt | tee b.txt",
    "ls | xargs rm",
    "cat a.txt | sh",
    "ls && rm a.txt",
    "./ls",
    "/bin/ls",
  ],
  ...[
    "rm a.txt",
    "touch x",
    "printenv",
    "env",
    "set",
    "ps aux",
    "less a.txt",
    "more a.txt",
    "jq . a.txt",
    "sed -n 1p a.txt",
    "awk x a.txt",
    "xxd a.txt b",
    "curl x",
  ],
];

test("an option or a program that could do more asks", async (t) => {
  const { reads } = openPlace(t);
  for (const line of dangerous) assert.ok(!(await reads(line)), line);
  assert.ok(dangerous.length > 200);
});

test("another folder than that of the workspace may be a repository that runs programs, and a program of the workspace another one", async (t) => {
  const { folder } = openPlace(t);
  const place = { folder: join(folder, "src"), roots: [folder] };
  const read = (line: string) => judgeLine(place, line)?.parts[0]?.reads;
  assert.ok(await read("cat b.ts")?.());
  assert.equal(read("git status"), undefined);
  assert.equal(read("cat ../a.txt"), undefined);
  writeFileSync(join(folder, "ls"), "#!/bin/sh\n");
  chmodSync(join(folder, "ls"), 0o755);
  const { PATH = "" } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
  });
  assert.ok(judgeLine({ folder, roots: [folder] }, "ls")?.parts[0]?.reads);
  for (const path of [`${folder}:${PATH}`, `.:${PATH}`, `${PATH}:`]) {
    process.env.PATH = path;
    assert.equal(judgeLine({ folder, roots: [folder] }, "ls")?.parts[0]?.reads, undefined, path);
  }
});
