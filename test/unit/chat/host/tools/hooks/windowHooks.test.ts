// Hooks as programs: what they are given, what they may do, and how they end.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readHookFiles } from "../../../../../../src/chat/host/tools/hooks/hookFiles.ts";
import { environment } from "../../../../../../src/shared/names/ids.ts";
import { lineIn, untilEnded } from "../strangeProcesses.ts";
import { beforeCall, openHookPlace, scriptHook } from "./hookKit.ts";

const deny = (reason: string) =>
  JSON.stringify({ hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: reason } });
const print = (text: string) => `process.stdout.write(${JSON.stringify(text)})`;

test("a hook gets the call as JSON, and refuses it with a reason", async () => {
  const place = openHookPlace();
  place.write(
    "guard.js",
    `const call = JSON.parse(require("fs").readFileSync(0, "utf8"));
     require("fs").writeFileSync("seen.json", JSON.stringify(call));
     if (call.tool_input.command.startsWith("rm")) console.error("Nothing is removed here."), process.exit(2);`,
  );
  place.hooks({ PreToolUse: [scriptHook("guard.js")] });
  const says = await place.open().run(beforeCall);
  assert.match(says.refusal ?? "", /^the hook ".*" of \.github\/hooks\/a\.json: Nothing is removed here\.$/);
  assert.deepEqual(JSON.parse(readFileSync(join(place.folder, "seen.json"), "utf8")), {
    timestamp: "2026-11-27T10:00:00.000Z",
    cwd: place.folder,
    ...{ sessionId: "s1", session_id: "s1", hookEventName: "PreToolUse", hook_event_name: "PreToolUse" },
    ...beforeCall.input,
  });
});

