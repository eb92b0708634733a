import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type AnswerPart, type AnswerState, isRunning, type Message } from "../../shared/chatMessages.ts";
import type { Op } from "../../shared/chatOps.ts";
import type { ToView } from "../../shared/chatProtocol.ts";
import { emptyReplica, receive } from "../../shared/chatReplica.ts";
import type { ChatState, StateFields } from "../../shared/chatState.ts";
import type { AnswerRenderer } from "./answerRenderer.ts";
import type { ChatBridge } from "./bridge.ts";
import type { Frames } from "./frames.ts";

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
  /** State of the last answer. */
  lastState(): AnswerState | "none";
  /** Streams a part of an answer into `sink` until the returned function is called. */
  stream(id: string, part: AnswerPart, sink: AnswerRenderer): () => void;
}

interface SinkOf {
  readonly id: string;
  readonly part: AnswerPart;
  readonly sink: AnswerRenderer;
}

/** `onText` is called with each new piece of the last answer. */
export function createChatStore(
  bridge: ChatBridge,
  frames: Frames,
  onText: (text: string) => void,
): ChatStore {
  let replica = emptyReplica;
  const turns = new Map<string, Signal<Message>>();
  const sinks = new Map<string, SinkOf>();
  const isReady = signal(false);
  const conversationId = signal("");
  const earlierCount = signal(0);
  const turnIds = signal<readonly string[]>([]);
  const pathLength = computed(() => earlierCount.value + turnIds.value.length);
  const alternativeIds = signal<readonly string[]>([]);
  const fields = new Map<string, Signal<unknown>>();
  const field = (name: string) => {
    const known = fields.get(name) ?? signal<unknown>(undefined);
    fields.set(name, known);
    return known;
  };

  const siblings = new Map<string, Signal<readonly string[]>>();
  const siblingsOf = (id: string) => {
    const known = siblings.get(id) ?? signal(replica.state?.branches[id]?.ids ?? none);
    siblings.set(id, known);
    return known;
  };
  /** Each message has its own signal; earlier messages add theirs when they are loaded. */
  const showBranches = (branches: ChatState["branches"]) => {
    for (const [id, known] of siblings) {
      const ids = branches[id]?.ids ?? none;
      if (ids.join() !== known.peek().join()) known.value = ids;
    }
  };
  const messageOf = (id: string): Message | undefined =>
    replica.state?.messages.findLast((message) => message.id === id) ??
    replica.state?.beside.find((message) => message.id === id);
  const showTurn = (message: Message | undefined) => {
    if (!message) return;
    const known = turns.get(message.id);
    if (known) known.value = message;
    else turns.set(message.id, signal(message));
  };
  const showAll = ({ messages, beside }: ChatState) => {
    for (const message of [...messages, ...beside]) showTurn(message);
    turnIds.value = idsOf(messages);
    alternativeIds.value = idsOf(beside);
    const stored = new Set([...turnIds.value, ...alternativeIds.value]);
    for (const known of [turns, siblings])
      for (const id of known.keys()) if (!stored.has(id)) known.delete(id);
  };
  /** Text in a snapshot may be missing in its renderer, because a restart of the host loses updates. */
  const syncSinks = () => {
    for (const { id, part, sink } of sinks.values()) {
      const message = messageOf(id);
      if (message?.role === "assistant") sink.sync(message[part], !isRunning(message));
    }
  };
  const showOp = (op: Op) => {
    switch (op.op) {
      case "append":
        sinks.get(key(op.id, op.part))?.sink.append(op.at, op.text);
        if (op.part === "text" && op.id === turnIds.value.at(-1)) onText(op.text);
        // The first piece of a part makes its element visible.
        if (op.at === 0) showTurn(messageOf(op.id));
        break;
      case "patch":
        showTurn(messageOf(op.id));
        break;
      case "message":
        showTurn(messageOf(op.message.id));
        turnIds.value = [...turnIds.value, op.message.id];
        break;
      case "beside":
        showTurn(messageOf(op.message.id));
        alternativeIds.value = [...alternativeIds.value, op.message.id];
        break;
      case "earlier":
        for (const message of op.messages) showTurn(message);
        turnIds.value = [...idsOf(op.messages), ...turnIds.value];
        break;
      default:
    }
  };
  const showRest = (state: ChatState) => {
    if (conversationId.peek() !== state.conversationId) bridge.keep({ conversationId: state.conversationId });
    conversationId.value = state.conversationId;
    earlierCount.value = state.earlierCount;
    showBranches(state.branches);
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
        showAll(state);
        syncSinks();
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
    turnIds,
    pathLength,
    field: ((name: string) => field(name).value) as ChatStore["field"],
    peek: ((name: string) => field(name).peek()) as ChatStore["peek"],
    attribute: ((name: string) => field(name)) as ChatStore["attribute"],
    siblings: (id) => siblingsOf(id).value,
    together(id) {
      const mine = turns.get(id)?.peek();
      if (mine?.role !== "assistant" || mine.togetherId === undefined) return [];
      const shown = [...turnIds.value, ...alternativeIds.value].map((other) => turns.get(other)?.peek());
      const ids = shown.flatMap((other) =>
        other?.role === "assistant" && other.togetherId === mine.togetherId ? [other.id] : [],
      );
      const order = siblingsOf(id).value;
      return ids.length > 1 ? ids.sort((one, other) => order.indexOf(one) - order.indexOf(other)) : [];
    },
    turn(id) {
      const known = turns.get(id);
      if (!known) throw new Error(`there is no turn ${id}`);
      return known;
    },
    lastState() {
      const last = replica.state?.messages.at(-1);
      return last?.role === "assistant" ? last.state : "none";
    },
    stream(id, part, sink) {
      const name = key(id, part);
      const mine = { id, part, sink };
      sinks.set(name, mine);
      const message = messageOf(id);
      if (message?.role === "assistant") sink.sync(message[part], !isRunning(message));
      return () => {
        if (sinks.get(name) === mine) sinks.delete(name);
      };
    },
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

function idsOf(messages: readonly Message[]): string[] {
  return messages.map(({ id }) => id);
}

function key(id: string, part: AnswerPart): string {
  return `${part} ${id}`;
}
