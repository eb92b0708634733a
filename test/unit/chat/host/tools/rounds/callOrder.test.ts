// The order of the calls of one reply: the pure rule against a model, and the rounds of a chat that obey it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import {
  type CallEffect,
  mayBegin,
  type OrderedCall,
} from "../../../../../../src/chat/host/tools/rounds/callOrder.ts";
import { createToolRounds } from "../../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { isCallOver } from "../../../../../../src/chat/protocol/chatMessages.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { answerWith, silent } from "../../../answerMessage.ts";
import { noResults } from "../../../noResults.ts";

const effects: readonly CallEffect[] = ["reads", "writes", "acts"];

/** Whether a later call may begin while an earlier one has not ended. */
const canOverlap = (earlier: OrderedCall, later: CallEffect): boolean =>
  (earlier.effect === "reads" && later === "reads") ||
  (earlier.effect === "writes" && later === "writes" && earlier.phase === "running");

test("no call begins before what it may rely on has ended, and each one begins in the end", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...effects), { maxLength: 12 }),
      fc.infiniteStream(fc.nat()),
      (kinds, random) => {
        const calls: OrderedCall[] = kinds.map((effect) => ({ effect, phase: "open" }));
        const pick = (from: readonly number[]) => from[(random.next().value ?? 0) % from.length] ?? -1;
        // At most a beginning and an end of each.
        for (let step = 0; step < 2 * kinds.length; step++) {
          const indexes = [...calls.keys()];
          const ready = indexes.filter((index) => mayBegin(calls, index));
          for (const index of indexes) {
            const [call, before] = [calls[index], calls.slice(0, index)];
            if (call?.phase !== "open") continue;
            const mayOverlap = before.every((one) => one.phase === "over" || canOverlap(one, call.effect));
            assert.equal(ready.includes(index), mayOverlap);
          }
          const running = indexes.filter((index) => calls[index]?.phase === "running");
          const isBeginning =
            ready.length > 0 && (running.length === 0 || (random.next().value ?? 0) % 2 === 0);
          const index = pick(isBeginning ? ready : running);
          const { effect } = calls[index] ?? assert.fail("nothing may begin, and nothing runs");
          calls[index] = { effect, phase: isBeginning ? "running" : "over" };
        }
        assert.ok(calls.every(({ phase }) => phase === "over"));
      },
    ),
  );
});

test("reads run beside each other, and so do 32 edits", () => {
  for (const effect of ["reads", "writes"] as const) {
    const calls: OrderedCall[] = Array.from({ length: 32 }, () => ({ effect, phase: "open" }));
    for (const index of calls.keys()) {
      assert.ok(mayBegin(calls, index));
      calls[index] = { effect, phase: "running" };
    }
  }
});

interface Step {
  readonly kind: "read" | "edit" | "patch" | "command" | "network";
  /** What the user does with it if it asks. */
  readonly decision: "once" | "task" | "skip";
  readonly fails: boolean;
}

/** An agent whose calls end when they are told to; `log` has their beginnings and ends. */
function openAgent(steps: readonly Step[]) {
  const log: string[] = [];
  const ends = new Map<number, () => void>();
  const running = new Set<number>();
  const tools = (["read", "edit", "patch", "command", "network"] as const).map(
    (kind): ChatTool => ({
      ...(kind === "patch" ? { kind: "edit", readsFirst: true } : { kind }),
      name: kind,
      title: kind,
      description: kind,
      parameters: { type: "object" },
      origin: "built-in",
      fingerprint: async () => kind,
      scopes: ({ index }) => [String(index)],
      summary: ({ index }) => `${kind} ${index}`,
      run: ({ index }) =>
        new Promise((resolve, reject) => {
          const number = Number(index);
          for (const other of running) log.push(`${other}|${number}`);
          running.add(number);
          ends.set(number, () => {
            running.delete(number);
            if (steps[number]?.fails) reject(new Error("failed"));
            else resolve("done");
          });
        }),
    }),
  );
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent", tools: ["network"] } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a", { startedAtMs: Date.now() }), "q");
  let isNext = false;
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => tools,
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    connectionId: () => "c",
    next() {
      isNext = true;
    },
  });
  rounds.begin(
    "a",
    steps.map(({ kind }, index) => ({ id: `c${index}`, name: kind, arguments: JSON.stringify({ index }) })),
    tools.map(({ name }) => name),
  );
  const calls = () => {
    const answer = chat.tree.get("a");
    return (answer?.role === "assistant" && answer.calls) || [];
  };
  return { rounds, calls, ends, log, chat, isNext: () => isNext };
}

