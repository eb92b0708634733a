import { randomUUID } from "node:crypto";
import type { AnswerMessage, ToolCallCard } from "../../../shared/chatMessages.ts";
import type { AskedCall } from "../answering.ts";
import type { LiveChat } from "../liveChat.ts";
import type { ChatTool } from "./tool.ts";
import { bounded, callTool, readInput } from "./toolBox.ts";

/** What a person says to a call: `review` runs it and shows the result before it goes back. */
export type ToolDecision = "once" | "review" | "conversation" | "always" | "refuse";

/** The tools that need not ask any more. */
export interface Approvals {
  isGiven(tool: ChatTool): boolean;
  give(tool: ChatTool): void;
}

export interface ToolRoundsDeps {
  readonly chat: LiveChat;
  readonly tools: () => readonly ChatTool[];
  readonly approvals: Approvals;
  /** Has the model go on from an answer whose calls are all over. */
  readonly next: (answerId: string) => void;
}

/** The calls that models ask for: each is shown, approved, run and bounded, then the model goes on. */
export interface ToolRounds {
  begin(answerId: string, calls: readonly AskedCall[]): void;
  decide(answerId: string, callId: string, decision: ToolDecision): void;
  /** The result as a person wrote or changed it. */
  give(answerId: string, callId: string, result: string): void;
  /** Refuses what still asks, and ends what runs. */
  stop(): void;
}

/** Answers that ask for calls, one after the other, before a person has to say that it may go on. */
const maxRounds = 25;

