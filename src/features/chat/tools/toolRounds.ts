import type { AnswerMessage, ToolCallCard } from "../../../shared/chatState.ts";
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
  const toCard = (asked: AskedCall): ToolCallCard => {
    const tool = toolOf(asked.name);
    if (!tool) {
      const result = `There is no tool ${asked.name}.`;
      return { ...asked, title: asked.name, says: result, state: "failed", result };
    }
    const input = readInput(tool, asked.arguments);
    const price = tool.price === undefined ? {} : { price: tool.price };
    if (typeof input === "string")
      return { ...asked, title: tool.title, says: tool.title, ...price, state: "failed", result: input };
    return { ...asked, title: tool.title, says: tool.says(input), ...price, state: "asks" };
  };
  return {
    begin(answerId, asked) {
      chat.change({ op: "patch", id: answerId, patch: { calls: asked.map(toCard) } });
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
      if (!tool.run) return set(answerId, callId, { state: "review", result: "" });
      if (decision === "conversation") approvedHere.add(hereKey(tool));
      if (decision === "always") approvals.give(tool);
      void run(answerId, callId, tool, decision === "review");
      if (decision === "conversation" || decision === "always")
        for (const other of answerOf(answerId)?.calls ?? [])
          if (other.state === "asks" && other.name === call.name) void run(answerId, other.id, tool, false);
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