const effectOf = (kind: Step["kind"]): CallEffect =>
  kind === "command" || kind === "patch" ? "acts" : kind === "edit" ? "writes" : "reads";

const step = fc.record<Step>({
  kind: fc.constantFrom("read", "edit", "patch", "command", "network"),
  decision: fc.constantFrom("once", "task", "skip"),
  fails: fc.boolean(),
});

test("random replies, decided and ended in any order: nothing overlaps that must not, and the model goes on", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.infiniteStream(fc.nat()),
      async (steps, random) => {
        const agent = openAgent(steps);
        // Each step decides about a call or ends it.
        for (let count = 0; count < 4 * steps.length && !agent.isNext(); count++) {
          await nextTurn();
          const asking = agent.calls().flatMap(({ state }, index) => (state === "asks" ? [index] : []));
          const events = [
            ...asking.map((index) => () => {
              const { decision } = steps[index] ?? assert.fail();
              agent.rounds.decide("a", `c${index}`, decision);
            }),
            ...[...agent.ends].map(([index, end]) => () => {
              agent.ends.delete(index);
              end();
            }),
          ];
          if (agent.isNext()) break;
          const event = events[(random.next().value ?? 0) % events.length];
          assert.ok(event, `nothing can happen: ${agent.calls().map(({ state }) => state)}`);
          event();
        }
        await nextTurn();
        assert.ok(agent.isNext(), "the model goes on");
        for (const pair of agent.log) {
          const [one = 0, other = 0] = pair.split("|").map(Number);
          const [first, second] = [steps[Math.min(one, other)], steps[Math.max(one, other)]];
          assert.ok(first && second);
          // A read that the user approves late begins beside later ones.
          assert.ok(one < other || effectOf(first.kind) === "reads", "in the order of the reply");
          assert.equal(effectOf(first.kind), effectOf(second.kind));
          assert.notEqual(effectOf(first.kind), "acts");
        }
      },
    ),
    { numRuns: randomCases(60) },
  );
});

test("a stop at any moment ends every call, and what waited does not begin", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), fc.nat(8), async (steps, turns) => {
      const agent = openAgent(steps);
      for (let turn = 0; turn < turns; turn++) {
        await nextTurn();
        const [first] = agent.ends;
        if (first && turn % 2 === 0) {
          agent.ends.delete(first[0]);
          first[1]();
        }
      }
      const begun = new Set(agent.ends.keys());
      void agent.rounds.stop();
      for (const [index, call] of agent.calls().entries()) {
        assert.ok(isCallOver(call));
        if (begun.has(index) && steps[index]?.kind !== "command") assert.equal(call.state, "stopped");
      }
      const count = agent.ends.size;
      for (const end of agent.ends.values()) end();
      for (let turn = 0; turn < 5; turn++) await nextTurn();
      assert.equal(agent.ends.size, count, "nothing began after the stop");
      assert.equal(agent.isNext() && begun.size > 0, false);
    }),
    { numRuns: randomCases(40) },
  );
});

test("an approved call waits for its turn, and asks again after another chat was opened", async () => {
  const agent = openAgent([
    { kind: "edit", decision: "once", fails: false },
    { kind: "command", decision: "once", fails: false },
    { kind: "read", decision: "once", fails: false },
  ]);
  await nextTurn();
  assert.deepEqual(
    agent.calls().map(({ state }) => state),
    ["runs", "asks", "waits"],
  );
  agent.rounds.decide("a", "c1", "once");
  assert.equal(agent.calls()[1]?.state, "waits");
  agent.ends.get(0)?.();
  await nextTurn();
  assert.deepEqual(
    agent.calls().map(({ state }) => state),
    ["done", "runs", "waits"],
  );
  // The user opens another chat: the user decides anew about what waited.
  void agent.rounds.leave();
  assert.deepEqual(
    agent.calls().map(({ state }) => state),
    ["done", "refused", "asks"],
  );
});
