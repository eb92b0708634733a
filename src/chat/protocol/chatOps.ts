import type { AnswerMessage, AnswerPart, AnswerPatch, Message } from "./chatMessages.ts";
import type { ChatState, StateFields } from "./chatState.ts";

export type StatePatch = Partial<StateFields>;

/** A change of one answer. */
export type AnswerOp = Extract<Op, { readonly op: "append" | "patch" }>;

/** One change of the state. */
export type Op =
  /** `at` is the length of the part before the change. Another length shows that a message was lost. */
  | {
      readonly op: "append";
      readonly id: string;
      readonly part: AnswerPart;
      readonly at: number;
      readonly text: string;
    }
  /** Appends to the path, or adds an alternative to its last message. */
  | { readonly op: "message"; readonly message: Message }
  | { readonly op: "beside"; readonly message: AnswerMessage }
  /** Inserts before the first message. */
  | { readonly op: "earlier"; readonly messages: readonly Message[]; readonly earlierCount: number }
  /** May also replace the text: what looked like it was reasoning. */
  | {
      readonly op: "patch";
      readonly id: string;
      readonly patch: AnswerPatch & Partial<Record<AnswerPart, string>>;
    }
  | { readonly op: "set"; readonly patch: StatePatch };

/** The state after one change; undefined if the change does not apply because an earlier one was lost. */
export function applyOp(state: ChatState, op: Op): ChatState | undefined {
  switch (op.op) {
    case "set":
      return { ...state, ...op.patch };
    case "message":
      return { ...state, messages: [...state.messages, op.message] };
    case "beside":
      return { ...state, beside: [...state.beside, op.message] };
    case "earlier":
      return { ...state, messages: [...op.messages, ...state.messages], earlierCount: op.earlierCount };
    default:
      return changeShown(state, op);
  }
}

function changeShown(state: ChatState, op: AnswerOp): ChatState | undefined {
  const messages = changeIn(state.messages, op);
  if (messages) return { ...state, messages };
  const beside = changeIn(state.beside, op);
  return beside ? { ...state, beside } : undefined;
}

function changeIn<Any extends Message>(messages: readonly Any[], op: AnswerOp): Any[] | undefined {
  const index = messages.findLastIndex(({ id }) => id === op.id);
  const message = messages[index];
  const changed = message && changeAnswer(message, op);
  return changed ? messages.with(index, changed as Any) : undefined;
}

/** An answer after one change; undefined if the change does not apply. */
export function changeAnswer(message: Message, op: AnswerOp): AnswerMessage | undefined {
  if (message.role !== "assistant") return undefined;
  if (op.op === "patch") return { ...message, ...op.patch };
  return message[op.part].length === op.at
    ? { ...message, [op.part]: message[op.part] + op.text }
    : undefined;
}

/** A message of the host with the state. `epoch` counts snapshots, `seq` counts the messages after a snapshot from 1. */
export type StateMessage =
  | { readonly type: "snapshot"; readonly epoch: number; readonly seq: 0; readonly state: ChatState }
  | { readonly type: "update"; readonly epoch: number; readonly seq: number; readonly ops: readonly Op[] };

/** A view's copy of the host's state, with its position in the sequence of messages. */
export interface Replica {
  /** Counts snapshots; -1 before the first. */
  readonly epoch: number;
  /** Counts the messages since that snapshot. */
  readonly seq: number;
  readonly state: ChatState | undefined;
}

export const emptyReplica: Replica = { epoch: -1, seq: 0, state: undefined };

/** `gap`: an earlier message is missing, so request a snapshot. `stale`: already applied, ignore it. */
export type ApplyResult = "applied" | "stale" | "gap";

/**
 * Applies one message of the host. The replica converges if messages are lost, duplicated or reordered, as long as a
 * snapshot follows a gap: a snapshot replaces the state, and an update applies once and in order.
 */
export function receive(
  replica: Replica,
  message: StateMessage,
): { readonly replica: Replica; readonly outcome: ApplyResult } {
  const { epoch, seq } = message;
  if (epoch < replica.epoch) return { replica, outcome: "stale" };
  if (message.type === "snapshot") {
    if (epoch === replica.epoch) return { replica, outcome: "stale" };
    return { replica: { epoch, seq, state: message.state }, outcome: "applied" };
  }
  if (epoch > replica.epoch || seq > replica.seq + 1) return { replica, outcome: "gap" };
  if (seq <= replica.seq) return { replica, outcome: "stale" };
  let { state } = replica;
  for (const op of message.ops) state = state && applyOp(state, op);
  return state ? { replica: { epoch, seq, state }, outcome: "applied" } : { replica, outcome: "gap" };
}
