// Commands of an acting subagent in the real sandbox: what they change comes back as hunks, and nothing else is reached.
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CommandSandbox } from "../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import { environment } from "../../../../../../src/shared/names/ids.ts";
import { gitIn, openWorkspace } from "./actingKit.ts";
import { base, isOn, openSandboxed, sandboxDeps } from "./sandboxKit.ts";

const run = (command: string, more: object = {}) => ["run_command", { command, ...more }] as const;
const unasked = async () => assert.fail("asked");

test("without a sandbox there is no command, and the reason is told", async () => {
  const missing = new CommandSandbox({ ...sandboxDeps, programs: ["/no/bwrap"] });
  const { act } = openWorkspace({ "a.txt": "a\n" }, "", { sandbox: missing });
  const { tree } = await act();
  assert.ok(!tree.tools.some(({ name }) => name === "run_command"));
  assert.match(tree.noCommands ?? "", /^(bubblewrap is not installed|this system has no.*)$/);
  await tree.remove();
  const off = openWorkspace({ "a.txt": "a\n" }, "", {
    sandbox: new CommandSandbox({ ...sandboxDeps, isWanted: () => false }),
  });
  const other = await off.act();
  assert.match(other.tree.noCommands ?? "", /switched off/);
  await other.tree.remove();
});

