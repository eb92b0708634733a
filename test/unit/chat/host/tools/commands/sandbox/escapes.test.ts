// Known ways out of a sandbox, each tried by a command inside of it, and outside of it, where it succeeds.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type ListenOptions } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { CommandSandbox } from "../../../../../../../src/chat/host/tools/commands/sandbox/commandSandbox.ts";
import type { SandboxAccess } from "../../../../../../../src/chat/host/tools/commands/sandbox/sandboxPlan.ts";
import { startProgram } from "../../../../../../../src/platform/process/program.ts";
import { environment } from "../../../../../../../src/shared/names/ids.ts";
import { installBubblewrap } from "../../../../../../tools/installBubblewrap.ts";
import { cacheDirectory } from "../../../../../../tools/paths.ts";

await installBubblewrap();

// Not in the folder of temporary files, which the sandbox does not show.
mkdirSync(cacheDirectory(), { recursive: true });
const base = realpathSync(mkdtempSync(join(cacheDirectory(), "escapes-")));
const [workspace, outside, hidden] = ["workspace", "outside", "hidden"].map((name) => join(base, name)) as [
  string,
  string,
  string,
];
const sandbox = new CommandSandbox({
  isWanted: () => true,
  workspaceFolders: () => [workspace],
  writableFolders: () => [],
  hidden: [hidden],
});
after(() => {
  sandbox.dispose();
  rmSync(base, { recursive: true, force: true });
});
const state = await sandbox.ready();
const none: SandboxAccess = { network: false, repository: false };

/** Makes the files anew: a workspace with a repository and settings, and files outside of it. */
function prepare(): void {
  for (const folder of [workspace, outside, hidden]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  for (const name of [".git/hooks", ".git/objects", ".git/refs/heads", ".vscode", "src"])
    mkdirSync(join(workspace, name), { recursive: true });
  writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(workspace, ".git/config"), "[core]\n\trepositoryformatversion = 0\n");
  writeFileSync(join(workspace, ".vscode/tasks.json"), "{}");
  writeFileSync(join(workspace, ".envrc"), "");
  writeFileSync(join(outside, "kept.txt"), "kept\n");
  symlinkSync(outside, join(workspace, "way-out"));
  writeFileSync(join(hidden, "window.json"), "token-canary");
}

/** The contents of all files that a command must not change. */
function guarded(): Readonly<Record<string, string>> {
  const places = [
    outside,
    ...[".git/hooks", ".git/config", ".vscode", ".envrc"].map((name) => join(workspace, name)),
  ];
  return Object.fromEntries(places.flatMap(contentsOf));
}

/** Paths with contents; a folder has the paths in it. */
function contentsOf(place: string): readonly (readonly [string, string])[] {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (found?.isDirectory())
    return [[place, "folder"], ...readdirSync(place).flatMap((name) => contentsOf(join(place, name)))];
  return [[place, found === undefined ? "missing" : readFileSync(place, "utf8")]];
}

const secrets = {
  [environment.key]: "key-canary",
  SSH_AUTH_SOCK: "/agent-canary",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/bus-canary",
  VSCODE_IPC_HOOK_CLI: "/hook-canary",
  DISPLAY: ":canary",
};

/** Runs a command line; resolves to its output and exit code. */
async function run(line: string, access: SandboxAccess | undefined, env: NodeJS.ProcessEnv = {}) {
  const sandboxed = access && sandbox.wrap(workspace, access);
  const words = [...(sandboxed?.words ?? []), "/bin/sh", "-c", line] as [string, ...string[]];
  const place = { folder: workspace, env: { ...process.env, ...secrets, ...env } };
  const program = startProgram(words, place, "ignore", { hasMonitor: sandboxed !== undefined });
  const texts = [program.child.stdout, program.child.stderr].map(async (stream) =>
    Buffer.concat((await stream?.toArray()) ?? []).toString(),
  );
  const { code } = await program.ended;
  sandboxed?.release();
  return { code, text: (await Promise.all(texts)).join("") };
}

/** A program of Node in one line. It is quoted for the shell. */
const node = (code: string) => `'${process.execPath}' -e '${code}'`;
const connect = (to: string) =>
  node(
    `require("net").connect(${to}).once("connect",()=>{console.log("ESCAPED");process.exit()}).once("error",(e)=>console.log(e.code))`,
  );