test("hooks run one after the other until one refuses, those of the workspace before the user's", async () => {
  const place = openHookPlace();
  place.write("first.js", print(JSON.stringify({ additionalContext: "one" })));
  place.write("second.js", print(deny("two")));
  place.hooks({ PreToolUse: [scriptHook("first.js")] }, "a.json");
  place.hooks({ PreToolUse: [scriptHook("second.js")] }, "b.json");
  place.writeHome(
    ".copilot/hooks/own.json",
    JSON.stringify({ hooks: { PreToolUse: [scriptHook("third.js")] } }),
  );
  place.write("third.js", `require("fs").writeFileSync("ran", "")`);
  const says = await place.open().run(beforeCall);
  assert.match(says.context.join(), /^\(From the hook ".*first.js" of \.github\/hooks\/a\.json\) one$/);
  assert.match(says.refusal ?? "", /second\.js" of \.github\/hooks\/b\.json: two$/);
  assert.equal(existsSync(join(place.folder, "ran")), false);
  place.hooks({}, "b.json");
  await place.open().run(beforeCall);
  assert.equal(existsSync(join(place.folder, "ran")), true);
  assert.deepEqual(
    place.asked.map(({ file }) => file.label),
    [".github/hooks/a.json", ".github/hooks/b.json", "~/.copilot/hooks/own.json"],
  );
});

test("nothing runs and nothing is asked in a workspace that is not trusted, the user's hooks included", async () => {
  const place = openHookPlace();
  place.write("a.js", `require("fs").writeFileSync("ran", "")`);
  place.hooks({ PreToolUse: [scriptHook("a.js")] });
  place.writeHome(".copilot/hooks/own.json", JSON.stringify({ hooks: { PreToolUse: [scriptHook("a.js")] } }));
  place.user.isTrusting = false;
  const hooks = place.open();
  assert.deepEqual(await hooks.run(beforeCall), {
    context: [],
    notes: ["Trust this workspace to run the hooks of .github/hooks."],
  });
  assert.equal(await hooks.has("PreToolUse"), false);
  assert.deepEqual(place.asked, []);
  assert.equal(existsSync(join(place.folder, "ran")), false);
});

test("a hook is allowed once by its content: whatever changes of it asks again", async () => {
  const place = openHookPlace();
  place.write("a.js", "");
  place.write("b.js", "");
  mkdirSync(join(place.folder, "below"));
  const hooks = place.open();
  const asks = async (entry: object, event = "PreToolUse", name = "a.json") => {
    place.asked.length = 0;
    for (const other of ["a.json", "b.json"]) place.hooks({}, other);
    place.hooks({ [event]: [entry] }, name);
    await hooks.run({ ...beforeCall, event: event === "Stop" ? "Stop" : "PreToolUse" });
    return place.asked.length > 0;
  };
  const entry = scriptHook("a.js");
  assert.equal(await asks(entry), true);
  assert.equal(await asks(entry), false);
  assert.equal(await asks({ ...entry, timeout: 5 }), false);
  for (const [what, other, event, name] of [
    ["the command", scriptHook("b.js")],
    ["the folder", { ...entry, cwd: "below" }],
    ["a variable", { ...entry, env: { A: "1" } }],
    ["the event", entry, "Stop"],
    ["the file", entry, "PreToolUse", "b.json"],
  ] as const) {
    assert.equal(await asks(other, event, name), true, what);
    assert.equal(await asks(other, event, name), false, what);
  }
  place.write("a.js", "// changed");
  assert.equal(await asks(entry), true, "a file that it names");
  assert.equal(await asks({ type: "command", command: `true; cat<"a.js"` }), true);
  place.write("a.js", "// changed again");
  assert.equal(await asks({ type: "command", command: `true; cat<"a.js"` }), true, "the same in quotes");
  for (const command of [
    "cat $PWD/below/c.sh",
    'cat "$(git rev-parse --show-toplevel)"/below/c.sh',
    "cat $CLAUDE_PROJECT_DIR/below/c.sh",
    "cd below && cat ./c.sh",
    'cd "$PWD" && cd below; cat c.sh',
  ]) {
    place.write("below/c.sh", "");
    assert.equal(await asks({ type: "command", command }), true, command);
    assert.equal(await asks({ type: "command", command }), false, command);
    place.write("below/c.sh", "changed");
    assert.equal(await asks({ type: "command", command }), true, `a file that ${command} names`);
  }
  await place.consents.revoke(place.consents.all());
  assert.equal(await asks(entry), true, "revoked");
});

test("a hook whose script changes while the user decides asks again, and what was not seen does not run", async () => {
  const place = openHookPlace();
  place.write("a.js", "");
  place.hooks({ PreToolUse: [scriptHook("a.js")] });
  place.user.answer = async () => {
    place.user.answer = async () => false;
    place.write("a.js", `require("fs").writeFileSync("ran", "")`);
    return true;
  };
  const says = await place.open().run(beforeCall);
  assert.equal(place.asked.length, 2);
  assert.match(says.notes.join(), /did not run, because you have not allowed it/);
  assert.equal(existsSync(join(place.folder, "ran")), false);
});

test("a hook that was not allowed is not run, and asks again in another window; calls at once ask once", async () => {
  const place = openHookPlace();
  place.write("a.js", `require("fs").writeFileSync("ran", "")`);
  place.hooks({ PreToolUse: [scriptHook("a.js")] });
  place.user.answer = async () => false;
  const hooks = place.open();
  const both = await Promise.all([hooks.run(beforeCall), hooks.run(beforeCall)]);
  for (const { refusal, notes } of both) {
    assert.equal(refusal, undefined);
    assert.match(notes.join(), /did not run, because you have not allowed it\.$/);
  }
  assert.equal(place.asked.length, 1);
  assert.equal(existsSync(join(place.folder, "ran")), false);
  await place.open().run(beforeCall);
  assert.equal(place.asked.length, 2);
});

test("a question that is closed without an answer allows nothing, and the next call asks again", async () => {
  const place = openHookPlace();
  place.write("a.js", `require("fs").writeFileSync("ran", "")`);
  place.hooks({ PreToolUse: [scriptHook("a.js")] });
  place.user.answer = async () => undefined;
  const hooks = place.open();
  for (const count of [1, 2]) {
    assert.match((await hooks.run(beforeCall)).notes.join(), /you have not allowed it/);
    assert.equal(place.asked.length, count);
  }
  assert.equal(existsSync(join(place.folder, "ran")), false);
});

test("a question of which the user stopped the task is asked again", async () => {
  const place = openHookPlace();
  place.write("a.js", "");
  place.hooks({ PreToolUse: [scriptHook("a.js")] });
  const hooks = place.open();
  const stop = new AbortController();
  place.user.answer = (_, signal) =>
    new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined));
      stop.abort(new Error("stopped"));
    });
  await assert.rejects(hooks.run({ ...beforeCall, signal: stop.signal }), /stopped/);
  place.user.answer = async () => true;
  assert.deepEqual(await hooks.run(beforeCall), { context: [], notes: [] });
  assert.equal(place.asked.length, 2);
});

