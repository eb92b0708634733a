// A patch changes all of its files or none, and asks about each path that it names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentWriter, FileChange } from "../../../../../../src/changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../../../../src/changes/engine/records/knownTexts.ts";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import { createToolRounds } from "../../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import "../../../../vscodeDouble.ts";
import { answerWith, silent } from "../../../answerMessage.ts";
import { noResults } from "../../../noResults.ts";
import { tool } from "../../../weatherTool.ts";

const { acceptanceOf, readCall } = await import("../../../../../../src/chat/host/tools/input/readCall.ts");
const { createPatchTool } = await import("../../../../../../src/chat/host/tools/files/patchTool.ts");

const never = new AbortController().signal;

/** A workspace in memory. `refuses` are the paths that can't be written. */
function openTool(
  texts: Readonly<Record<string, string>>,
  refuses: readonly string[] = [],
  beforeRead = async () => {},
) {
  const files = new Map(Object.entries(texts));
  const changes: FileChange[] = [];
  let runFileChanges = 0;
  const changed = (path: string, text: string | undefined): FileChange => {
    if (refuses.includes(path)) throw new Error(`${path} could not be written: the disk is full.`);
    const change = { uri: path, before: files.get(path) ?? null, after: text ?? null };
    if (text === undefined) files.delete(path);
    else files.set(path, text);
    return change;
  };
  const writer: Partial<AgentWriter> = {
    edit: async (path, change) =>
      changed(path, typeof change === "function" ? change(files.get(path) ?? "") : assert.fail()),
    write: async (path, text) => changed(path, text),
    remove: async (path) => changed(path, undefined),
    move: async (from, to) => {
      const text = files.get(from);
      return [changed(to, text), changed(from, undefined)];
    },
  };
  const tool = createPatchTool({
    writer: async () => writer as AgentWriter,
    async readText(path) {
      await beforeRead();
      return files.get(path) ?? Promise.reject(new Error(`There is no file ${path}.`));
    },
    knownTo: () => createKnownTexts()("task"),
    onRunChanged: () => {
      runFileChanges += 1;
    },
    problems: { since: () => ({ newIn: async () => "" }) },
    roots: () => ({ folders: [{ name: "ws", paths: ["/ws"] }], isWindows: false }),
  });
  const context = {
    source: { kind: "chat" as const },
    changed: (all: readonly FileChange[]) => void changes.push(...all),
    planned() {},
    written() {},
    began() {},
    results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
  };
  const run = (patch: string) => tool.run?.({ patch }, never, context) ?? assert.fail();
  return { tool, run, files, changes, runs: () => runFileChanges };
}

test("a patch that is written as the input of a custom call, or in place of arguments, is applied", async () => {
  for (const isCustom of [true, false]) {
    const { tool, run, files } = openTool({ "a.txt": "one\n" });
    const roots = { folders: [{ name: "ws", paths: ["/ws"] }], isWindows: false };
    const accepting = { ...tool, accept: acceptanceOf(tool, () => roots) };
    const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** End Patch";
    const call = {
      name: "apply_patch",
      arguments: patch,
      ...(isCustom ? { isCustom: true as const } : {}),
    };
    const read = readCall([accepting], call);
    assert.deepEqual(read && "input" in read && read.input, { patch });
    await run(patch);
    assert.equal(files.get("a.txt"), "1\n");
  }
});

test("the free text of a custom call is the one text that a tool takes; a tool that takes more says so", () => {
  const city = { type: "string" };
  const one = tool("get_weather");
  const two = {
    ...one,
    name: "compare",
    parameters: { type: "object", properties: { city, other: city }, required: ["city", "other"] },
  };
  const read = (name: string, text: string) =>
    readCall([one, two], { name, arguments: text, isCustom: true });
  for (const text of ["Bern", '{"city":"Bern"}']) {
    const found = read("get_weather", text);
    assert.deepEqual(found && "input" in found && found.input, { city: "Bern" });
  }
  const refused = read("compare", "Bern");
  assert.match(refused && "problem" in refused ? refused.problem : "", /^compare takes no free text/);
});

const all = `*** Begin Patch
*** Update File: /ws/a.txt
@@
-one
+1
*** Add File: new.txt
+new
*** Delete File: old.txt
*** Update File: b.txt
*** Move to: c.txt
@@
-two
+2
*** End Patch`;
const texts = { "a.txt": "one\n", "old.txt": "old\n", "b.txt": "two\n" };

test("a patch adds, deletes, moves and changes files, whose paths may be absolute", async () => {
  const { tool, run, files, changes } = openTool(texts);
  assert.equal(
    tool.summary({ patch: all }),
    "Patch: edit a.txt, add new.txt, delete old.txt, move b.txt to c.txt",
  );
  assert.match(
    await run(all),
    /^Done: edit a\.txt, add new\.txt, delete old\.txt, move b\.txt to c\.txt\. The user/,
  );
  assert.deepEqual(Object.fromEntries(files), { "a.txt": "1\n", "new.txt": "new\n", "c.txt": "2\n" });
  assert.equal(changes.length, 6);
});

