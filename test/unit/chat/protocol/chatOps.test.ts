import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createLiveChat } from "../../../../src/chat/host/conversation/liveChat.ts";
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

/** A view whose messages meet faults on their way. */
class FaultyView {
  readonly #chat: ReturnType<typeof newChat>;
  readonly #link: ReturnType<ReturnType<typeof newChat>["connect"]>;
  #replica = emptyReplica;
  #onTheWay: ToView[] = [];
  #late: ToView[] = [];

  constructor(chat: ReturnType<typeof newChat>) {
    this.#chat = chat;
    this.#link = chat.connect((message) => this.#onTheWay.push(message));
    this.#link.hydrate();
    this.drain();
  }

  get state() {
    return this.#replica.state;
  }

  close(): void {
    this.#chat.disconnect(this.#link);
  }

  /** The messages on the way meet this, then all that follow from them arrive. */
  meet(what: "arrives" | "lost" | "twice" | "late"): void {
    const now = this.#onTheWay;
    this.#onTheWay = [];
    const times = { arrives: 1, lost: 0, twice: 2, late: 0 }[what];
    for (let time = 0; time < times; time++) this.#deliverAll(now);
    if (what === "late") this.#late = now;
    else this.#deliverAll(this.#late.splice(0));
    this.drain();
  }

  drain(): void {
    this.#deliverAll(this.#onTheWay.splice(0));
  }

  #deliverAll(messages: readonly ToView[]): void {
    for (const message of messages) {
      const { replica, outcome } = receive(this.#replica, message);
      this.#replica = replica;
      if (outcome === "gap") this.#link.hydrate();
      if (outcome === "applied") this.#link.acknowledge(replica.epoch, replica.seq);
    }
  }
}

test("a view converges to the host's state, whatever is lost, duplicated or reordered", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fate, fc.string({ maxLength: 4 })), { maxLength: 60 }), (steps) => {
      const chat = newChat();
      const view = new FaultyView(chat);
      chat.add(answer("a"), null);
      for (const [what, text] of steps) {
        const at = chat.state.messages.at(-1)?.text.length ?? 0;
        chat.change({ op: "append", id: "a", part: "text", at, text });
        view.meet(what);
      }
      // There is always another message: at the latest the frame by which the link checks that the view exists.
      chat.change({ op: "patch", id: "a", patch: { state: "done" } });
      view.drain();
      view.drain();
      assert.deepEqual(view.state, chat.state);
      view.close();
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