/** Each prints ESCAPED, or changes a guarded file, if it succeeds. */
const escapes: Readonly<Record<string, string>> = {
  "an absolute path": `echo x >'${outside}/new.txt'`,
  "a path with ..": "echo x >../outside/new.txt",
  "a link that is there": "echo x >way-out/new.txt",
  "a new link": `ln -s '${outside}' link && echo x >link/new.txt`,
  "a hard link": `ln '${outside}/kept.txt' hard && echo x >>hard`,
  "a move from outside": `mv '${outside}/kept.txt' moved.txt`,
  "a move over a file outside": `mv src '${outside}/src'`,
  "the root of a process": `echo x >'/proc/self/root${outside}/new.txt'`,
  "the working folder of the editor": `cat /proc/${process.pid}/cwd/package.json >/dev/null && echo ESCAPED`,
  "the root of the editor": `ls /proc/${process.pid}/root/ >/dev/null && echo ESCAPED`,
  "the environment of the editor": `cat /proc/${process.pid}/environ >/dev/null && echo ESCAPED`,
  "the memory of the editor": `head -c 0 /proc/${process.pid}/mem && echo ESCAPED`,
  "a signal to the editor": `kill -0 ${process.pid} && echo ESCAPED`,
  "a hook of Git": "echo x >.git/hooks/pre-commit",
  "the configuration of Git": "echo x >>.git/config",
  "another repository in its place": "mv .git old && mkdir -p .git/hooks && echo x >.git/hooks/pre-commit",
  "a task of the editor": "echo x >.vscode/tasks.json",
  "other settings in their place": "mv .vscode old && mkdir .vscode && echo x >.vscode/tasks.json",
  "a file that a shell runs": "echo x >.envrc",
  "removed settings": "rm -rf .vscode",
  "folders of another window": `grep -r token-canary '${hidden}' && echo ESCAPED`,
};

