// Commands of subagents in a task: who is asked, what an approval is for, and ten that run at once.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ChatState } from "../../../../../../src/chat/protocol/chatState.ts";
import type { TestView } from "../../../chat.ts";
import { ask, isOver, script, subagentCalls, textOf } from "../subagentsKit.ts";
import { act, asFiles, open } from "./actingChatKit.ts";
import { openWorkspace } from "./actingKit.ts";
import { isOn, openSandboxed } from "./sandboxKit.ts";

const command = (line: string) => ({ name: "run_command", arguments: { command: line } });
const asksIn = (state: ChatState) =>
  subagentCalls(state).flatMap(({ subagent }) => (subagent?.asks ?? []).map((call) => ({ subagent, call })));

type Decision = "once" | "review" | "task" | "kind" | "skip";

/** Decides about the first call of a subagent that asks, once it does. */
async function decide(view: TestView, decision: Decision, reason?: string) {
  const [first] = asksIn(await view.until((state) => asksIn(state).length > 0));
  const { subagent, call } = first ?? assert.fail();
  const { id: answerId = "" } = subagent ?? {};
  await view.say("decideCall", { answerId, callId: call.id, decision, ...(reason ? { reason } : {}) });
  await view.until((state) => asksIn(state).every((one) => one.call.id !== call.id));
  return { call, row: subagent };
}

