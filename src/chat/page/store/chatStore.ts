import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import {
  type AnswerPart,
  type AnswerState,
  askedBySubagent,
  isCallOver,
  isQuestion,
  isRunning,
  type Message,
  type ToolCallCard,
} from "../../protocol/chatMessages.ts";
import { emptyReplica, type Op, receive } from "../../protocol/chatOps.ts";
import type { ToView } from "../../protocol/chatProtocol.ts";
import type { ChatState, StateFields } from "../../protocol/chatState.ts";
import type { AnswerRenderer, Frames } from "../turn/answer/answerRenderer.ts";
import type { ChatBridge } from "./bridge.ts";

/**
 * The page's replica of the host's state, as signals that change only with the shown data. Streamed text bypasses
 * them and goes to the renderer of its turn, so no component is rendered again.
 */
export interface ChatStore {
  /** False until the first snapshot arrives; the fields are set from then on. */
  readonly isReady: ReadonlySignal<boolean>;
  readonly conversationId: ReadonlySignal<string>;
  readonly earlierCount: ReadonlySignal<number>;
  /** The path, oldest first. */
  readonly turnIds: ReadonlySignal<readonly string[]>;
  /** Number of messages in the path, including those that are not loaded. */
  readonly pathLength: ReadonlySignal<number>;
  /** Fields that are replaced as a whole. */
  field<Name extends keyof StateFields>(name: Name): StateFields[Name];
  /** Reads a field without subscribing. */
  peek<Name extends keyof StateFields>(name: Name): StateFields[Name] | undefined;
  /** A signal for an attribute: thousands of buttons change without rendering a component. */
  attribute<Name extends keyof StateFields>(name: Name): ReadonlySignal<StateFields[Name]>;
  /** The versions of this message, itself included, oldest first; empty if there is only one. */
  siblings(id: string): readonly string[];
  /** A turn as of its last change in state; streamed text is not included. */
  turn(id: string): ReadonlySignal<Message>;
  /** Ids of the alternative answers, including this one. Empty without alternatives. */
  together(id: string): readonly string[];
  /**
   * The answers that are rounds of the same task as this one, in order: those between two questions of the path, as far
   * as they are loaded.
   */
  rounds(id: string): readonly string[];
  /** True for the last of them. Subscribes to that alone. */
  isLastRound(id: string): boolean;
  /** The first call that waits for the user's decision. */
  waitingCall: ReadonlySignal<ToolCallCard | undefined>;
  /** State of the last answer; "stopped" also if it has ended with calls, after which no answer came. */
  lastState(): AnswerState | "none";
  /** Streams a part of an answer into `sink` until the returned function is called. */
  stream(id: string, part: AnswerPart, sink: AnswerRenderer): () => void;
}

