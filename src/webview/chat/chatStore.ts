import { batch, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { ToView } from "../../shared/chatProtocol.ts";
import { emptyReplica, receive } from "../../shared/chatReplica.ts";
import {
  type AnswerPart,
  type AnswerState,
  type ChatState,
  type Draft,
  isBusy,
  isRunning,
  type Message,
  type Models,
  type Op,
  type Problem,
  type Service,
} from "../../shared/chatState.ts";
import type { Bridge } from "./bridge.ts";
import type { Frames } from "./frames.ts";
import type { TextSink } from "./textSink.ts";

/**
 * The page's replica of the host's state, as signals that change only when what they show does. Text that streams goes
 * past them, into the sink of its turn: it costs no component anything.
 */
export interface ChatStore {
  /** False until the first snapshot is here. */
  readonly isReady: ReadonlySignal<boolean>;
  readonly conversationId: ReadonlySignal<string>;
  readonly turnIds: ReadonlySignal<readonly string[]>;
  /** A turn as of its last change in state, not of its last piece of text. */
  turn(id: string): ReadonlySignal<Message>;
  readonly busy: ReadonlySignal<boolean>;
  readonly service: ReadonlySignal<Service | null>;
  readonly models: ReadonlySignal<Models>;
  readonly modelId: ReadonlySignal<string | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  readonly notice: ReadonlySignal<string | null>;
  readonly draft: ReadonlySignal<Draft | undefined>;
  /** How the last answer stands. */
  lastState(): AnswerState | "none";
  /** Streams a part of an answer into `sink` until the returned function is called. */
  stream(id: string, part: AnswerPart, sink: TextSink): () => void;
}

/** `onText` hears every new piece of an answer. */
export function createChatStore(bridge: Bridge, frames: Frames, onText: (text: string) => void): ChatStore {
  let replica = emptyReplica;
  const turns = new Map<string, Signal<Message>>();
  const sinks = new Map<string, TextSink>();
  const isReady = signal(false);
  const conversationId = signal("");
  const turnIds = signal<readonly string[]>([]);
  const busy = signal(false);
  const service = signal<Service | null>(null);
  const models = signal<Models>({ status: "loading" });
  const modelId = signal<string | null>(null);
  const problem = signal<Problem | null>(null);
  const notice = signal<string | null>(null);
  const draft = signal<Draft | undefined>(undefined);

  const messageOf = (id: string) => replica.state?.messages.findLast((message) => message.id === id);
  const showTurn = (message: Message | undefined) => {
    if (!message) return;
    const known = turns.get(message.id);
    if (known) known.value = message;
    else turns.set(message.id, signal(message));
  };
  const showAll = ({ messages }: ChatState) => {
    for (const message of messages) showTurn(message);
    turnIds.value = messages.map(({ id }) => id);
    const kept = new Set(turnIds.value);
    for (const id of turns.keys()) if (!kept.has(id)) turns.delete(id);
  };
  const showOp = (op: Op) => {
    if (op.op === "append") {
      sinks.get(key(op.id, op.part))?.append(op.at, op.text);
      if (op.part === "text") onText(op.text);
    }
    // The first piece of a part gives it its place.
    if (op.op === "patch" || (op.op === "append" && op.at === 0)) showTurn(messageOf(op.id));
    if (op.op === "message") {
      showTurn(messageOf(op.message.id));
      turnIds.value = [...turnIds.value, op.message.id];
    }
  };
  const showRest = (state: ChatState) => {
    conversationId.value = state.conversationId;
    busy.value = isBusy(state);
    service.value = state.service;
    models.value = state.models;
    modelId.value = state.modelId;
    problem.value = state.problem;
    notice.value = state.notice;
    draft.value = state.draft;
    isReady.value = true;
  };
  const hear = (message: ToView) => {
    const { replica: next, outcome } = receive(replica, message);
    if (outcome === "gap") bridge.post("resync", {});
    const { state } = next;
    if (outcome !== "applied" || !state) return;
    replica = next;
    batch(() => {
      if (message.type === "snapshot") showAll(state);
      else for (const op of message.ops) showOp(op);
      showRest(state);
    });
    frames.request(acknowledge);
  };
  /** The next frame may come once this one is drawn. */
  const acknowledge = () => bridge.post("ack", { epoch: replica.epoch, seq: replica.seq });

  bridge.onMessage(hear);
  return {
    isReady,
    conversationId,
    turnIds,
    busy,
    service,
    models,
    modelId,
    problem,
    notice,
    draft,
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
      sinks.set(name, sink);
      const message = messageOf(id);
      if (message?.role === "assistant") sink.sync(message[part], !isRunning(message));
      return () => {
        if (sinks.get(name) === sink) sinks.delete(name);
      };
    },
  };
}

function key(id: string, part: AnswerPart): string {
  return `${part} ${id}`;
}
