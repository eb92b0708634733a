import assert from "node:assert/strict";
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { conversationFiles } from "../../../../../../src/chat/host/history/conversationFiles.ts";
import { toLogText } from "../../../../../../src/chat/host/history/log/compactLog.ts";
import { createConversationLog } from "../../../../../../src/chat/host/history/log/conversationLog.ts";
import type { LogEntry } from "../../../../../../src/chat/host/history/log/logEntry.ts";
import {
  applyEntry,
  emptyLogState,
  type LogState,
} from "../../../../../../src/chat/host/history/log/logState.ts";
import { parseLog } from "../../../../../../src/chat/host/history/log/parseLog.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { answer, append, createLog, logDeps, openLog, question, reported } from "../logFolder.ts";

/** User actions that change the log. Numbers choose among the existing items. */
const deed = fc.oneof(
  fc.record({ kind: fc.constant("ask" as const), which: fc.nat(), text: fc.string({ unit: "binary" }) }),
  fc.record({ kind: fc.constant("answer" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("text" as const), which: fc.nat(), text: fc.string({ unit: "binary" }) }),
  fc.record({ kind: fc.constant("patch" as const), which: fc.nat(), state: fc.string() }),
  fc.record({ kind: fc.constant("leaf" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("remove" as const), which: fc.nat() }),
  fc.record({ kind: fc.constant("meta" as const), title: fc.string({ unit: "binary" }) }),
  fc.record({ kind: fc.constant("draft" as const), text: fc.string({ unit: "binary" }) }),
);
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

function toEntry(done: Deed, state: LogState, place: number): LogEntry {
  const ids = [...state.nodes.keys()];
  const chosen = "which" in done ? (ids[done.which % Math.max(1, ids.length)] ?? null) : null;
  switch (done.kind) {
    case "ask":
      return question(`m${place}`, chosen, done.text);
    case "text": {
      const text = chosen === null ? "" : state.nodes.get(chosen)?.text;
      return append(chosen ?? "nobody", typeof text === "string" ? text.length : 0, done.text);
    }
    case "patch":
      return { e: "patch", id: chosen ?? "nobody", patch: { state: done.state } };
    case "leaf":
      return { e: "leaf", id: chosen };
    case "remove":
      return { e: "remove", id: chosen ?? "nobody" };
    case "meta":
      return { e: "meta", meta: { title: done.title } };
    case "draft":
      return { e: "draft", draft: { text: done.text, revision: place } };
    default:
      return answer(`m${place}`, chosen);
  }
}

/** All states from the empty one, one per action, as notified. */
function live(deeds: readonly Deed[]) {
  const state = emptyLogState("c", 0);
  const states = [reported(structuredClone(state))];
  const entries: LogEntry[] = [];
  deeds.forEach((done, place) => {
    const entry = toEntry(done, state, place);
    applyEntry(state, entry);
    entries.push(entry);
    states.push(reported(structuredClone(state)));
  });
  return { entries, states };
}

const deeds = fc.array(deed, { maxLength: 40 });

test("replaying the file gives the shown conversation", async (t) => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(deeds, fc.array(fc.nat(6)), async (done, flushes) => {
      const folder = temporaryFolder();
      run += 1;
      const log = createLog(t, folder, `c${run}`);
      live(done).entries.forEach((entry, place) => {
        log.append([entry]);
        if (flushes.includes(place % 7)) log.flush();
      });
      log.close();
      if (done.length === 0) return;
      const { log: again, badLines } = await openLog(t, folder, `c${run}`);
      assert.equal(badLines, 0);
      assert.deepEqual(reported(again.state), reported(log.state));
    }),
    { numRuns: randomCases(60) },
  );
});

test("a log that is cut at any byte is the conversation at an earlier moment", async (t) => {
  await fc.assert(
    fc.asyncProperty(deeds, fc.nat(), async (done, cut) => {
      const folder = temporaryFolder();
      const files = conversationFiles(folder, "c");
      const { entries, states } = live(done);
      const log = createLog(t, folder);
      log.append([{ e: "meta", meta: {} }]);
      log.flush();
      const begun = readFileSync(files.log).length;
      for (const entry of entries) {
        log.append([entry]);
        log.flush();
      }
      log.close();
      const whole = readFileSync(files.log);
      const bytes = whole.subarray(0, begun + (cut % (whole.length - begun + 1)));
      const { state, bad } = parseLog(bytes, "c");
      assert.equal(bad.length, 0);
      assert.ok(states.some((one) => isSame(one, reported(state))));
      // Further writing loses nothing and damages nothing.
      writeFileSync(files.log, bytes);
      const { log: again } = await openLog(t, folder);
      again.append([question("next", null, "on we go")]);
      again.close();
      const { state: later } = parseLog(readFileSync(files.log), "c");
      assert.deepEqual(reported(later), reported(again.state));
    }),
    { numRuns: randomCases(60) },
  );
});

test("a conversation equals its shortest log", () => {
  fc.assert(
    fc.property(deeds, (done) => {
      const state = emptyLogState("c", 7);
      done.forEach((one, place) => {
        applyEntry(state, toEntry(one, state, place));
      });
      const again = parseLog(Buffer.from(toLogText(state)), "c");
      assert.deepEqual(reported(again.state), reported(state));
      assert.equal(again.state.updatedAtMs, state.updatedAtMs);
    }),
  );
});

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}

test("a full disk is reported once, and what it has cut off and was written again is no damaged line", (t) => {
  const folder = temporaryFolder();
  const created = createLog(t, folder);
  created.append([question("q", null, "Why?")]);
  created.flush();
  created.close();
  const errors: unknown[] = [];
  const log = createConversationLog(
    { ...logDeps(folder, "c"), onError: (error) => errors.push(error) },
    emptyLogState("c", 1),
  );
  t.after(() => log.close());
  const { log: path } = conversationFiles(folder, "c");
  renameSync(path, `${path}.away`);
  mkdirSync(path);
  log.append([{ e: "meta", meta: { title: "Named" } }]);
  for (let turn = 0; turn < 3; turn++) log.flush();
  assert.equal(errors.length, 1);
  rmdirSync(path);
  renameSync(`${path}.away`, path);
  log.flush();
  const text = readFileSync(path, "utf8");
  const line = text.split("\n").at(-1) ?? "";
  writeFileSync(path, text.replace(line, `${line.slice(0, 20)}\n${line}`));
  const { bad, state } = parseLog(readFileSync(path), "c");
  assert.deepEqual([bad, state.meta.title], [[], "Named"]);
});
