import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLiveChat } from "../../../../src/chat/host/liveChat.ts";
import type { AnswerMessage } from "../../../../src/chat/protocol/chatMessages.ts";
import { emptyReplica, type Op, receive } from "../../../../src/chat/protocol/chatOps.ts";
import type { ToView } from "../../../../src/chat/protocol/chatProtocol.ts";

const answer = (id: string): AnswerMessage => ({
  role: "assistant",
  id,
  model: "m",
  text: "",
  reasoning: "",
  state: "streaming",
  startedAtMs: 0,
  timing: {},
});

const newChat = () =>
  createLiveChat({
    record: () => {},
    onChange: () => {},
    onBusy: () => {},
    interrupted: () => undefined,
    isOrphaned: () => false,
  });

/** Faults on the way to the view, for each message in turn. */
const fate = fc.constantFrom("arrives", "lost", "twice", "late");

test("a view converges to the host's state, whatever is lost, duplicated or reordered", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fate, fc.string({ maxLength: 4 })), { maxLength: 60 }), (steps) => {
      const chat = newChat();
      let replica = emptyReplica;
      let onTheWay: ToView[] = [];
      const link = chat.connect((message) => onTheWay.push(message));
      const deliver = (message: ToView) => {
        const { replica: next, outcome } = receive(replica, message);
        replica = next;
        if (outcome === "gap") link.hydrate();
        if (outcome === "applied") link.acknowledge(next.epoch, next.seq);
      };
      const drain = () => {
        for (const message of onTheWay.splice(0)) deliver(message);
      };
      link.hydrate();
      drain();
      chat.add(answer("a"), null);
      let late: ToView[] = [];
      for (const [what, text] of steps) {
        const at = chat.state.messages.at(-1)?.text.length ?? 0;
        chat.change({ op: "append", id: "a", part: "text", at, text });
        const now = onTheWay;
        onTheWay = [];
        if (what === "late") late = now;
        if (what === "arrives" || what === "twice") for (const message of now) deliver(message);
        if (what === "twice") for (const message of now) deliver(message);
        if (what !== "late") for (const message of late.splice(0)) deliver(message);
        drain();
      }
      // There is always another message: at the latest the frame by which the link checks that the view exists.
      chat.change({ op: "patch", id: "a", patch: { state: "done" } });
      drain();
      drain();
      assert.deepEqual(replica.state, chat.state);
      chat.disconnect(link);
    }),
  );
});

test("text waits for its frame, and the next frame for the view's acknowledgement", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const chat = newChat();
  const posted: ToView[] = [];
  const link = chat.connect((message) => posted.push(message));
  const add = (text: string) => {
    const at = chat.state.messages.at(-1)?.text.length ?? 0;
    chat.change({ op: "append", id: "a", part: "text", at, text }, false);
  };
  link.hydrate();
  chat.add(answer("a"), null);
  link.acknowledge(0, 1);
  const before = posted.length;
  for (const text of ["a", "b", "c", "d"]) add(text);
  t.mock.timers.tick(40);
  const frames = posted.slice(before);
  for (const text of ["e", "f"]) add(text);
  t.mock.timers.tick(1000);
  assert.equal(posted.length, before + frames.length, "a view that has not drawn yet gets no more");
  link.acknowledge(0, 1 + frames.length);
  t.mock.timers.tick(40);
  const [last] = posted.slice(before + frames.length);
  const ops: readonly Op[] = last?.type === "update" ? last.ops : [];
  assert.deepEqual(
    ops.map((op) => (op.op === "append" ? op.text : op.op)),
    ["ef"],
    "what gathered meanwhile comes as one",
  );
  chat.disconnect(link);
});

test("a view that does not acknowledge is asked again, and then shows what it missed", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const chat = newChat();
  const posted: ToView[] = [];
  const link = chat.connect((message) => posted.push(message));
  link.hydrate();
  t.mock.timers.tick(3000);
  assert.deepEqual(
    posted.map(({ type, seq }) => [type, seq]),
    [
      ["snapshot", 0],
      ["update", 1],
    ],
  );
  assert.ok(posted[1] && receive(emptyReplica, posted[1]).outcome === "gap");
  chat.disconnect(link);
});
