// Ignored folders of dependencies in the real sandbox: commands of a subagent read them, write nothing there, and leave nothing.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { CommandSandbox } from "../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import {
  plannedFolders,
  type ShownFolder,
} from "../../../../../../src/chat/host/tools/commands/sandbox/shownFolders.ts";
import { base, isOn, openSandboxed, sandboxDeps } from "./sandboxKit.ts";

const run = (command: string, more: object = {}) => ["run_command", { command, ...more }] as const;
const ignored = ".gitignore";
const rules = "node_modules\n/dist/\n.env\n.venv\nvendor\n";

if (isOn) {
  test("npm test runs with the packages of the workspace, in a package of its own, too", async () => {
    const { act, put, read, root, git } = openSandboxed({
      [ignored]: rules,
      "package.json": JSON.stringify({ scripts: { test: "adds" }, type: "module" }),
      "add.js": "export const add = (a, b) => a - b;\n",
      "add.test.js":
        'import { add } from "./add.js";\nimport { same } from "same";\nimport "inner";\nsame(add(1, 2), 3);\n',
      "packages/inner/package.json": '{"name":"inner","type":"module","main":"index.js"}\n',
      "packages/inner/index.js": 'import { same } from "own";\nsame(1, 1);\n',
    });
    const same = `export const same = (a, b) => { if (a !== b) throw new Error(a + " is not " + b); };\n`;
    put({
      "node_modules/same/package.json": '{"type":"module","main":"index.js"}',
      "node_modules/same/index.js": same,
      "node_modules/adds/run.sh": "#!/bin/sh\nexec node add.test.js\n",
      "packages/inner/node_modules/own/package.json": '{"type":"module","main":"index.js"}',
      "packages/inner/node_modules/own/index.js": same,
      ".env": "SECRET=canary\n",
      "dist/out.js": "built\n",
    });
    mkdirSync(join(root, "node_modules/.bin"));
    symlinkSync("../adds/run.sh", join(root, "node_modules/.bin/adds"));
    // As in a workspace of many packages: it must be that of the copy.
    symlinkSync("../packages/inner", join(root, "node_modules/inner"));
    chmodSync(join(root, "node_modules/adds/run.sh"), 0o755);
    const before = git("status", "--porcelain");
    const { call, merge, tree } = await act();
    const tool = tree.tools.find(({ name }) => name === "run_command") ?? assert.fail();
    assert.match(
      tool.description,
      /only these folders are there.*: node_modules, packages\/inner\/node_modules\./,
    );
    assert.match(await call(...run("npm test")), /-1 is not 3[\s\S]*Exit code 1\./);
    await call("edit_file", { path: "add.js", edits: [{ old_text: "a - b", new_text: "a + b" }] });
    assert.match(await call(...run("npm test")), /Exit code 0\.$/);
    // The package of the subagent is what its own dependencies are read with.
    await call("write_file", { path: "packages/inner/index.js", text: 'throw new Error("of the copy");\n' });
    assert.match(await call(...run("npm test")), /of the copy/);
    assert.match(await call(...run("ls -a")), /^(?![\s\S]*(\.env|dist))[\s\S]*node_modules/);
    await merge();
    await tree.remove();
    assert.equal(read("add.js"), "export const add = (a, b) => a + b;\n");
    assert.equal(before, "");
    assert.match(git("status", "--porcelain"), /^ M add\.js\n M packages\/inner\/index\.js\n$/);
  });

  test("a tool that makes its cache there in the first run finds an empty one, and the workspace keeps none", async () => {
    const { act, root, put } = openSandboxed({ "a.txt": "a\n", ".gitignore": "node_modules/\n" });
    put({ "node_modules/vite/i.js": "", "node_modules/typescript/i.js": "" });
    const { call, tree } = await act();
    const caches = [".vite/deps", ".vite-temp", ".tmp"].map((name) => `node_modules/${name}`).join(" ");
    assert.match(
      await call(...run(`mkdir -p ${caches} && echo x >node_modules/.tmp/tsbuildinfo`)),
      /Exit code 0/,
    );
    assert.doesNotMatch(await call(...run("mkdir node_modules/.other")), /Exit code 0/);
    assert.deepEqual(readdirSync(join(root, "node_modules")).toSorted(), ["typescript", "vite"]);
    await tree.remove();
  });

  test("nothing is written there but the caches of a command, and nothing of it comes back", async () => {
    const { act, put, root, git, leftOver } = openSandboxed({
      [ignored]: rules,
      "a.txt": "a\n",
      "p/b.txt": "b\n",
    });
    put({ "node_modules/x/i.js": "x\n", "p/node_modules/y/i.js": "y\n", ".venv/bin/tool": "t\n" });
    mkdirSync(join(root, "node_modules/.cache"));
    writeFileSync(join(root, "node_modules/.cache/kept"), "kept\n");
    const { call, merge, tree } = await act();
    for (const line of [
      "echo evil >node_modules/x/i.js",
      "echo evil >node_modules/new.js",
      "rm -rf node_modules",
      "mv node_modules n",
      "rm node_modules/x/i.js",
      "chmod 777 node_modules/x",
      "ln node_modules/x/i.js linked.js",
      "ln -s ../a.txt node_modules/link",
      "ln -sf /tmp node_modules",
      "mkdir .venv/lib",
      "ls node_modules/.cache/kept",
    ])
      assert.doesNotMatch(await call(...run(line)), /Exit code 0/, line);
    assert.match(
      await call(...run("echo 1 >node_modules/.cache/new && cat node_modules/.cache/new")),
      /^1\nExit code 0/,
    );
    assert.match(await call(...run("ls node_modules/.cache")), /^Exit code 0/);
    // Without its rule the folder is not the subagent's either.
    assert.match(
      await call(
        ...run("echo >.gitignore; git status --porcelain --untracked-files=all; cp -r node_modules/x taken"),
      ),
      /\?\? node_modules[\s\S]*Changed by it: \.gitignore, taken\/i\.js \(new\)\.$/,
    );
    assert.doesNotMatch(await call(...run("echo more >a.txt")), /node_modules/);
    assert.doesNotMatch(await merge(), /node_modules/);
    await tree.remove();
    assert.deepEqual(
      ["node_modules", "node_modules/x", "node_modules/.cache", "p/node_modules/y", ".venv"].map((one) =>
        readdirSync(join(root, one)),
      ),
      [[".cache", "x"], ["i.js"], ["kept"], ["i.js"], ["bin"]],
    );
    assert.equal(readFileSync(join(root, "node_modules/x/i.js"), "utf8"), "x\n");
    assert.equal(git("diff", "--name-only"), ".gitignore\na.txt\n");
    assert.deepEqual(leftOver(), []);
  });

  test("a folder of secrets under such a name is not there, nor is what a link leads to", async () => {
    const hidden = mkdtempSync(join(base, "hidden-"));
    writeFileSync(join(hidden, "key"), "canary\n");
    mkdirSync(join(hidden, "vendor"));
    writeFileSync(join(hidden, "vendor/key"), "canary\n");
    const { act, put, root } = openSandboxed({ [ignored]: rules, "a.txt": "a\n" });
    put({ "node_modules/x/i.js": "x\n", ".env": "canary\n" });
    symlinkSync(hidden, join(root, ".venv"));
    symlinkSync("../.env", join(root, "node_modules/secret"));
    const { call, tree } = await act();
    assert.doesNotMatch(await call(...run("ls -A .venv; cat .venv/key node_modules/secret")), /canary/);
    await tree.remove();
    const shown = (from: string): readonly ShownFolder[] => [{ from, at: "/at" }];
    const planned = (folders: readonly ShownFolder[], unseen: readonly string[]) =>
      plannedFolders(folders, unseen, []);
    assert.equal(planned(shown(join(root, "node_modules")), [hidden]).length, 1);
    assert.deepEqual(planned(shown(join(hidden, "vendor")), [hidden]), []);
    assert.deepEqual(planned(shown(join(root, "node_modules")), [join(root, "node_modules/x")]), []);
    // A link to a folder of the same name is what worktrees have; to another name it is a trap.
    mkdirSync(join(hidden, "of"));
    symlinkSync(join(root, "node_modules"), join(hidden, "of/node_modules"));
    symlinkSync(root, join(hidden, "of/vendor"));
    assert.equal(planned(shown(join(hidden, "of/node_modules")), [])[0]?.from, join(root, "node_modules"));
    assert.deepEqual(planned(shown(join(hidden, "of/vendor")), []), []);
  });

  test("a folder that is replaced after it was looked at is not shown, and the command is not run", async () => {
    const folder = mkdtempSync(join(base, "replaced-"));
    const [from, at, writable] = [
      join(folder, "node_modules"),
      join(folder, "copy/node_modules"),
      join(folder, "copy"),
    ];
    for (const one of [from, at, join(folder, "other")]) mkdirSync(one, { recursive: true });
    writeFileSync(join(from, "i.js"), "x\n");
    writeFileSync(join(folder, "other/i.js"), "canary\n");
    const sandbox = new CommandSandbox({ ...sandboxDeps, workspaceFolders: () => [writable] });
    await sandbox.ready();
    const { words } = sandbox.wrap(writable, { network: false, repository: false }, [{ from, at }]);
    const [file, ...args] = [...words, "cat", "node_modules/i.js"];
    const read = () => spawnSync(file ?? "", args, { encoding: "utf8" });
    assert.equal(read().stdout, "x\n");
    renameSync(from, join(folder, "former"));
    symlinkSync("other", from);
    const { status, stdout, stderr } = read();
    assert.deepEqual([status, stdout], [126, ""]);
    assert.match(stderr, /was replaced, so the command was not run/);
    sandbox.dispose();
  });

  test("a socket in such a folder is not reached", async () => {
    const { act, put, root } = openSandboxed({ [ignored]: rules, "a.txt": "a\n" });
    put({ "node_modules/x/i.js": "x\n" });
    const socket = join(root, "node_modules/x/s");
    const server = createServer((one) => one.end("canary"));
    server.listen(socket);
    await once(server, "listening");
    const { call, tree } = await act();
    try {
      for (const path of [socket, "node_modules/x/s"])
        assert.doesNotMatch(
          await call(
            ...run(
              `'${process.execPath}' -e 'require("net").connect(process.argv[1]).on("data",(d)=>console.log(String(d))).on("error",()=>process.exit(1))' '${path}'`,
            ),
          ),
          /canary|Exit code 0/,
        );
    } finally {
      server.close();
      await tree.remove();
    }
  });

  test("a line that reads there asks if it may lead to secrets, to other places or out of the folder", async () => {
    const { act, put, root } = openSandboxed({ [ignored]: rules, "a.txt": "a\n", "p/b.txt": "b\n" });
    put({
      "node_modules/x/i.js": "x\n",
      "node_modules/y/i.js": "y\n",
      "node_modules/y/.env": "canary\n",
      "p/node_modules/z/i.js": "z\n",
    });
    symlinkSync("/etc/passwd", join(root, "node_modules/link"));
    symlinkSync("/etc", join(root, "node_modules/etc"));
    symlinkSync("../a.txt", join(root, "node_modules/a"));
    const { call, tree } = await act();
    const tool = tree.tools.find(({ name }) => name === "run_command") ?? assert.fail();
    const reads = async (command: string) => {
      await tool.prepare?.({ command });
      return (await tool.covers?.({ command })[0]?.reads?.()) === true;
    };
    const check = async () => {
      for (const line of [
        "cat node_modules/x/i.js",
        "grep -r x node_modules/x p",
        "ls node_modules",
        "cat a.txt",
      ])
        assert.equal(await reads(line), true, line);
      for (const line of [
        "cat node_modules/link",
        "cat node_modules/etc/passwd",
        "ls node_modules/etc",
        // What is there is that of the copy, where a command may have put a link.
        "cat node_modules/a",
        "cat node_modules/none",
        "cat node_modules/y/.env",
        "grep -r x node_modules",
        "grep -r x .",
        "grep -r x",
      ])
        assert.equal(await reads(line), false, line);
    };
    await check();
    await call(...run("ln -s node_modules/link l; ln -s node_modules d; ln -s p q"));
    await check();
    for (const line of ["cat l", "ls l", "cat d/link", "cat d/x/i.js", "grep -r y d/"])
      assert.equal(await reads(line), false, line);
    assert.equal(await reads("grep -r z q/"), true);
    assert.ok(existsSync(join(root, "node_modules")));
    await tree.remove();
  });
}