/** `onText` is called with each new piece of the last answer. */
export function createChatStore(
  bridge: ChatBridge,
  frames: Frames,
  onText: (text: string) => void,
): ChatStore {
  let replica = emptyReplica;
  const isReady = signal(false);
  const conversationId = signal("");
  const earlierCount = signal(0);
  const turns = createTurns(() => replica.state);
  const rounds = createRounds(turns.ids, turns.known);
  const sinks = createSinks(turns.messageOf);
  const fields = new Map<string, Signal<unknown>>();
  const field = (name: string) => signalOf(fields, name, () => undefined);

  const showOp = (op: Op) => {
    if (op.op !== "append") return turns.showOp(op);
    sinks.append(op);
    if (op.part === "text" && op.id === turns.ids.value.at(-1)) onText(op.text);
    // The first piece of a part makes its element visible.
    if (op.at === 0) turns.show(turns.messageOf(op.id));
  };
  const showRest = (state: ChatState) => {
    if (conversationId.peek() !== state.conversationId) bridge.keep({ conversationId: state.conversationId });
    conversationId.value = state.conversationId;
    earlierCount.value = state.earlierCount;
    turns.showBranches(state.branches);
    for (const [name, value] of Object.entries(state))
      if (!drawnElsewhere.has(name)) field(name).value = value;
    isReady.value = true;
  };
  const handle = (message: ToView) => {
    const { replica: next, outcome } = receive(replica, message);
    if (outcome === "gap") bridge.post("resync", {});
    const { state } = next;
    if (outcome !== "applied" || !state) return;
    replica = next;
    batch(() => {
      if (message.type === "snapshot") {
        turns.showAll(state);
        sinks.syncAll();
      } else for (const op of message.ops) showOp(op);
      showRest(state);
    });
    frames.request(acknowledge);
  };
  /** Requests the next frame after this one is rendered. */
  const acknowledge = () => bridge.post("ack", { epoch: replica.epoch, seq: replica.seq });

  bridge.on("snapshot", handle);
  bridge.on("update", handle);
  return {
    isReady,
    conversationId,
    earlierCount,
    turnIds: turns.ids,
    pathLength: computed(() => earlierCount.value + turns.ids.value.length),
    field: ((name: string) => field(name).value) as ChatStore["field"],
    peek: ((name: string) => field(name).peek()) as ChatStore["peek"],
    attribute: ((name: string) => field(name)) as ChatStore["attribute"],
    siblings: (id) => turns.siblingsOf(id).value,
    together: turns.together,
    turn: turns.turn,
    rounds: rounds.of,
    isLastRound: rounds.isLast,
    waitingCall: computed(() =>
      rounds
        .lastCalls()
        .flatMap((call) => [call, ...askedBySubagent(call)])
        .find(({ state, asked }) => state === "asks" || (state === "review" && asked !== undefined)),
    ),
    lastState() {
      const last = replica.state?.messages.at(-1);
      if (last?.role !== "assistant") return "none";
      const { state, calls = [] } = last;
      return state === "done" && calls.length > 0 && calls.every(isCallOver) ? "stopped" : state;
    },
    stream: sinks.stream,
  };
}

const none: readonly string[] = [];
/** Fields with their own signals. */
const drawnElsewhere: ReadonlySet<string> = new Set([
  "conversationId",
  "messages",
  "beside",
  "earlierCount",
  "branches",
]);

/** The messages, each with a signal of its own. */
function createTurns(state: () => ChatState | undefined) {
  const turns = new Map<string, Signal<Message>>();
  const siblings = new Map<string, Signal<readonly string[]>>();
  const ids = signal<readonly string[]>([]);
  const alternativeIds = signal<readonly string[]>([]);
  const siblingsOf = (id: string) => signalOf(siblings, id, () => state()?.branches[id]?.ids ?? none);
  const messageOf = (id: string): Message | undefined =>
    state()?.messages.findLast((message) => message.id === id) ??
    state()?.beside.find((message) => message.id === id);
  const show = (message: Message | undefined) => {
    if (message) signalOf(turns, message.id, () => message).value = message;
  };
  return {
    ids,
    messageOf,
    siblingsOf,
    show,
    showAll({ messages, beside }: ChatState) {
      for (const message of [...messages, ...beside]) show(message);
      ids.value = idsOf(messages);
      alternativeIds.value = idsOf(beside);
      const stored = new Set([...ids.value, ...alternativeIds.value]);
      for (const known of [turns, siblings])
        for (const id of known.keys()) if (!stored.has(id)) known.delete(id);
    },
    showOp(op: Op) {
      if (op.op === "patch") show(messageOf(op.id));
      else if (op.op === "message") {
        show(messageOf(op.message.id));
        ids.value = [...ids.value, op.message.id];
      } else if (op.op === "beside") {
        show(messageOf(op.message.id));
        alternativeIds.value = [...alternativeIds.value, op.message.id];
      } else if (op.op === "earlier") {
        for (const message of op.messages) show(message);
        ids.value = [...idsOf(op.messages), ...ids.value];
      }
    },
    /** Each message has its own signal; earlier messages add theirs when they are loaded. */
    showBranches(branches: ChatState["branches"]) {
      for (const [id, known] of siblings) {
        const next = branches[id]?.ids ?? none;
        if (next.join() !== known.peek().join()) known.value = next;
      }
    },
    together(id: string): readonly string[] {
      const mine = turns.get(id)?.peek();
      if (mine?.role !== "assistant" || mine.togetherId === undefined) return [];
      const shown = [...ids.value, ...alternativeIds.value].map((other) => turns.get(other)?.peek());
      const found = shown.flatMap((other) =>
        other?.role === "assistant" && other.togetherId === mine.togetherId ? [other.id] : [],
      );
      const order = siblingsOf(id).value;
      return found.length > 1 ? found.sort((one, other) => order.indexOf(one) - order.indexOf(other)) : [];
    },
    known: (id: string): ReadonlySignal<Message> | undefined => turns.get(id),
    turn(id: string): ReadonlySignal<Message> {
      const known = turns.get(id);
      if (!known) throw new Error(`there is no turn ${id}`);
      return known;
    },
  };
}

