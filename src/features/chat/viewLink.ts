import type { AnswerMessage, AnswerPatch, Message, ToolCallCard } from "../../shared/chatMessages.ts";
import type { Op } from "../../shared/chatOps.ts";
import type { ToView } from "../../shared/chatProtocol.ts";
import type { ChatState } from "../../shared/chatState.ts";

/** Milliseconds between two frames of streamed text. */
const frameMs = 30;
/** How long a frame may stay unconfirmed before the link asks again, in milliseconds. */
const ackTimeoutMs = 3000;

/**
 * The way to one view. Text is gathered into frames, and the next frame waits until the view has drawn the last one;
 * all else goes at once. A view that is hidden or not there yet gets nothing: it starts over with a snapshot.
 */
export interface ViewLink {
  /** `urgent` ops do not wait for their turn, and take along what waits before them. */
  push(ops: readonly Op[], urgent: boolean): void;
  /** Sends everything anew, to a view that has just come up or lost its place. */
  hydrate(): void;
  /** The same where a view is there; else nothing. */
  refresh(): void;
  acknowledge(epoch: number, seq: number): void;
  /** Lets go of what waits; the view is hidden or gone. */
  pause(): void;
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
    // An update that is lost shows as a gap in the next one: so there is a next one, even if it carries nothing.
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

/** What goes back to the service as it came may be megabytes, and no view shows it. */
function withoutEcho(op: Op): Op {
  switch (op.op) {
    case "message":
      return { ...op, message: messageWithoutEcho(op.message) };
    case "beside":
      return { ...op, message: answerWithoutEcho(op.message) };
    case "earlier":
      return { ...op, messages: op.messages.map(messageWithoutEcho) };
    case "patch":
      return { ...op, patch: patchWithoutEcho(op.patch) };
    default:
      return op;
  }
}

function stateWithoutEcho(state: ChatState): ChatState {
  const { messages, beside } = state;
  return { ...state, messages: messages.map(messageWithoutEcho), beside: beside.map(answerWithoutEcho) };
}

function messageWithoutEcho(message: Message): Message {
  return message.role === "assistant" ? answerWithoutEcho(message) : message;
}

function answerWithoutEcho(answer: AnswerMessage): AnswerMessage {
  const { echo: _, calls, ...rest } = answer;
  return calls ? { ...rest, calls: calls.map(callWithoutEcho) } : rest;
}

function patchWithoutEcho(patch: AnswerPatch): AnswerPatch {
  const { echo: _, calls, ...rest } = patch;
  return calls ? { ...rest, calls: calls.map(callWithoutEcho) } : rest;
}

function callWithoutEcho({ echo: _, ...call }: ToolCallCard): ToolCallCard {
  return call;
}

/** `ops` and one more; text that continues the last op's text joins it. */
function gathered(ops: Op[], next: Op): Op[] {
  const last = ops.at(-1);
  const continues =
    last?.op === "append" && next.op === "append" && last.id === next.id && last.part === next.part;
  if (continues) ops[ops.length - 1] = { ...last, text: last.text + next.text };
  else ops.push(next);
  return ops;
}