test("no key and no secret of the window is in the environment of a hook", async () => {
  const place = openHookPlace();
  place.write("a.js", `require("fs").writeFileSync("env.json", JSON.stringify(process.env))`);
  place.hooks({ PreToolUse: [scriptHook("a.js", { env: { LOG: "a.log", [environment.key]: "k" } })] });
  const secrets = {
    [environment.key]: "k",
    GITHUB_TOKEN: "k",
    AWS_SECRET_ACCESS_KEY: "k",
    OPENAI_API_KEY: "k",
    DB_PASSWORD: "k",
    NPM_CONFIG__AUTH: "k",
    GH_PAT: "k",
  };
  await place.open({ env: { ...process.env, ...secrets, MONKEYS: "3", PASSAGE: "4" } }).run(beforeCall);
  const seen = JSON.parse(readFileSync(join(place.folder, "env.json"), "utf8"));
  for (const name of Object.keys(secrets)) assert.equal(seen[name], undefined, name);
  assert.deepEqual([seen.LOG, seen.MONKEYS, seen.PASSAGE], ["a.log", "3", "4"]);
  assert.equal(seen.PATH, process.env.PATH);
});

const linux = { skip: process.platform !== "linux" };

/** A command that starts a process of another session, tells their ids, and prints without end. */
const endless = {
  type: "command",
  command: `setsid sleep 600 & echo "[$$, $!]" > ids.json; while :; do echo x; done`,
};