if (isOn) {
  test("a command of a subagent asks in its row; an approval for the task counts for its other subagents", async (t) => {
    const workspace = openSandboxed({ "a.txt": "a\n" });
    const first = script(
      { calls: [command("sed -i s/a/b/ a.txt")] },
      { calls: [command("cat a.txt")] },
      { calls: [command("touch no.txt")] },
      { say: "Done." },
    );
    const second = script({ calls: [command("sed -i s/a/b/ a.txt")] }, { say: "Done, too." });
    workspace.put(asFiles({ "first.json": first, "second.json": second }));
    const { view } = await open(t, workspace, {
      "main.json": script(
        { calls: [act("Play first.json")] },
        { calls: [act("Play second.json")] },
        { say: "Ended." },
      ),
    });
    await ask(view);
    const { call, row } = await decide(view, "task");
    assert.equal(row?.now, "Waits for your approval");
    assert.equal(call.says, "Run sed -i s/a/b/ a.txt");
    assert.equal(call.scope, "sed -i s/a/b/ a.txt");
    assert.match(call.limits ?? "", /In a sandbox: writes only in the subagent's copy/);
    // What only reads does not ask.
    const skipped = await decide(view, "skip", "Not needed.");
    assert.equal(skipped.call.says, "Run touch no.txt");
    await view.until((state) => isOver(state) && textOf(state) === "Ended.");
    assert.deepEqual(asksIn(view.state), []);
    assert.equal(workspace.read("a.txt"), "b\n");
    assert.deepEqual(
      workspace.changes.files.map(({ path }) => path),
      ["a.txt"],
      "the second one made the same change",
    );
    assert.deepEqual(workspace.leftOver(), []);
  });

  test("a stop of the task, and of the subagent alone, ends what waits; a decision that comes late changes nothing", async (t) => {
    const working = script({ calls: [command("rm a.txt")] }, { say: "Done." });
    const workspace = openSandboxed({ "a.txt": "a\n", "w.json": JSON.stringify(working) });
    const { view } = await open(t, workspace, {
      "main.json": script({ calls: [act("Play w.json")] }, { calls: [act("Play w.json")] }),
    });
    await ask(view);
    const waiting = (state: ChatState) => asksIn(state).length > 0;
    const [first] = asksIn(await view.until(waiting));
    const { subagent, call } = first ?? assert.fail();
    const answerId = subagent?.id ?? "";
    await view.say("stopSubagent", { id: answerId });
    const [other] = asksIn(
      await view.until((state) => waiting(state) && asksIn(state)[0]?.subagent?.id !== answerId),
    );
    assert.ok(other);
    await view.say("decideCall", { answerId, callId: call.id, decision: "once" });
    await view.say("stop", {});
    await view.until(
      (state) => isOver(state) && subagentCalls(state).every(({ state: now }) => now !== "runs"),
    );
    await view.say("send", { text: "Play other.json", revision: 2 });
    await view.until((state) => state.messages.length > 3 && isOver(state));
    assert.equal(workspace.read("a.txt"), "a\n");
    assert.deepEqual(workspace.leftOver(), []);
  });

  test("ten subagents that run commands merge to the expected tree, and a rewind takes all back", async (t) => {
    const text = (of: (index: number) => string) =>
      `${Array.from({ length: 40 }, (_, index) => of(index)).join("\n")}\n`;
    const scripts = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [
        `s${index}.json`,
        script(
          {
            calls: [
              command(
                `sed -i 's/^line ${index * 4}$/& of ${index}/' shared.txt && rm gone${index}.txt && mv old${index}.txt new${index}.txt && mkdir -p made && for i in 1 2 3; do echo ${index} >made/${index}-$i.txt; done; printf '\\000${index}' >made/${index}.bin; printf '\\000${index}' >clash.bin; printf '\\000' >alike.bin; chmod +x tool.sh new${index}.txt`,
              ),
            ],
          },
          { say: `Done by ${index}.` },
        ),
      ]),
    );
    const of = (name: (index: number) => string) =>
      Object.fromEntries(Array.from({ length: 10 }, (_, index) => [name(index), `${index}\n`]));
    const workspace = openSandboxed({
      "shared.txt": text((index) => `line ${index}`),
      ...of((index) => `gone${index}.txt`),
      ...of((index) => `old${index}.txt`),
      ...{ "clash.bin": Buffer.from([0, 255]), "alike.bin": Buffer.from([0, 1]), "tool.sh": "#!/bin/sh\n" },
      ...asFiles(scripts),
    });
    const before = workspace.state();
    const { view } = await open(t, workspace, {
      "main.json": script(
        { calls: Array.from({ length: 10 }, (_, index) => act(`Play s${index}.json`)) },
        { say: "Ended." },
      ),
    });
    await ask(view);
    await decide(view, "kind");
    await view.until((state) => isOver(state) && textOf(state) === "Ended.");
    assert.equal(
      workspace.read("shared.txt"),
      text((index) => (index % 4 === 0 ? `line ${index} of ${index / 4}` : `line ${index}`)),
      subagentCalls(view.state)
        .map(({ result }) => result)
        .join("\n"),
    );
    assert.equal(workspace.changes.files.length, 51);
    const results = subagentCalls(view.state).map(({ result }) => result ?? "");
    // Four work at once: the first of them has changed the file, and the others are told.
    const conflicts = results.filter((one) => one.includes("Not taken over: clash.bin was left"));
    assert.ok(conflicts.length >= 3, String(conflicts.length));
    assert.ok(!results.some((one) => one.includes("Not taken over: alike.bin")));
    assert.match(workspace.read("clash.bin"), /^\0\d$/);
    assert.equal(workspace.read("alike.bin"), "\0");
    const isProgram = (name: string) => (statSync(join(workspace.root, name)).mode & 0o111) === 0o111;
    for (let index = 0; index < 10; index++) {
      assert.equal(workspace.read(`made/${index}.bin`), `\0${index}`);
      assert.ok(isProgram("tool.sh") && isProgram(`new${index}.txt`));
    }
    for (let index = 0; index < 10; index++)
      assert.deepEqual([`made/${index}-3.txt`, `new${index}.txt`].map(workspace.read), [
        `${index}\n`,
        `${index}\n`,
      ]);
    const made = view.state.messages.flatMap((one) => (one.role === "assistant" ? (one.changes ?? []) : []));
    await workspace.changes.rewind(made, async () => assert.fail("asked"));
    assert.deepEqual(workspace.state(), before);
    assert.deepEqual(workspace.leftOver(), []);
  });
}

test("without a sandbox the subagent is told why it has no commands", async (t) => {
  const workspace = openWorkspace({ "w.json": JSON.stringify(script({ say: "Done." })) });
  const { view, service } = await open(t, workspace, {
    "main.json": script({ calls: [act("Play w.json")] }, { say: "Ended." }),
  });
  await ask(view);
  await view.until((state) => isOver(state) && textOf(state) === "Ended.");
  const bodies = service.sandbox.requests.map(({ bodyText }) => bodyText);
  assert.ok(
    bodies.some((body) =>
      body.includes("you can't run commands, because the sandbox of commands is switched off"),
    ),
  );
});