test("nothing is changed if one part can't be done, and all that is wrong is told at once", async () => {
  const { run, files, changes } = openTool({ "a.txt": "uno\n", "new.txt": "x\n", "b.txt": "two\n" });
  await assert.rejects(
    run(all),
    /No file was changed\. .*a\.txt.*“one”.*new\.txt exists already.*There is no file old\.txt\./s,
  );
  assert.deepEqual(changes, []);
  assert.deepEqual(Object.fromEntries(files), { "a.txt": "uno\n", "new.txt": "x\n", "b.txt": "two\n" });
});

test("a failure in the middle restores what was changed before it, and the record has both", async () => {
  for (const refused of ["new.txt", "old.txt", "b.txt", "c.txt"]) {
    const { run, files, changes } = openTool(texts, [refused]);
    await assert.rejects(run(all), /the disk is full\. No file was changed\.$/);
    assert.deepEqual(Object.fromEntries(files), texts, refused);
    assert.ok(changes.length > 0 && changes.length % 2 === 0, "each change and its undo");
  }
});

test("a patch that changes nothing does not say that it has", async () => {
  const { run } = openTool({ "a.txt": "one\n" });
  assert.equal(
    await run("*** Update File: a.txt\n@@\n-one\n+one"),
    "Nothing was changed: the files have these contents already.",
  );
});

test("what the user typed since the check is restored, and a deletion waits for all that may fail", async () => {
  const { run, files, changes } = openTool(texts, ["b.txt"]);
  const running = run(all);
  files.set("a.txt", "typed\none\n");
  await assert.rejects(running, /the disk is full\. No file was changed\.$/);
  assert.deepEqual(Object.fromEntries(files), { ...texts, "a.txt": "typed\none\n" });
  assert.ok(!changes.some(({ uri }) => uri === "old.txt"), "it was not deleted and written again");
});

test("a deleted notebook is never written again with the text of its cells, and all else is restored", async () => {
  const cells = "n.ipynb is a notebook with 1 cell";
  const { run, files } = openTool({ "a.txt": "one\n", "n.ipynb": cells, "b.txt": "two\n" }, ["b.txt"]);
  await assert.rejects(
    run("*** Update File: a.txt\n@@\n-one\n+1\n*** Delete File: n.ipynb\n*** Delete File: b.txt"),
    /disk is full\. Some files .* could not all be restored: n\.ipynb is deleted, and the user can restore it\./,
  );
  assert.deepEqual(Object.fromEntries(files), { "a.txt": "one\n", "b.txt": "two\n" });
});

test("the user is asked about each path that programs run, and no path outside is made one inside", async () => {
  const { tool, run, runs } = openTool({ "package.json": "{}\n" });
  const patch = "*** Begin Patch\n*** Update File: /ws/package.json\n@@\n-{}\n+[]\n*** End Patch";
  assert.match(tool.question?.({ patch }) ?? "", /package\.json/);
  assert.deepEqual(tool.scopes?.({ patch }), ["package.json"]);
  const moving = "*** Update File: a.txt\n*** Move to: sub/../package.json";
  assert.match(tool.question?.({ patch: moving }) ?? "", /package\.json/);
  assert.equal(tool.question?.({ patch: all }), undefined);
  assert.equal(tool.scopes?.({ patch: all }), undefined);
  await run(patch);
  assert.equal(runs(), 1);
  assert.equal(tool.summary({ patch: "*** Delete File: ../x" }), "Patch: delete ../x");
  assert.equal(tool.summary({ patch: "no patch" }), "Apply a patch that can't be read");
  await assert.rejects(run("no patch"), /names no file\..* Nothing was changed\./);
});

test("only models that are trained on patches are offered the tool", () => {
  const { tool } = openTool({});
  for (const model of ["gpt-5.2", "openai/gpt-oss-120b", "openai-gpt-52-codex", "codex-mini", "chatgpt-4o"])
    assert.equal(tool.isFor?.(model), true, model);
  for (const model of ["claude-opus-4", "qwen3-coder", "llama3", "egpt-x", "deepseek-v3", "gptish"])
    assert.equal(tool.isFor?.(model), false, model);
});

test("patches of one reply are applied in its order, however long each takes to read: each may rely on those before it", async () => {
  let turns = 6;
  const { tool, files } = openTool({ "a.txt": "1\n" }, [], async () => {
    turns -= 2;
    for (let turn = 0; turn < turns; turn++) await nextTurn();
  });
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent" } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a", { startedAtMs: Date.now() }), "q");
  const ended = Promise.withResolvers<void>();
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => [tool],
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    connectionId: () => "c",
    next: () => ended.resolve(),
  });
  const calls = [1, 2, 3].map((number) => ({
    id: `c${number}`,
    name: tool.name,
    arguments: JSON.stringify({
      patch: `*** Begin Patch\n*** Update File: a.txt\n@@\n-${number}\n+${number + 1}\n*** End Patch`,
    }),
  }));
  rounds.begin("a", calls, [tool.name]);
  await ended.promise;
  const answer = chat.tree.get("a");
  const results = (answer?.role === "assistant" && answer.calls) || [];
  assert.equal(files.get("a.txt"), "4\n", results.map(({ result }) => result).join("\n"));
});