test(
  "a hook that does not end is ended by its time limit with all that it has started; the call goes on",
  linux,
  async (t) => {
    const place = openHookPlace();
    place.hooks({ PreToolUse: [{ ...endless, timeout: 1.5 }] });
    const { notes, ...others } = await place.open().run(beforeCall);
    assert.deepEqual(others, { context: [] });
    assert.match(
      notes.join(),
      /had not ended after 1\.5 s, so it was ended\. The call went on without it\.$/,
    );
    const file = join(place.folder, "ids.json");
    // A busy machine may not have started it in time.
    const ids: number[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
    for (const id of ids) await untilEnded(id, t);
  },
);

test("Stop ends a hook with all that it has started", linux, async (t) => {
  const place = openHookPlace();
  place.hooks({ PreToolUse: [endless] });
  const stop = new AbortController();
  const running = place.open().run({ ...beforeCall, signal: stop.signal });
  const started: number[] = JSON.parse(await lineIn(join(place.folder, "ids.json"), t));
  stop.abort(new Error("stopped"));
  await assert.rejects(running, /stopped/);
  for (const id of started) await untilEnded(id, t);
});

test("huge output is bounded and not used, and its exit code still counts", async () => {
  const place = openHookPlace();
  place.write("big.js", `process.stdout.write("[" + "1,".repeat(20_000_000))`);
  place.hooks({ PreToolUse: [scriptHook("big.js")] });
  const says = await place.open().run(beforeCall);
  assert.match(says.notes.join(), /printed more than is read, so its output is not used/);
  assert.equal(says.refusal, undefined);
  place.write("big.js", `process.exitCode = 2; process.stderr.write("x".repeat(20_000_000))`);
  const refused = await place.open().run(beforeCall);
  assert.ok((refused.refusal?.length ?? 0) < 2_200);
  assert.match(refused.refusal ?? "", /: x{100}/);
});

test("bad JSON, another exit code, a missing program and a missing folder are told; the call goes on", async () => {
  const place = openHookPlace();
  place.write("text.js", print("formatted"));
  place.write("fails.js", `console.error("no such rule"), process.exit(1)`);
  place.hooks({
    PreToolUse: [
      scriptHook("text.js"),
      scriptHook("fails.js"),
      { type: "command", command: "./missing.sh" },
      scriptHook("text.js", { cwd: "missing" }),
    ],
  });
  const { notes, ...others } = await place.open().run(beforeCall);
  assert.deepEqual(others, { context: [] });
  assert.equal(notes.length, 4);
  assert.match(notes[0] ?? "", /text\.js" of \.github\/hooks\/a\.json printed no JSON/);
  assert.match(notes[1] ?? "", /fails\.js" of .* ended with code 1: no such rule\. The call went on/);
  assert.match(notes[2] ?? "", /missing\.sh" of .* ended with code \d+/);
  assert.match(notes[3] ?? "", /could not be started/);
});

test("a file of hooks that is a link out of the workspace, too large, or a folder is told, and a link of the user is followed", async () => {
  const place = openHookPlace();
  const outside = place.writeHome(
    "elsewhere.json",
    JSON.stringify({ hooks: { Stop: [scriptHook("a.js")] } }),
  );
  place.hooks({});
  symlinkSync(outside, join(place.folder, ".github/hooks/link.json"));
  mkdirSync(join(place.folder, ".github/hooks/folder.json"));
  place.write(".github/hooks/large.json", " ".repeat(300_000));
  place.write(".github/hooks/notes.txt", "none");
  const { notes } = await place.open().run(beforeCall);
  assert.deepEqual(
    notes,
    ["folder", "large", "link"].map(
      (name) =>
        `.github/hooks/${name}.json is no file of the folder of at most 256 KB, so its hooks are not run.`,
    ),
  );
  mkdirSync(join(place.home, ".copilot/hooks"), { recursive: true });
  symlinkSync(outside, join(place.home, ".copilot/hooks/link.json"));
  assert.equal(await place.open().has("Stop"), true);
});

test("a hook of the user is allowed once for all workspaces, unless it names a file of one", async () => {
  const place = openHookPlace();
  const write = (command: string) =>
    place.writeHome(
      ".copilot/hooks/own.json",
      JSON.stringify({ hooks: { PreToolUse: [{ type: "command", command }] } }),
    );
  const other = openHookPlace();
  const asksIn = async (folder: string) => {
    place.asked.length = 0;
    const read = () => readHookFiles({ folders: [folder], home: place.home, isTrusted: true });
    await place.open({ read }).run(beforeCall);
    return place.asked.length > 0;
  };
  write("true");
  assert.equal(await asksIn(place.folder), true);
  assert.equal(await asksIn(other.folder), false);
  write("cat check.sh");
  writeFileSync(join(place.folder, "check.sh"), "a");
  assert.equal(await asksIn(place.folder), true);
  writeFileSync(join(other.folder, "check.sh"), "b");
  assert.equal(await asksIn(other.folder), true);
});

test("what hooks change is recorded as of a command: the model is told, also of a hook that was stopped", async () => {
  const place = openHookPlace();
  place.write("a.js", "");
  place.hooks({ PostToolUse: [scriptHook("a.js"), scriptHook("a.js", { cwd: "." })] });
  const log: string[] = [];
  const files = [
    { uri: "file:///w/src/a.ts", path: "src/a.ts", kind: "changed", added: 1, removed: 2 } as const,
  ];
  const hooks = place.open({
    changes: async () => ({
      programs: {
        isRunning: false,
        warm() {},
        async begin(_, changed) {
          log.push("begin");
          const end = async () => {
            log.push("end");
            changed([{ uri: "file:///w/src/a.ts", before: null, after: "a" }]);
            return { files, kept: [] };
          };
          return { collect: end, end };
        },
      },
    }),
  });
  const changed: string[] = [];
  const occasion = {
    ...beforeCall,
    event: "PostToolUse",
    changed: (changes: readonly { readonly uri: string }[]) => changed.push(...changes.map(({ uri }) => uri)),
  } as const;
  assert.deepEqual(await hooks.run(occasion), {
    context: ["Changed by a hook: src/a.ts (+1 −2)."],
    notes: [],
  });
  assert.deepEqual(log, ["begin", "end"]);
  assert.deepEqual(changed, ["file:///w/src/a.ts"]);
  const stop = new AbortController();
  place.write("a.js", "setInterval(() => {}, 1000)");
  place.user.answer = async () => {
    setImmediate(() => stop.abort(new Error("stopped")));
    return true;
  };
  await assert.rejects(hooks.run({ ...occasion, signal: stop.signal }), /stopped/);
  assert.deepEqual(
    log.filter((what) => what === "begin").length,
    log.filter((what) => what === "end").length,
  );
});