if (state.isOn) {
  for (const [name, line] of Object.entries(escapes))
    test(`no way out: ${name}`, async () => {
      prepare();
      const before = guarded();
      const { text } = await run(line, none);
      assert.ok(!text.includes("ESCAPED"), text);
      assert.deepEqual(guarded(), before, text);
      // The same without the sandbox succeeds, so the test sees it.
      prepare();
      const free = await run(line, undefined);
      assert.ok(free.text.includes("ESCAPED") || JSON.stringify(guarded()) !== JSON.stringify(before), name);
    });

  test("no key, agent or socket of the session is in its environment, or in that of a process that it sees", async () => {
    prepare();
    const all = "env; cat /proc/[0-9]*/environ | tr '\\0' '\\n'";
    const { text } = await run("env", none);
    assert.ok(!text.includes("canary"), text);
    const seen = await run(all, none);
    assert.ok(!seen.text.includes("key-canary"), seen.text);
  });

  test("it has no capabilities, gets none, and makes no name spaces or mounts", async () => {
    prepare();
    const status = await run("grep -E '^(Cap(Prm|Eff|Bnd|Amb)|NoNewPrivs)' /proc/self/status", none);
    assert.deepEqual(
      status.text
        .trim()
        .split("\n")
        .map((row) => row.split(":\t")[1]),
      [...Array<string>(4).fill("0000000000000000"), "1"].toSorted((a, b) => b.length - a.length),
    );
    for (const line of [
      "unshare -Urm true",
      "unshare -m true",
      "mount -t tmpfs none src",
      "mount -o remount,rw /",
      "umount .git/hooks",
      "chroot / true",
    ])
      assert.notEqual((await run(line, none)).code, 0, line);
  });

  test("it traces no process of the session", async () => {
    prepare();
    const call = { x64: 101, arm64: 117 }[process.arch as string];
    assert.ok(call !== undefined, `the number of ptrace is not known for ${process.arch}`);
    const seize = (id: string) => `print "SEIZED" if syscall(${call}, 0x4206, ${id}, 0, 0) == 0;`;
    // It may trace its own: so the test sees that tracing works.
    const own = `perl -e '$id = fork; if (!$id) { sleep 100; exit } ${seize("$id")} kill 9, $id'`;
    assert.match((await run(own, undefined)).text, /SEIZED/);
    assert.equal((await run(`perl -e '${seize(String(process.pid))}'`, none)).text, "");
  });

  test("it reaches no TCP, UDP, DNS and no socket by path or by abstract name; with network it reaches TCP", async () => {
    prepare();
    const received: string[] = [];
    const udp = createSocket("udp4", (message) => received.push(String(message)));
    udp.bind(0, "127.0.0.1");
    await once(udp, "listening");
    const listen = async (options: ListenOptions) => {
      const server = createServer((socket) => socket.on("error", () => {}).end());
      server.listen(options);
      await once(server, "listening");
      return server;
    };
    const servers = [
      await listen({ port: 0, host: "127.0.0.1" }),
      await listen({ path: join(outside, "agent.sock") }),
      await listen({ path: `\0inference-escapes-${process.pid}` }),
    ];
    const address = servers[0]?.address();
    const port = typeof address === "object" ? address?.port : 0;
    const ways = [
      connect(`{port:${port},host:"127.0.0.1"}`),
      connect(`{path:"${outside}/agent.sock"}`),
      connect(`{path:"\\0inference-escapes-${process.pid}"}`),
    ];
    try {
      for (const way of ways) {
        assert.doesNotMatch((await run(way, none)).text, /ESCAPED/, way);
        assert.match((await run(way, undefined)).text, /ESCAPED/, way);
      }
      const send = (text: string) =>
        node(
          `const s=require("dgram").createSocket("udp4");s.send("${text}",${udp.address().port},"127.0.0.1",()=>s.close())`,
        );
      await run(send("inside"), none);
      const arrived = once(udp, "message");
      await run(send("free"), undefined);
      await arrived;
      assert.deepEqual(received, ["free"]);
      const lookup = node(`require("dns").lookup("example.org",(e)=>console.log(e?e.code:"ESCAPED"))`);
      assert.doesNotMatch((await run(lookup, none)).text, /ESCAPED/);
      assert.match((await run(ways[0] ?? "", { network: true, repository: false })).text, /ESCAPED/);
      assert.doesNotMatch((await run(ways[1] ?? "", { network: true, repository: false })).text, /ESCAPED/);
    } finally {
      for (const server of servers) server.close();
      udp.close();
    }
  });

  test("folders of sockets are empty", async () => {
    prepare();
    const { text } = await run(
      "ls /run/user /run/docker.sock /run/dbus /tmp/.X11-unix 2>&1 | grep -v 'No such'",
      none,
    );
    assert.equal(text, "");
  });

  test("a link with a guarded name, which a command has made, shows nothing that the sandbox hides", async () => {
    prepare();
    const socket = createServer((one) => one.on("error", () => {}).end());
    const folder = mkdtempSync("/run/inference-escapes-");
    try {
      socket.listen({ path: join(folder, "agent.sock") });
      await once(socket, "listening");
      const look = `ls '${folder}' && echo ESCAPED`;
      for (const target of ["/", "/run", folder, "/proc/self/root", "..", "."]) {
        await run(`rm -f .evil && ln -s '${target}' .evil`, none);
        assert.doesNotMatch((await run(look, none)).text, /ESCAPED/, target);
        assert.equal((await run("echo x >src/a.txt", none)).code, 0, target);
      }
      assert.match((await run(look, undefined)).text, /ESCAPED/);
    } finally {
      socket.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("it types nothing into the terminal in which it runs", async () => {
    prepare();
    const type = `perl -e 'ioctl(STDOUT, 0x5412, "x") and print "ESCAPED"' || true; (: </dev/tty) 2>/dev/null && echo ESCAPED`;
    const inTerminal = async (access: SandboxAccess | undefined) => {
      const sandboxed = access && sandbox.wrap(workspace, access);
      const words = [...(sandboxed?.words ?? []), "/bin/sh", "-c", type];
      const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
      const child = spawn("script", ["-qec", line, "/dev/null"], { stdio: ["ignore", "pipe", "inherit"] });
      const text = Buffer.concat(await child.stdout.toArray()).toString();
      sandboxed?.release();
      return text;
    };
    assert.doesNotMatch(await inTerminal(none), /ESCAPED/);
    assert.match(await inTerminal(undefined), /ESCAPED/);
  });

  test("what the editor would look at at once can't be made, and nothing is left of the places", async () => {
    prepare();
    for (const name of [".git", ".vscode"]) rmSync(join(workspace, name), { recursive: true });
    const { text } = await run(
      "mkdir -p .git/hooks; echo x >.git/config; echo x >.vscode/tasks.json; rmdir .vscode; ls -A .git .vscode",
      none,
    );
    assert.match(text, /Read-only file system/);
    assert.deepEqual(readdirSync(workspace).sort(), [".envrc", "src", "way-out"]);
  });

  test("a command that ends leaves the places of one that runs", async () => {
    prepare();
    rmSync(join(workspace, ".vscode"), { recursive: true });
    const [first, second] = [sandbox.wrap(workspace, none), sandbox.wrap(workspace, none)];
    second.release();
    assert.ok(existsSync(join(workspace, ".vscode")));
    first.release();
    assert.ok(!existsSync(join(workspace, ".vscode")));
  });

  test("with the repository, Git's own files are written, and what makes Git run programs is not", async () => {
    prepare();
    const access = { network: false, repository: true };
    assert.notEqual((await run("echo x >.git/HEAD.new", none)).code, 0);
    assert.equal((await run("echo x >.git/HEAD.new && mv .git/HEAD.new .git/NEW", access)).code, 0);
    const before = guarded();
    for (const line of [
      "echo x >.git/hooks/pre-commit",
      "echo x >>.git/config",
      "rm .git/config",
      "mv .git old && mkdir -p .git/hooks && echo x >.git/hooks/a",
      "mv .git/hooks .git/old",
    ]) {
      assert.notEqual((await run(line, access)).code, 0, line);
      assert.deepEqual(guarded(), before, line);
    }
  });

  test("it writes the workspace and its own temporary files, which the next command finds, and keeps exit codes", async () => {
    prepare();
    const written = await run("echo one >src/a.txt && echo two >/tmp/b.txt && echo $TMPDIR && exit 7", none);
    assert.deepEqual(written, { code: 7, text: "/tmp\n" });
    assert.equal((await run("cat src/a.txt /tmp/b.txt", none)).text, "one\ntwo\n");
    assert.ok(!existsSync("/tmp/b.txt"));
  });

  test("nothing outlives it, whether it ends or is stopped, however many processes it has", async () => {
    prepare();
    const many = "for i in 1 2 3 4 5 6 7 8 9 10; do setsid sleep 1000 & done";
    for (const isStopped of [false, true]) {
      const sandboxed = sandbox.wrap(workspace, none);
      const words = [
        ...sandboxed.words,
        "/bin/sh",
        "-c",
        `${many}; echo ready; ${isStopped ? "wait" : "true"}`,
      ];
      const place = { folder: workspace, env: process.env };
      const program = startProgram(words as [string, ...string[]], place, "ignore", { hasMonitor: true });
      await once(program.child.stdout ?? assert.fail(), "data");
      if (isStopped) program.signal("SIGKILL");
      await program.ended;
      while (readdirSync("/proc").some(runsHere)) await setImmediate();
      sandboxed.release();
    }
  });

  test("a command that is asked to end has time for it", async () => {
    prepare();
    const sandboxed = sandbox.wrap(workspace, none);
    const line = "trap 'echo tidied; exit 3' TERM; echo ready; while :; do sleep 0.05; done";
    const words = [...sandboxed.words, "/bin/sh", "-c", line];
    const place = { folder: workspace, env: process.env };
    const program = startProgram(words as [string, ...string[]], place, "ignore", { hasMonitor: true });
    const { stdout } = program.child;
    let text = "";
    stdout?.on("data", (piece) => {
      text += piece;
      if (text === "ready\n") program.signal("SIGTERM");
    });
    assert.equal((await program.ended).code, 3);
    assert.equal(text, "ready\ntidied\n");
    sandboxed.release();
  });
} else
  test("where no sandbox works, the reason is said", () => {
    assert.match(
      state.missing?.reason ?? "",
      /^(bubblewrap is not installed|\S+ does not work here|this system has no.*)$/,
    );
  });

/** True for a process that runs in the workspace. */
function runsHere(id: string): boolean {
  try {
    return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`) === workspace;
  } catch {
    return false; // It has ended meanwhile.
  }
}
