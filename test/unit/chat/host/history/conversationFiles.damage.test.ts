import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { conversationFiles, LogUnreadable } from "../../../../../src/chat/host/history/conversationFiles.ts";
import { openConversationLog } from "../../../../../src/chat/host/history/log/conversationLog.ts";
import { shownPath } from "../../../../../src/chat/host/history/log/logState.ts";
import { readOldConversation } from "../../../../../src/chat/host/history/log/oldConversation.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { answer, append, createLog, logDeps, openLog, question, reported } from "./logFolder.ts";

/** A log of seven lines: head, two questions, two answers; the second answer has two pieces. */
function writeLog(t: Parameters<typeof createLog>[0], folder: string) {
  const log = createLog(t, folder);
  log.append([{ e: "meta", meta: { title: "A title" } }]);
  log.flush();
  for (const entry of [
    question("q1", null, "one?"),
    answer("a1", "q1", "One."),
    question("q2", "a1", "two?"),
    answer("a2", "q2"),
    append("a2", 0, "Two, "),
    append("a2", 5, "and "),
    append("a2", 9, "more."),
    { e: "leaf" as const, id: "a2" },
  ]) {
    log.append([entry]);
    log.flush();
  }
  log.close();
  return conversationFiles(folder, "c");
}

/** Makes one line unreadable: the first one that contains `part`. */
function spoil(path: string, part: string): string {
  const lines = readFileSync(path, "utf8").split("\n");
  const place = lines.findIndex((line) => line.includes(part));
  const spoilt = `${lines[place]?.slice(0, 30)}\u0000\u0000`;
  writeFileSync(path, lines.with(place, spoilt).join("\n"));
  return spoilt;
}

const spoilt: readonly (readonly [line: string, part: string, shown: readonly unknown[]])[] = [
  ["the head", '"e":"head"', ["one?", "One.", "two?", "Two, and more."]],
  ["a question", '"id":"q2"', ["one?", "One.", "Two, and more."]],
  ["the head of an answer", '"id":"a2"', ["one?", "One.", "two?", "Two, and more."]],
  ["a piece of an answer", '"and "', ["one?", "One.", "two?", "Two, …   more."]],
  ["which message is shown", '"e":"leaf"', ["one?", "One.", "two?", "Two, and more."]],
];
for (const [line, part, shown] of spoilt) {
  test(`a line that can't be read loses only itself: ${line}`, async (t) => {
    const folder = temporaryFolder();
    const files = writeLog(t, folder);
    if (part.includes("leaf"))
      writeFileSync(
        files.log,
        `${readFileSync(files.log, "utf8")}\n{"e":"draft","draft":{"text":"d","revision":1}}`,
      );
    const stored = spoil(files.log, part);
    const damaged = readFileSync(files.log, "utf8");
    const { log, badLines } = await openLog(t, folder);
    assert.equal(badLines, 1);
    assert.deepEqual(
      shownPath(log.state).map(({ text }) => text),
      shown,
    );
    assert.equal(log.state.meta.title, "A title");
    assert.equal(readFileSync(files.bad, "utf8"), `${stored}\n`);
    assert.equal(readFileSync(files.log, "utf8"), damaged);
    // Reported once only.
    assert.equal((await openLog(t, folder)).badLines, 0);
  });
}

test("records of a newer version are skipped and kept", async (t) => {
  const folder = temporaryFolder();
  const files = writeLog(t, folder);
  const line = '{"e":"dream","w":"z","n":1,"of":"sheep"}';
  writeFileSync(files.log, `${readFileSync(files.log, "utf8")}\n${line}`);
  const { log, badLines } = await openLog(t, folder);
  assert.equal(badLines, 0);
  log.append([question("q3", "a2", "three?")]);
  log.flush();
  assert.ok(readFileSync(files.log, "utf8").includes(line));
});

for (const [reason, text] of [
  ["newer", '{"e":"head","v":3,"id":"c","createdAtMs":1}'],
  ["damaged", "PK\u0003\u0004 something else\nand more"],
] as const) {
  test(`a log that is ${reason} is not opened, and stays unchanged`, async () => {
    const folder = temporaryFolder();
    const files = conversationFiles(folder, "c");
    writeFileSync(files.log, text);
    const opening = openConversationLog(logDeps(folder, "c"));
    await assert.rejects(opening, (error) => error instanceof LogUnreadable && error.reason === reason);
    assert.equal(readFileSync(files.log, "utf8"), text);
    assert.equal(existsSync(files.bad), false);
  });
}

test("a conversation of version 1 is read completely, whatever the order of its messages", () => {
  const nodes = [
    { role: "assistant", id: "b", parentId: "a", text: "Yes.", state: "done", later: 1 },
    { role: "user", id: "a", parentId: null, text: "Really?" },
  ];
  const old = {
    v: 1,
    id: "c",
    createdAtMs: 5,
    updatedAtMs: 9,
    nodes,
    leafId: "b",
    draft: { text: "d", revision: 3 },
  };
  const state = readOldConversation(JSON.stringify(old));
  assert.ok(state);
  assert.deepEqual(reported(state), {
    id: "c",
    nodes: [nodes[1], nodes[0]],
    leafId: "b",
    meta: {},
    draft: { text: "d", revision: 3 },
  });
  assert.deepEqual([state.createdAtMs, state.updatedAtMs], [5, 9]);
  for (const wrong of ['{"v":1', '{"some":"thing"}', JSON.stringify({ ...old, leafId: "z" })]) {
    assert.equal(readOldConversation(wrong), undefined);
  }
});