if (isOn) {
  test("what commands change, make, delete and move comes back as hunks, which a rewind takes back", async () => {
    const { act, changes, made, read, root, state, leftOver, type } = openSandboxed({
      "a.txt": "one\ntwo\nthree\n",
      "b.txt": "one\n",
      "gone.txt": "gone\n",
      "old name.txt": "moved\n",
      "src/deep/move.txt": "with its folder\n",
      "typed.txt": "saved\n",
      "run.sh": "#!/bin/sh\nfor i in 1 2 3; do echo $i >made/$i.txt; done\n",
      ".gitignore": "*.log\n/dist/\n",
    });
    chmodSync(join(root, "run.sh"), 0o755);
    type("typed.txt", "typed\n");
    const before = state();
    const { call, merge, tree } = await act();
    await call("edit_file", { path: "b.txt", edits: [{ old_text: "one", new_text: "ONE" }] });
    const said = await call(...run("sed -i s/two/TWO/ a.txt && cat b.txt typed.txt"));
    assert.match(said, /^ONE\ntyped\nExit code 0\.\nChanged by it: a\.txt\.$/);
    await call(...run("sed -i s/typed/formatted/ typed.txt && rm gone.txt"));
    await call(...run("mv 'old name.txt' new.txt && mv src lib && mkdir made && ./run.sh"));
    await call(...run("echo x >x.log; mkdir dist && echo y >dist/y.js && chmod +x a.txt"));
    assert.match(await call("read_file", { path: "a.txt" }), /TWO/);
    // A tool changes what a command has made, and a command what a tool has.
    await call("edit_file", { path: "made/1.txt", edits: [{ old_text: "1", new_text: "one" }] });
    await call(...run("echo more >>made/1.txt && cat x.log", { cwd: "." }));
    assert.match(await call(...run("cat 1.txt", { cwd: "made" })), /^one\nmore\n/);
    assert.equal(read("a.txt"), "one\ntwo\nthree\n", "the workspace is as it was");
    assert.match(await merge(), /^9 changes of it are in the workspace/);
    await tree.remove();
    assert.equal(read("a.txt"), "one\nTWO\nthree\n");
    assert.equal(read("made/1.txt"), "one\nmore\n");
    assert.deepEqual(changes.files.map(({ kind, path }) => `${kind} ${path}`).toSorted(), [
      "changed a.txt",
      "changed b.txt",
      "changed typed.txt",
      "created made/1.txt",
      "created made/2.txt",
      "created made/3.txt",
      "deleted gone.txt",
      "moved lib/deep/move.txt",
      "moved new.txt",
    ]);
    assert.ok(!existsSync(join(root, "x.log")) && !existsSync(join(root, "dist")));
    await changes.rewind(made, unasked);
    assert.deepEqual(
      ["a.txt", "b.txt", "gone.txt", "old name.txt", "src/deep/move.txt", "typed.txt"].map(read),
      ["one\ntwo\nthree\n", "one\n", "gone\n", "moved\n", "with its folder\n", "saved\n"],
    );
    assert.deepEqual(changes.files, []);
    assert.deepEqual(state(), before);
    assert.deepEqual(leftOver(), []);
  });

  test("a command that fails, and one that is ended by its time limit, are told with what they have changed", async () => {
    const { act } = openSandboxed({ "a.txt": "a\n" });
    const { call, tree } = await act();
    assert.match(await call(...run("echo b >a.txt; exit 7")), /^Exit code 7\.\nChanged by it: a\.txt\.$/);
    assert.match(
      await call(...run("echo c >a.txt; sleep 1000", { timeout_seconds: 1 })),
      /^It was ended after 1 s\.\nChanged by it: a\.txt\.$/,
    );
    assert.equal(tree.changedText(), "changed a.txt");
    await tree.remove();
  });

  test("links, what is behind them, devices, secrets and files that programs run do not come back", async () => {
    const { act, read, root, leftOver } = openSandboxed({
      "a.txt": "a\n",
      "b.bin": Buffer.from([0, 255, 1]),
      "docs/c.txt": "c\n",
      "package.json": "{}\n",
    });
    const secret = join(base, "kept.txt");
    writeFileSync(secret, "canary\n");
    const { call, refusal, merge, tree } = await act();
    const said = await call(
      ...run(
        `ln -sf '${secret}' a.txt; rm -r docs; mkdir -p real; ln -s '${base}' docs; mkfifo pipe; ln -s '${secret}' new.txt; ` +
          `echo '{"x":1}' >package.json; echo k >.env; printf '\\000\\377' >b.bin; mkdir -p .husky sub/.git; echo x >.husky/pre-commit; ` +
          "echo x >sub/.git/config; echo fine >fine.txt",
      ),
    );
    assert.match(said, /Changed by it: docs\/c\.txt \(deleted\), b\.bin, fine\.txt \(new\)\./);
    assert.match(said, /a\.txt is no regular file/);
    // The tools of the subagent never follow what a command has planted.
    assert.match(await call("read_file", { path: "a.txt" }), /a$/m);
    assert.match(await refusal("read_file", { path: "new.txt" }), /no file/i);
    assert.match(await refusal("read_file", { path: "docs/kept.txt" }), /no file/i);
    assert.doesNotMatch(await call("search_workspace", { query: "canary" }), /:1/);
    await call("edit_file", { path: "a.txt", edits: [{ old_text: "a", new_text: "edited" }] });
    await call("write_file", { path: "docs/kept.txt", text: "overwritten\n" });
    assert.match(await call(...run("cat a.txt docs/kept.txt; ls -ld docs")), /^edited\noverwritten\nd/);
    assert.equal(readFileSync(secret, "utf8"), "canary\n");
    const merged = await merge();
    await tree.remove();
    assert.match(merged, /Not taken over, as data:\n```\n/);
    for (const name of [".env", ".husky/pre-commit", "package.json"])
      assert.ok(merged.includes(`\n${name} `), `${name}: ${merged}`);
    assert.equal(read("package.json"), "{}\n");
    assert.equal(read("a.txt"), "edited\n");
    assert.deepEqual(readdirSync(root).toSorted(), [
      ".git",
      "a.txt",
      "b.bin",
      "docs",
      "fine.txt",
      "package.json",
    ]);
    assert.deepEqual(readdirSync(join(root, "docs")), ["kept.txt"]);
    assert.deepEqual(leftOver(), []);
  });

  test("a file becomes a folder and a folder a file; places are swapped; folders without permissions are no deletion", async () => {
    const { act, read, root, changes, leftOver } = openSandboxed({
      "a.txt": "a\n",
      "d/x.txt": "x\n",
      "b.txt": "b\n",
      "e/y.txt": "y\n",
    });
    const { call, merge, tree } = await act();
    await call(...run("mv a.txt t && mkdir a.txt && mv t a.txt/a.txt && mv d/x.txt t && rmdir d && mv t d"));
    await call(...run("mv b.txt t && mv d b.txt && mv t d && chmod 000 e"));
    const said = await merge();
    await tree.remove();
    assert.doesNotMatch(said, /e\/y\.txt/);
    assert.equal(read("e/y.txt"), "y\n");
    assert.deepEqual(leftOver(), []);
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    assert.deepEqual(["a.txt", "d/x.txt", "b.txt"].map(read), ["a\n", "x\n", "b\n"], said);
    assert.ok(existsSync(root));
  });

  test("it writes nothing elsewhere, reaches no network and no process, and Git works there without being written", async () => {
    const workspace = openSandboxed({ "my app/a.txt": "a\n", "top.txt": "t\n" }, "my app");
    const { act, root, state, storage, git, leftOver } = workspace;
    const before = state();
    const other = await act();
    const outside = join(base, "outside.txt");
    const repository = join(root, "../.git");
    const [otherRoot = ""] = readdirSync(join(storage, "worktrees"))
      .map((name) => join(storage, "worktrees", name, "commands"))
      .filter((place) => existsSync(place));
    const { call, tree } = await act();
    const server = createServer((socket) => socket.end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    process.env[environment.key] = "key-canary";
    try {
      const before2 = readFileSync(join(repository, "config"), "utf8");
      for (const line of [
        `echo x >'${outside}'`,
        `echo x >'${root}/a.txt'`,
        `echo x >'${repository}/hooks/pre-commit'`,
        `echo x >>'${repository}/config'`,
        `echo x >"$(git rev-parse --absolute-git-dir)/commondir"`,
        `echo x >"$(git rev-parse --absolute-git-dir)/config.worktree"`,
        "git config core.fsmonitor /bin/false",
        "git checkout -b evil",
        "git add -A",
        "mv ../.git ../x",
        `echo "gitdir: /tmp/evil" >../.git`,
        `echo x >'${otherRoot}/x'`,
        `cat /proc/${process.pid}/environ`,
        `kill -0 ${process.pid}`,
        `'${process.execPath}' -e 'require("net").connect(${port},"127.0.0.1").once("connect",()=>process.exit(0)).once("error",()=>process.exit(1))'`,
      ])
        assert.doesNotMatch(await call(...run(line)), /Exit code 0/, line);
      assert.equal(readFileSync(join(repository, "config"), "utf8"), before2);
      assert.doesNotMatch(await call(...run("env; cat /proc/[0-9]*/environ")), /key-canary/);
      assert.match(
        await call(...run("echo b >a.txt; git status --porcelain; git diff")),
        /^ M .*a\.txt[\s\S]*\+b/m,
      );
      assert.match(await refusalOf(call(...run("ls", { cwd: "../.." }))), /no folder/);
      await call(...run(`ln -s '${root}' way`));
      assert.match(await refusalOf(call(...run("ls", { cwd: "way" }))), /no folder/);
    } finally {
      delete process.env[environment.key];
      server.close();
    }
    assert.ok(!existsSync(outside));
    await tree.remove();
    await other.tree.remove();
    assert.deepEqual(state(), before);
    assert.equal(git("branch", "--list", "evil"), "");
    assert.deepEqual(leftOver(), []);
  });

  test("what a command has made of the ignore rules and of repositories runs nothing on the host, and ends", async () => {
    const { act, root, storage, leftOver } = openSandboxed({ "a.txt": "a\n" });
    const ran = join(storage, "ran");
    const { call, tree } = await act();
    const evil = `mkdir -p HEAD.d objects refs hooks && echo 'ref: refs/heads/main' >HEAD && printf '[core]\\n\\tfsmonitor = touch ${ran}\\n\\tworktree = /\\n' >config`;
    assert.match(await call(...run(evil)), /Exit code 0/);
    assert.match(
      await call(...run(`git init -q sub && git -C sub config core.fsmonitor 'touch ${ran}'; echo b >a.txt`)),
      /a\.txt/,
    );
    assert.match(
      await call(...run("printf '*\\n' >.gitignore; echo c >a.txt; echo new >new.txt")),
      /Changed by it: a\.txt\./,
    );
    assert.ok(!existsSync(ran));
    assert.equal(gitIn(root, "status", "--porcelain"), "");
    await tree.remove();
    assert.deepEqual(leftOver(), []);
  });

  test("whether Git shows no secrets is asked of the true repository, outside of the sandbox, and never of a planted one", async () => {
    for (const at of ["", "my app"]) {
      const { act, storage } = openSandboxed({ [join(at, "a.txt")]: "a\n" }, at);
      const ran = join(storage, `ran ${at}`);
      const { call, tree } = await act();
      const tool = tree.tools.find(({ name }) => name === "run_command") ?? assert.fail();
      const reads = async (command: string) => (await tool.covers?.({ command })[0]?.reads?.()) === true;
      await call(...run("echo b >>a.txt"));
      assert.equal(await reads("git diff"), true, at);
      const program = `printf '#!/bin/sh\\ntouch "${ran}"\\n' >x.sh; chmod +x x.sh`;
      const configure = (file: string) =>
        `git config -f ${file} core.fsmonitor "'$PWD/x.sh'"; git config -f ${file} filter.x.clean "'$PWD/x.sh'"`;
      const bare =
        "git init -q --bare p && mv p/* . && git config -f config core.bare false && git config -f config core.worktree .";
      await call(...run(`${program}; ${bare}; ${configure("config")}; echo '* filter=x' >.gitattributes`));
      await reads("git diff");
      assert.ok(!existsSync(ran), `${at}: a folder without .git`);
      const repository = `rm -rf HEAD objects refs; git init -q . && git add a.txt; ${configure(".git/config")}; echo c >>a.txt`;
      const said = await call(...run(repository));
      assert.equal(await reads("git diff"), at === "", said);
      assert.ok(!existsSync(ran), `${at}: a repository of its own`);
      await tree.remove();
    }
  });

  test("output without end is bounded, and a stop ends the whole process tree and removes the copy", async () => {
    const { act, leftOver } = openSandboxed({ "a.txt": "a\n" });
    const { call, tree } = await act();
    const many = await call(...run("head -c 5000000 /dev/zero | tr '\\0' x; echo; echo end"));
    assert.ok(many.length < 2_100_000, String(many.length));
    assert.match(many, /characters were left out[\s\S]*end\nExit code 0\.$/);
    const stopping = new AbortController();
    const begun = Promise.withResolvers<() => { readonly output?: string | undefined }>();
    const line =
      "for i in 1 2 3; do setsid sleep 1000 & done; echo ready; echo b >a.txt; while :; do sleep 1000; done";
    const running = call(...run(line), stopping.signal, (soFar) => begun.resolve(soFar));
    const soFar = await begun.promise;
    while (!soFar().output?.includes("ready")) await nextTurn();
    const place = cwds().filter((cwd) => cwd.startsWith(base));
    assert.ok(place.length > 0);
    stopping.abort(new Error("stopped"));
    await assert.rejects(running, /stopped/);
    assert.deepEqual(
      cwds().filter((cwd) => cwd.startsWith(base)),
      [],
    );
    // One that still runs when its subagent ends.
    const second = Promise.withResolvers<() => { readonly output?: string | undefined }>();
    const left = call(...run(line), undefined, (given) => second.resolve(given));
    const seen = await second.promise;
    while (!seen().output?.includes("ready")) await nextTurn();
    const [ended] = await Promise.all([refusalOf(left), tree.remove()]);
    assert.match(ended, /has ended/);
    assert.deepEqual(
      cwds().filter((cwd) => cwd.startsWith(base)),
      [],
    );
    assert.deepEqual(leftOver(), []);
  });

  test("whether a line only reads is judged by the copy, not by the workspace", async () => {
    const { act, root } = openSandboxed({ "a.txt": "a\n", "src/b.txt": "b\n" });
    const { call, tree } = await act();
    const tool = tree.tools.find(({ name }) => name === "run_command") ?? assert.fail();
    const reads = async (command: string) => {
      await tool.prepare?.({ command });
      return (await tool.covers?.({ command })[0]?.reads?.()) === true;
    };
    assert.equal(await reads("cat src/b.txt"), true);
    await call(...run("ln -sf /etc/passwd a.txt && ln -s /etc etc"));
    assert.equal(await reads("cat a.txt"), false);
    assert.equal(await reads("cat etc/passwd"), false);
    symlinkSync("/etc/hostname", join(root, "later.txt"));
    assert.equal(await reads("cat src/b.txt"), true);
    assert.deepEqual(tool.scopes?.({ command: "npm test" }), ["npm test"]);
    assert.deepEqual(tool.scopes?.({ command: "npm test", cwd: "src" }), ["npm test (in src)"]);
    assert.match(tool.limits?.({}) ?? "", /In a sandbox: writes only in the subagent's copy/);
    await tree.remove();
  });
}

function refusalOf(calling: Promise<string>): Promise<string> {
  return calling.then(
    (text) => assert.fail(text),
    (error: Error) => error.message,
  );
}

/** The working folders of all processes. */
function cwds(): readonly string[] {
  return readdirSync("/proc").flatMap((id) => {
    try {
      return /^\d+$/.test(id) ? [readlinkSync(`/proc/${id}/cwd`)] : [];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}