export function createToolRounds({ chat, tools, approvals, next }: ToolRoundsDeps): ToolRounds {
  const running = new Map<string, AbortController>();
  /** Approved for a conversation, by its id and the tool's fingerprint. */
  const approvedHere = new Set<string>();
  const hereKey = (tool: ChatTool) => `${chat.state.conversationId} ${tool.fingerprint}`;
  const answerOf = (id: string): AnswerMessage | undefined => {
    const message = chat.tree.get(id);
    return message?.role === "assistant" ? message : undefined;
  };
  const toolOf = (name: string) => tools().find((tool) => tool.name === name);
  const isAllowed = (tool: ChatTool) => approvedHere.has(hereKey(tool)) || approvals.isGiven(tool);

  const set = (answerId: string, callId: string, change: Partial<ToolCallCard>) => {
    const answer = answerOf(answerId);
    if (!answer) return;
    const calls = (answer.calls ?? []).map((call) => (call.id === callId ? { ...call, ...change } : call));
    chat.change({ op: "patch", id: answerId, patch: { calls } });
  };
  const goOnWhenOver = (answerId: string) => {
    const calls = answerOf(answerId)?.calls ?? [];
    if (calls.length === 0 || !calls.every(isOver)) return;
    if (roundsBefore(chat, answerId) < maxRounds) next(answerId);
    else
      chat.set({
        notice: `The model asked for tools ${maxRounds} times in a row. Press Continue to let it go on.`,
      });
  };
  const run = async (answerId: string, callId: string, tool: ChatTool, isReviewed: boolean) => {
    const call = callOf(answerOf(answerId), callId);
    const input = call && readInput(tool, call.arguments);
    if (!call || typeof input === "string" || input === undefined) return;
    const abort = new AbortController();
    running.set(callId, abort);
    set(answerId, callId, { state: "runs" });
    const { isError, text } = await callTool(tool, input, abort.signal);
    // Stopped meanwhile: that has said all.
    if (!running.delete(callId)) return;
    const over = isError ? "failed" : "done";
    set(answerId, callId, { state: isReviewed ? "review" : over, result: text });
    goOnWhenOver(answerId);
  };
  const toCard = ({ id, name, arguments: text, isCustom, echo }: AskedCall): ToolCallCard => {
    const asked = { id, name, arguments: text, ...(isCustom ? { isCustom } : {}), ...(echo ? { echo } : {}) };
    if (isCustom) {
      const result = `${name} was called as a custom tool, and this client has function tools alone.`;
      return {
        ...asked,
        title: name,
        says: "A custom tool, which can't be run here",
        state: "failed",
        result,
      };
    }
    const tool = toolOf(name);
    if (!tool) {
      const result = `There is no tool ${asked.name}.`;
      return { ...asked, title: asked.name, says: result, state: "failed", result };
    }
    const input = readInput(tool, asked.arguments);
    const price = tool.price === undefined ? {} : { price: tool.price };
    if (typeof input === "string")
      return { ...asked, title: tool.title, says: tool.title, ...price, state: "failed", result: input };
    return { ...asked, title: tool.title, says: visible(tool.says(input)), ...price, state: "asks" };
  };
  /** The card as it has to be now, where it is another one than a person read: a file can hold any card. */
  const corrected = (shown: ToolCallCard): ToolCallCard | undefined => {
    const card = toCard(shown);
    const isSame = (["title", "says", "price", "state"] as const).every((name) => card[name] === shown[name]);
    return isSame ? undefined : card;
  };
  return {
    begin(answerId, asked) {
      chat.change({ op: "patch", id: answerId, patch: { calls: toldApart(asked).map(toCard) } });
      for (const { id, state, name } of answerOf(answerId)?.calls ?? []) {
        const tool = toolOf(name);
        if (state === "asks" && tool?.run && isAllowed(tool)) void run(answerId, id, tool, false);
      }
      goOnWhenOver(answerId);
    },
    decide(answerId, callId, decision) {
      const call = callOf(answerOf(answerId), callId);
      const tool = call && toolOf(call.name);
      if (call?.state !== "asks") return;
      if (decision === "refuse" || !tool) {
        set(answerId, callId, { state: "refused" });
        return goOnWhenOver(answerId);
      }
      const card = corrected(call);
      if (card) {
        const calls = (answerOf(answerId)?.calls ?? []).map((one) => (one === call ? card : one));
        chat.change({ op: "patch", id: answerId, patch: { calls } });
        return goOnWhenOver(answerId);
      }
      if (!tool.run) return set(answerId, callId, { state: "review", result: "" });
      if (decision === "conversation") approvedHere.add(hereKey(tool));
      if (decision === "always") approvals.give(tool);
      void run(answerId, callId, tool, decision === "review");
      if (decision === "conversation" || decision === "always")
        for (const other of answerOf(answerId)?.calls ?? [])
          if (other.state === "asks" && other.name === call.name && !corrected(other))
            void run(answerId, other.id, tool, false);
    },
    give(answerId, callId, result) {
      if (callOf(answerOf(answerId), callId)?.state !== "review") return;
      set(answerId, callId, { state: "done", result: bounded(result) });
      goOnWhenOver(answerId);
    },
    stop() {
      for (const abort of running.values()) abort.abort();
      running.clear();
      for (const node of chat.tree.nodes) {
        const waits = node.role === "assistant" && (node.calls ?? []).some((call) => !isOver(call));
        if (!waits) continue;
        const calls = (node.calls ?? []).map((call) =>
          isOver(call) ? call : { ...call, state: "refused" as const },
        );
        chat.change({ op: "patch", id: node.id, patch: { calls } });
      }
    },
  };
}

/** A word on a call is a word on that one alone: of two with one id the second gets another. */
function toldApart(asked: readonly AskedCall[]): AskedCall[] {
  const seen = new Set<string>();
  return asked.map((call) => {
    const id = seen.has(call.id) ? randomUUID() : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

/** Signs that can't be seen, or turn the direction of what follows them, as the escapes that they would be in code. */
function visible(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function callOf(answer: AnswerMessage | undefined, callId: string): ToolCallCard | undefined {
  return answer?.calls?.find(({ id }) => id === callId);
}

function isOver({ state }: ToolCallCard): boolean {
  return state === "done" || state === "failed" || state === "refused";
}

/** Answers with calls in a row that end with this one. */
function roundsBefore({ tree }: LiveChat, answerId: string): number {
  const path = tree.pathTo(answerId);
  return path.length - 1 - path.findLastIndex((message) => message.role === "user" || !message.calls?.length);
}
