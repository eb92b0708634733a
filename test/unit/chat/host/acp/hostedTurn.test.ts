// What an agent reads and changes in the files of a window.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { editor } from "../../../changes/editorModel.ts";
import { uriOf } from "../../../changes/seenFiles.ts";
import { openAgentChat, pathOf, read } from "./agentChatKit.ts";
import { begins, changes, reads, writes } from "./agentScript.ts";

const own = (name: string, text: string) => ({ ownFile: [name, text] });
const done = (id: string) => [
  begins(id, { title: "Edit", kind: "edit" }),
  changes(id, { status: "completed" }),
];

test("what an agent changes by its own tools, and through the window, is pending, and a rewind restores every byte", async (t) => {
  const {
    ask,
    view,
    changes: pending,
    runChanges,
  } = await openAgentChat(t, {
    steps: [
      ...done("t1"),
      own("a.txt", "one\nTWO\nthree\n"),
      own("new.txt", "new\n"),
      ...done("t2"),
      { say: "Now b." },
      { ownWrite: ["b.txt", "B\n"] },
      { removeOwn: "package.json" },
    ],
  });
  const answers = await ask("Change it");
  const listed = pending.files.map(({ path, kind }) => `${path} ${kind}`).sort();
  assert.deepEqual(listed, ["a.txt changed", "b.txt changed", "new.txt created", "package.json deleted"]);
  const made = answers.flatMap((answer) => answer.changes ?? []);
  assert.equal(made.length, 4);
  assert.equal(runChanges(), 1);
  assert.equal(read("a.txt"), "one\nTWO\nthree\n");
  const [question] = view.state.messages;
  await view.say("rewind", { questionId: question?.id ?? "", scope: "both" });
  assert.deepEqual(["a.txt", "b.txt", "new.txt", "package.json"].map(read), [
    "one\ntwo\nthree\n",
    "b\n",
    undefined,
    "{}\n",
  ]);
  assert.deepEqual(view.state.messages, []);
  assert.equal(view.state.draft.text, "Change it");
});

test("an agent reads the text that the user sees, and lines of it; it replaces unsaved text only if it has read it", async (t) => {
  const { ask } = await openAgentChat(
    t,
    {
      turns: [
        [
          { readOwn: ["a.txt"] },
          { say: " " },
          { readOwn: ["a.txt", { line: 2, limit: 1 }] },
          { ownWrite: ["a.txt", "mine\n"] },
        ],
        [{ ownWrite: ["b.txt", "blind\n"] }],
      ],
    },
    { unsaved: { "a.txt": "one\ntyped\n", "b.txt": "typed\n" } },
  );
  const [first] = await ask("Read it");
  assert.equal(first?.text, '{"content":"one\\ntyped\\n"} {"content":"typed"}{}');
  assert.equal(editor.find(uriOf("a.txt"))?.getText(), "mine\n");
  const answers = await ask("Write b");
  assert.match(answers.at(-1)?.text ?? "", /unsaved text of the user that you have not read/);
  assert.equal(editor.find(uriOf("b.txt"))?.getText(), "typed\n");
});

test("unsaved files are saved before an agent begins, as before a command, and the answer says so", async (t) => {
  const { ask } = await openAgentChat(
    t,
    { steps: [{ say: "Done." }] },
    { unsaved: { "b.txt": "typed\n" }, savesFirst: true },
  );
  const [answer] = await ask("Go");
  assert.equal(read("b.txt"), "typed\n");
  assert.deepEqual(answer?.notes, ["Saved before it ran: b.txt."]);
});

test("files of secrets, files elsewhere and links that lead there are neither read nor written", async (t) => {
  const outside = "/etc/hostname";
  const { ask, changes: pending } = await openAgentChat(t, {
    steps: [
      { readOwn: [".env"] },
      reads(outside),
      reads("../../etc/hostname"),
      { ownWrite: [".env", "KEY=x\n"] },
      { ownWrite: [".git/hooks/pre-commit", "rm -rf .\n"] },
      writes("/tmp/agent-elsewhere.txt", "x"),
    ],
  });
  const [answer] = await ask("Read all");
  const parts = (answer?.text ?? "").split('"').filter((part) => part.length > 5);
  assert.equal(parts.length, 6, answer?.text);
  assert.match(parts[0] ?? "", /keys or passwords/);
  for (const part of parts.slice(1, 3)) assert.match(part, /not a path relative to the workspace/);
  assert.doesNotMatch(answer?.text ?? "", /content/);
  assert.equal(read(".env"), "KEY=secret\n");
  assert.equal(read(".git/hooks/pre-commit"), undefined);
  assert.deepEqual(pending.files, []);
});

