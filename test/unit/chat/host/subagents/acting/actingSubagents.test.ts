// Subagents that change files: ten at once merge into one tree, the cap holds for all of them, and a stop leaves nothing.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Counted } from "../../../../../../src/shared/money/budgetRule.ts";
import { exactText } from "../../../../../../src/shared/money/exact.ts";
import { connection } from "../../../../session/budgetWindow.ts";
import { billed } from "../../../../session/spendGateKit.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { ask, isOver, read, script, subagentCalls, textOf } from "../subagentsKit.ts";
import { act, asFiles, edit, open } from "./actingChatKit.ts";
import { openWorkspace } from "./actingKit.ts";

const numbered = (count: number, word: (index: number) => string) =>
  `${Array.from({ length: count }, (_, index) => word(index)).join("\n")}\n`;

test("ten subagents in worktrees merge to the expected tree; the user's text and repository stay; the bill is one", async (t) => {
  const shared = numbered(30, (index) => `line ${index}`);
  const scripts = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [
      `s${index}.json`,
      script(
        {
          calls: [
            edit("shared.txt", `line ${index * 3}\n`, `line ${index * 3} of ${index}\n`),
            { name: "write_file", arguments: { path: `made/${index}.txt`, text: `by ${index}\n` } },
            { name: "move_file", arguments: { from: `old ${index}.txt`, to: `moved/${index}.txt` } },
            { name: "delete_file", arguments: { path: `gone${index}.txt` } },
          ],
        },
        { say: `Done by ${index}.` },
      ),
    ]),
  );
  const of = (name: (index: number) => string) =>
    Object.fromEntries(Array.from({ length: 10 }, (_, index) => [name(index), `${index}\n`]));
  const workspace = openWorkspace({
    ...{ "shared.txt": shared, "typed.txt": "typed\n" },
    ...of((index) => `old ${index}.txt`),
    ...of((index) => `gone${index}.txt`),
  });
  workspace.put(asFiles(scripts));
  workspace.type("typed.txt", "not saved\n");
  const before = workspace.state() as Readonly<Record<string, unknown>>;
  const { view, service, window } = await open(t, workspace, {
    "main.json": script(
      { calls: Array.from({ length: 10 }, (_, index) => act(`Play s${index}.json`)) },
      { say: "Ended." },
    ),
  });
  await ask(view);
  await view.until((state) => isOver(state) && textOf(state) === "Ended.");
  const calls = subagentCalls(view.state);
  assert.deepEqual(
    calls.map(({ state, subagent }) => [state, subagent?.now]),
    Array.from({ length: 10 }, () => ["done", ""]),
    calls.map(({ result }) => result).join("\n"),
  );
  assert.match(calls[3]?.result ?? "", /Done by 3\.\n```\n4 changes of it are in the workspace/);
  assert.match(calls[3]?.limits ?? "", /a Git worktree of its own/);
  assert.equal(
    workspace.read("shared.txt"),
    numbered(30, (index) => (index % 3 === 0 ? `line ${index} of ${index / 3}` : `line ${index}`)),
  );
  for (let index = 0; index < 10; index++) {
    assert.equal(workspace.read(`made/${index}.txt`), `by ${index}\n`);
    assert.equal(workspace.read(`moved/${index}.txt`), `${index}\n`);
    assert.ok(!existsSync(join(workspace.root, `old ${index}.txt`)));
    assert.ok(!existsSync(join(workspace.root, `gone${index}.txt`)));
  }
  assert.equal(workspace.changes.files.length, 31);
  const { status: _, ...was } = before;
  const { status: __, ...is } = workspace.state() as Readonly<Record<string, unknown>>;
  assert.deepEqual(is, was);
  assert.deepEqual(workspace.leftOver(), []);
  // The changes are those of the task's question, so a rewind of it takes them all back.
  const made = view.state.messages.flatMap((one) => (one.role === "assistant" ? (one.changes ?? []) : []));
  await workspace.changes.rewind(made, async () => assert.fail("asked"));
  assert.deepEqual((workspace.state() as { readonly status: unknown }).status, before.status);
  // The task, its subagents, the ledger and the bill are one sum.
  const entries = await window.spend.entries(connection);
  const [task] = new Set(entries.map(({ source }) => source?.task));
  const { spent } = await window.spend.taskSpend(connection, {
    ...{ id: task ?? assert.fail("no task"), round: 1, capUsd: 1 },
  });
  assert.equal(Counted.of(spent).digits(), exactText(await billed(service.sandbox, temporaryFolder())));
});

test("a recursion bomb of subagents that act stays within the cap, and leaves no worktree", async (t) => {
  const loop = script({
    calls: [read("loop.json"), act("Play loop.json"), edit("a.txt", "a", "aa")],
    repeat: "forever",
  });
  const workspace = openWorkspace({ "a.txt": "a\n", "loop.json": JSON.stringify(loop) });
  const bomb = Array.from({ length: 6 }, () => act("Play loop.json", { cap_percent: 100 }));
  const { view, window, service } = await open(
    t,
    workspace,
    { "main.json": script({ calls: bomb, repeat: "forever" }) },
    { mode: "agent", task: { capUsd: 0.02, rounds: 1000 } },
  );
  await ask(view);
  await view.until((state) => {
    const last = state.messages.at(-1);
    const hasProblem = last?.role === "assistant" && Boolean(last.problem);
    return isOver(state) && (state.problem !== null || state.notice !== null || hasProblem);
  });
  const cost = Number(exactText(await billed(service.sandbox, temporaryFolder())));
  assert.ok(cost > 0 && cost <= 0.02, String(cost));
  const started = subagentCalls(view.state).filter(({ subagent }) => subagent !== undefined);
  assert.ok(started.length <= 16, `${started.length} subagents`);
  const entries = await window.spend.entries(connection);
  assert.equal(new Set(entries.map(({ source }) => source?.task)).size, 1);
  assert.equal(workspace.read("a.txt"), "a\n", "one that has not answered changes nothing");
  assert.deepEqual(workspace.leftOver(), []);
});

test("one that ends at its share of the cap changes nothing, and its task is told what it had changed", async (t) => {
  const loop = script(
    { calls: [edit("a.txt", "a", "aa")] },
    { calls: [read("loop.json")], repeat: "forever" },
  );
  const workspace = openWorkspace({ "a.txt": "a\n", "loop.json": JSON.stringify(loop) });
  const { view } = await open(
    t,
    workspace,
    { "main.json": script({ calls: [act("Play loop.json", { cap_percent: 5 })] }, { say: "Ended." }) },
    { mode: "agent", task: { capUsd: 0.2 } },
  );
  await ask(view);
  await view.until((state) => isOver(state) && textOf(state) === "Ended.");
  const [call] = subagentCalls(view.state);
  assert.equal(call?.state, "failed");
  assert.match(
    call?.result ?? "",
    /without a whole answer\.[\s\S]*None of its changes is in the workspace\. They were:\n```\nchanged a\.txt\n```$/,
  );
  assert.equal(workspace.read("a.txt"), "a\n");
  assert.deepEqual(workspace.leftOver(), []);
});

test("Stop in the middle of the work removes the worktrees, and changes nothing", async (t) => {
  const working = script({ calls: [edit("a.txt", "a", "b")] }, { calls: [read("hang.json")] });
  const workspace = openWorkspace({ "a.txt": "a\n", "w.json": JSON.stringify(working) });
  const { view, hanging } = await open(t, workspace, {
    "main.json": script({ calls: [act("Play w.json"), act("Play w.json")] }),
  });
  await ask(view);
  await hanging;
  assert.ok(workspace.leftOver().length > 0);
  await view.say("stop", {});
  await view.until(
    (state) => isOver(state) && subagentCalls(state).every(({ state: now }) => now === "stopped"),
  );
  // The next question waits for the end of what was stopped.
  await view.say("send", { text: "Play other.json", revision: 2 });
  await view.until((state) => state.messages.length > 2 && isOver(state));
  assert.equal(workspace.read("a.txt"), "a\n");
  assert.deepEqual(workspace.changes.files, []);
  assert.deepEqual(workspace.leftOver(), []);
});

test("it has only tools that its task has, and in another mode nothing of it is merged", async (t) => {
  const working = script(
    { calls: [edit("a.txt", "a", "b")] },
    // The scripted model does not call what it is not offered, and says so.
    { calls: [{ name: "delete_file", arguments: { path: "b.txt" } }] },
  );
  const workspace = openWorkspace({ "a.txt": "a\n", "b.txt": "b\n", "w.json": JSON.stringify(working) });
  const scripts = { "main.json": script({ calls: [act("Play w.json")] }, { say: "Ended." }) };
  const few = await open(t, workspace, scripts, { mode: "agent" }, ["edit_file"]);
  await ask(few.view);
  await few.view.until((state) => isOver(state) && textOf(state) === "Ended.");
  assert.deepEqual(
    workspace.changes.files.map(({ path }) => path),
    ["a.txt"],
    subagentCalls(few.view.state)[0]?.result,
  );
  const offered = few.service.sandbox.requests
    .filter(({ path }) => path.endsWith("/chat/completions"))
    .map(({ bodyText }) =>
      JSON.parse(bodyText).tools.map((one: { function: { name: string } }) => one.function.name),
    );
  assert.ok(
    offered.some((names) => names.join() === "read_file,edit_file"),
    JSON.stringify(offered),
  );
  const waiting = script(
    { calls: [edit("a.txt", "b", "c")] },
    { calls: [read("hang.json")] },
    { say: "Done." },
  );
  workspace.put({ "w.json": JSON.stringify(waiting) });
  const other = await open(t, workspace, scripts);
  await ask(other.view);
  await other.hanging;
  await other.view.say("setSettings", { settings: { mode: "plan" } });
  other.release();
  await other.view.until((state) => subagentCalls(state).some(({ state: now }) => now === "failed"));
  assert.match(
    subagentCalls(other.view.state)[0]?.result ?? "",
    /switched to a mode in which no files are changed\.[\s\S]*None of its changes is in the workspace/,
  );
  assert.equal(workspace.read("a.txt"), "b\n");
  assert.deepEqual(workspace.leftOver(), []);
});

test("in Plan none acts, and where edits ask, a subagent that acts asks before it begins", async (t) => {
  const workspace = openWorkspace({ "a.txt": "a\n" });
  const scripts = { "main.json": script({ calls: [act("Play w.json")] }, { say: "Ended." }) };
  const planning = await open(t, workspace, scripts, { mode: "plan" });
  await ask(planning.view);
  await planning.view.until((state) => isOver(state) && textOf(state) === "Ended.");
  assert.match(subagentCalls(planning.view.state)[0]?.result ?? "", /Only a task of the mode Agent/);
  const asking = await open(t, workspace, scripts, { mode: "agent", task: { asksBeforeEdits: true } });
  await ask(asking.view);
  await asking.view.until((state) => subagentCalls(state).some(({ state: now }) => now === "asks"));
  const [call] = subagentCalls(asking.view.state);
  assert.deepEqual([call?.state, call?.subagent], ["asks", undefined]);
  assert.deepEqual(workspace.leftOver(), []);
});