/** The answers between two questions of the path, with what the user said to the task between them. */
function createRounds(
  ids: ReadonlySignal<readonly string[]>,
  turn: (id: string) => ReadonlySignal<Message> | undefined,
) {
  const lastRounds = new WeakMap<ReadonlySignal<Message>, ReadonlySignal<boolean>>();
  const isOfTask = (id: string | undefined) => {
    const message = id === undefined ? undefined : turn(id)?.peek();
    return message !== undefined && !isQuestion(message);
  };
  return {
    of(id: string): readonly string[] {
      const all = ids.peek();
      const index = all.indexOf(id);
      if (index < 0) return [id];
      let [from, to] = [index, index];
      while (isOfTask(all[from - 1])) from -= 1;
      while (isOfTask(all[to + 1])) to += 1;
      return all.slice(from, to + 1);
    },
    isLast(id: string): boolean {
      const message = turn(id);
      const known =
        (message && lastRounds.get(message)) ??
        computed(() => {
          const index = ids.value.indexOf(id);
          return index < 0 || !isOfTask(ids.value[index + 1]);
        });
      if (message) lastRounds.set(message, known);
      return known.value;
    },
    /** The calls of the last answer. */
    lastCalls(): readonly ToolCallCard[] {
      const last = turn(ids.value.at(-1) ?? "")?.value;
      return last?.role === "assistant" ? (last.calls ?? []) : [];
    },
  };
}

interface SinkOf {
  readonly id: string;
  readonly part: AnswerPart;
  readonly sink: AnswerRenderer;
}

/** The renderers of the parts of answers that are on the page. */
function createSinks(messageOf: (id: string) => Message | undefined) {
  const sinks = new Map<string, SinkOf>();
  const sync = ({ id, part, sink }: SinkOf) => {
    const message = messageOf(id);
    if (message?.role === "assistant") sink.sync(message[part], !isRunning(message));
  };
  return {
    append({ id, part, at, text }: Extract<Op, { readonly op: "append" }>) {
      sinks.get(key(id, part))?.sink.append(at, text);
    },
    /** Text in a snapshot may be missing in its renderer, because a restart of the host loses updates. */
    syncAll() {
      for (const one of sinks.values()) sync(one);
    },
    stream(id: string, part: AnswerPart, sink: AnswerRenderer): () => void {
      const name = key(id, part);
      const mine = { id, part, sink };
      sinks.set(name, mine);
      sync(mine);
      return () => {
        if (sinks.get(name) === mine) sinks.delete(name);
      };
    },
  };
}

/** The signal of a key, created at its first use. */
function signalOf<Value>(
  signals: Map<string, Signal<Value>>,
  name: string,
  initial: () => Value,
): Signal<Value> {
  const known = signals.get(name) ?? signal(initial());
  signals.set(name, known);
  return known;
}

function idsOf(messages: readonly Message[]): string[] {
  return messages.map(({ id }) => id);
}

function key(id: string, part: AnswerPart): string {
  return `${part} ${id}`;
}
