import type { AnswerMessage, AnswerPatch, Message, ToolCallCard } from "../../protocol/chatMessages.ts";
import { applyOp, type Op } from "../../protocol/chatOps.ts";
import type { ToView } from "../../protocol/chatProtocol.ts";
import type { ChatState } from "../../protocol/chatState.ts";

/** Milliseconds between two frames of streamed text. */
const frameMs = 30;
/** Time without a confirmation after which the link sends an update again to ask for one, in milliseconds. */
const ackTimeoutMs = 3000;

/**
 * Connection to one view. Text is collected into frames; the next frame is sent after the view rendered the last one.
 * Other changes are sent at once. A hidden view gets nothing; when it is shown, it gets a snapshot.
 */
export interface ViewLink {
  /** `urgent` ops are sent at once, together with the waiting ones. */
  push(ops: readonly Op[], urgent: boolean): void;
  /** Sends a snapshot to a view that was just opened or has missed an update. */
  hydrate(): void;
  /** Sends a snapshot if there is a view. */
  refresh(): void;
  acknowledge(epoch: number, seq: number): void;
  /** Drops waiting changes; the view is hidden or closed. */
  pause(): void;
}

/** The state that all views of a chat show, and the connections to them. */
export interface SharedState {
  readonly state: ChatState;
  /** Applies changes here and in every view. `urgent` changes are sent without waiting for the next frame. */
  apply(ops: readonly Op[], urgent: boolean): void;
  /** Replaces fields that are too large for changes; every view gets a snapshot. */
  replace(fields: Partial<ChatState>): void;
  connect(post: (message: ToView) => void): ViewLink;
  disconnect(link: ViewLink): void;
}

export function createSharedState(initial: ChatState): SharedState {
  let state = initial;
  const links = new Set<ViewLink>();
  return {
    get state() {
      return state;
    },
    apply(ops, urgent) {
      for (const op of ops) {
        const next = applyOp(state, op);
        if (!next) throw new Error(`change ${op.op} does not fit the shown conversation`);
        state = next;
      }
      for (const link of links) link.push(ops, urgent);
    },
    replace(fields) {
      state = { ...state, ...fields };
      for (const link of links) link.refresh();
    },
    connect(post) {
      const link = createViewLink(post, () => state);
      links.add(link);
      return link;
    },
    disconnect(link) {
      link.pause();
      links.delete(link);
    },
  };
}

export function createViewLink(post: (message: ToView) => void, state: () => ChatState): ViewLink {
  let live = false;
  let epoch = -1;
  let seq = 0;
  let pending: Op[] = [];
  let unconfirmed = false;
  let lastFrameAtMs = 0;
  let frameTimer: NodeJS.Timeout | undefined;
  let ackTimer: NodeJS.Timeout | undefined;

  const expectAck = () => {
    unconfirmed = true;
    clearTimeout(ackTimer);
    // A lost update is detected by the gap before the next one, so an empty one is sent if nothing follows.
    ackTimer = setTimeout(flush, ackTimeoutMs);
  };
  const flush = () => {
    clearTimeout(frameTimer);
    frameTimer = undefined;
    lastFrameAtMs = performance.now();
    seq += 1;
    const ops = pending;
    pending = [];
    expectAck();
    post({ v: 1, type: "update", epoch, seq, ops });
  };
  const schedule = () => {
    if (unconfirmed || frameTimer || pending.length === 0) return;
    const wait = lastFrameAtMs + frameMs - performance.now();
    if (wait <= 0) flush();
    else frameTimer = setTimeout(flush, wait);
  };
  const reset = () => {
    clearTimeout(frameTimer);
    clearTimeout(ackTimer);
    frameTimer = undefined;
    pending = [];
    unconfirmed = false;
  };
  const hydrate = () => {
    reset();
    live = true;
    epoch += 1;
    seq = 0;
    expectAck();
    post({ v: 1, type: "snapshot", epoch, seq: 0, state: stateWithoutEcho(state()) });
  };
  return {
    push(ops, urgent) {
      if (!live || ops.length === 0) return;
      for (const op of ops) pending = gathered(pending, withoutEcho(op));
      if (urgent) flush();
      else schedule();
    },
    hydrate,
    refresh() {
      if (live) hydrate();
    },
    acknowledge(ackedEpoch, ackedSeq) {
      if (!live || ackedEpoch !== epoch || ackedSeq < seq) return;
      clearTimeout(ackTimer);
      unconfirmed = false;
      schedule();
    },
    pause() {
      reset();
      live = false;
    },
  };
}

/** Omits the data for the service, which may be megabytes and is never shown. */
function withoutEcho(op: Op): Op {
  switch (op.op) {
    case "message":
      return { ...op, message: messageWithoutEcho(op.message) };
    case "beside":
      return { ...op, message: answerWithoutEcho(op.message) };
    case "earlier":
      return { ...op, messages: op.messages.map(messageWithoutEcho) };
    case "patch":
      return { ...op, patch: answerWithoutEcho(op.patch) };
    default:
      return op;
  }
}

function stateWithoutEcho(state: ChatState): ChatState {
  const { messages, beside } = state;
  return {
    ...state,
    messages: messages.map(messageWithoutEcho),
    beside: beside.map((answer) => answerWithoutEcho(answer)),
  };
}

function messageWithoutEcho(message: Message): Message {
  return message.role === "assistant" ? answerWithoutEcho(message) : message;
}

function answerWithoutEcho(answer: AnswerMessage): AnswerMessage;
function answerWithoutEcho(answer: AnswerPatch): AnswerPatch;
function answerWithoutEcho(answer: AnswerMessage | AnswerPatch): AnswerMessage | AnswerPatch {
  const { echo: _, calls, ...rest } = answer;
  return calls ? { ...rest, calls: calls.map(callWithoutEcho) } : rest;
}

function callWithoutEcho({ echo: _, ...call }: ToolCallCard): ToolCallCard {
  return call;
}

/** Adds an op; text that continues the last op's text is merged into it. */
function gathered(ops: Op[], next: Op): Op[] {
  const last = ops.at(-1);
  const continues =
    last?.op === "append" && next.op === "append" && last.id === next.id && last.part === next.part;
  if (continues) ops[ops.length - 1] = { ...last, text: last.text + next.text };
  else ops.push(next);
  return ops;
}