test("a file that says what programs run is written only if the user allows it", async (t) => {
  for (const decision of ["once", "skip"] as const) {
    const { begin, view, untilAsked, untilEnded, runChanges } = await openAgentChat(t, {
      steps: [{ ownWrite: ["package.json", '{"scripts":{}}\n'] }],
    });
    await begin("Change it");
    const { answerId, card } = await untilAsked();
    assert.equal(card.says, "Write package.json");
    assert.match(card.question ?? "", /package\.json says what/);
    assert.equal(read("package.json"), "{}\n");
    await view.say("decideCall", { answerId, callId: card.id, decision });
    const answers = await untilEnded();
    const isDone = decision === "once";
    assert.match(answers.at(-1)?.text ?? "", isDone ? /^\{\}$/ : /the user has not allowed it/);
    assert.equal(read("package.json"), isDone ? '{"scripts":{}}\n' : "{}\n");
    assert.equal(answers[0]?.calls?.[0]?.state, isDone ? "done" : "refused");
    // Then what the user has allowed before for commands has ended.
    assert.equal(runChanges(), isDone ? 1 : 0);
  }
});

test("each edit asks in a chat whose edits ask", async (t) => {
  const { begin, view, untilAsked, untilEnded } = await openAgentChat(
    t,
    { steps: [{ ownWrite: ["b.txt", "B\n"] }] },
    { settings: { mode: "agent", agent: "OpenCode", task: { asksBeforeEdits: true } } },
  );
  await begin("Change it");
  const { answerId, card } = await untilAsked();
  await view.say("decideCall", { answerId, callId: card.id, decision: "once" });
  await untilEnded();
  assert.equal(read("b.txt"), "B\n");
});

test("what an agent has changed before a stop is pending, too, and is rewound", async (t) => {
  const {
    begin,
    view,
    chat,
    untilEnded,
    changes: pending,
  } = await openAgentChat(t, { steps: [own("a.txt", "cut\n"), { say: "Working." }, { hang: true }] });
  await begin("Change it");
  await view.until(({ messages }) => messages.at(-1)?.text === "Working.");
  await view.say("stop", {});
  const [answer] = await untilEnded();
  assert.equal(answer?.state, "stopped");
  await view.until(({ messages }) =>
    messages.some((message) => message.role === "assistant" && message.changes),
  );
  assert.deepEqual(
    pending.files.map(({ path }) => path),
    ["a.txt"],
  );
  await view.say("rewind", { questionId: view.state.messages[0]?.id ?? "", scope: "files" });
  assert.equal(read("a.txt"), "one\ntwo\nthree\n");
  assert.ok(chat.reported.length === 0, String(chat.reported));
});

test("a plan that the user has changed meanwhile stays, and the next question tells it", async (t) => {
  const plan = (content: string) => ({
    update: { sessionUpdate: "plan", entries: [{ content, status: "pending" }] },
  });
  const { begin, ask, view, untilEnded, folder } = await openAgentChat(t, {
    turns: [[plan("Mine"), { say: "Go?" }, { untilFile: "go" }, plan("Other")], [{ say: "$prompt" }]],
  });
  await begin("Plan it");
  await view.until(({ messages }) => messages.at(-1)?.text === "Go?");
  await view.say("setPlan", { plan: "- [ ] Yours" });
  writeFileSync(join(folder, "go"), "");
  await untilEnded();
  assert.equal(view.state.plan, "- [ ] Yours");
  const answers = await ask("On");
  assert.match(answers.at(-1)?.text ?? "", /Yours/);
  rmSync(pathOf("b.txt"));
});
