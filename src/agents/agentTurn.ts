import type * as z from "zod";
import { type AgentCall, changedCall, planText, titleLine } from "./turnView.ts";
import type { AgentLimits } from "./wire/agentLimits.ts";
import {
  type PermissionOption,
  PermissionRequest,
  ReadRequest,
  type SessionUpdate,
  type Step,
  WriteRequest,
} from "./wire/agentMessages.ts";
import { UnknownMethod } from "./wire/rpcPeer.ts";

/** A step that the agent takes only if the user allows it. */
export interface AgentQuestion {
  readonly call: AgentCall;
  /** As the agent names them: one line each. */
  readonly options: readonly PermissionOption[];
}

/** Lines of a file, from 1; without them the whole file. */
interface ReadLines {
  readonly from: number;
  readonly count: number | undefined;
}

/** The window, as an agent sees it in one turn. */
export interface TurnHost {
  onText(part: "text" | "reasoning", text: string): void;
  /** A step that is new or has changed. */
  onCall(call: AgentCall): void;
  /** Markdown. */
  onPlan(plan: string): void;
  /** Resolves to the id of the option that the user has chosen; undefined if the question is obsolete. */
  ask(question: AgentQuestion, signal: AbortSignal): Promise<string | undefined>;
  /** The text of a file as the user sees it. Paths are absolute. Rejects with a sentence for the agent. */
  read(path: string, lines: ReadLines | undefined, signal: AbortSignal): Promise<string>;
  write(path: string, text: string, signal: AbortSignal): Promise<void>;
}

/** Characters for which a message counts that has fewer: the number of messages is bounded, too. */
const leastLength = 40;

/** One question to an agent, until it has ended. What comes for another session is left out. */
export class AgentTurn {
  readonly #sessionId: string;
  readonly #host: TurnHost;
  readonly #limits: AgentLimits;
  readonly #kill: (why: string) => void;
  readonly #abort = new AbortController();
  readonly #calls = new Map<string, AgentCall>();
  #length = 0;
  /** The number of requests that wait for an answer of the user. */
  #asking = 0;
  #silence: NodeJS.Timeout | undefined;

  constructor(sessionId: string, host: TurnHost, limits: AgentLimits, kill: (why: string) => void) {
    this.#sessionId = sessionId;
    this.#host = host;
    this.#limits = limits;
    this.#kill = kill;
    this.touch();
  }

  /** The time of silence begins again. */
  touch(): void {
    clearTimeout(this.#silence);
    if (this.#asking > 0 || this.#abort.signal.aborted) return;
    this.#silence = setTimeout(() => this.#kill("it has sent nothing for too long"), this.#limits.silenceMs);
  }

  /** Cancels the turn. Its later requests are refused, and the waiting ones are obsolete. Its texts are still taken. */
  cancel(): void {
    this.#abort.abort();
    clearTimeout(this.#silence);
  }

  end(): void {
    this.cancel();
    this.#calls.clear();
  }

  take({ sessionId, update }: SessionUpdate): void {
    if (sessionId !== this.#sessionId) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "agent_thought_chunk": {
        const { text } = update.content;
        const part = update.sessionUpdate === "agent_message_chunk" ? "text" : "reasoning";
        if (text !== "" && this.#isWithin(text.length)) this.#host.onText(part, text);
        break;
      }
      case "tool_call":
      case "tool_call_update":
        this.#step(update);
        break;
      case "plan":
        if (this.#isWithin(planText(update).length)) this.#host.onPlan(planText(update));
        break;
      default:
    }
  }

  /** Answers a request. Rejects with a sentence for the agent. */
  async answer(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case "session/request_permission":
        return { outcome: await this.#permit(this.#read(PermissionRequest, params)) };
      case "fs/read_text_file":
        return { content: await this.#readFile(this.#read(ReadRequest, params)) };
      case "fs/write_text_file": {
        const { path, content } = this.#read(WriteRequest, params);
        this.#abort.signal.throwIfAborted();
        await this.#host.write(path, content, this.#abort.signal);
        return {};
      }
      default:
        throw new UnknownMethod(`There is no method ${titleLine(method)}.`);
    }
  }

  #read<Value extends { readonly sessionId: string }>(schema: z.ZodType<Value>, params: unknown): Value {
    const { data } = schema.safeParse(params);
    if (!data) throw new Error("The parameters are not those of the protocol.");
    if (data.sessionId !== this.#sessionId) throw new Error("There is no such session.");
    return data;
  }

  #step(step: Step): void {
    const before = this.#calls.get(step.toolCallId);
    const call = changedCall(before, step);
    if (!before && this.#calls.size >= this.#limits.calls) {
      this.#kill("it has taken too many steps");
      return;
    }
    if (!this.#isWithin(call.text.length - (before?.text.length ?? 0)) || isSame(before, call)) return;
    this.#calls.set(call.id, call);
    this.#host.onCall(call);
  }

  async #permit({ toolCall, options }: z.infer<typeof PermissionRequest>): Promise<object> {
    this.#step(toolCall);
    const call = this.#calls.get(toolCall.toolCallId);
    if (!call || this.#abort.signal.aborted) return { outcome: "cancelled" };
    const shown = options.map((option) => ({ ...option, name: titleLine(option.name) }));
    this.#asking += 1;
    this.touch();
    try {
      const chosen = await this.#host.ask({ call, options: shown }, this.#abort.signal);
      const isOffered = options.some(({ optionId }) => optionId === chosen);
      if (this.#abort.signal.aborted || !isOffered) return { outcome: "cancelled" };
      return { outcome: "selected", optionId: chosen };
    } finally {
      this.#asking -= 1;
      this.touch();
    }
  }

  #readFile({ path, line, limit }: z.infer<typeof ReadRequest>): Promise<string> {
    this.#abort.signal.throwIfAborted();
    const isPart = (line ?? 0) > 1 || typeof limit === "number";
    const lines = isPart ? { from: Math.max(1, line ?? 1), count: limit ?? undefined } : undefined;
    return this.#host.read(path, lines, this.#abort.signal);
  }

  /** False for a turn that says without end, which is ended. */
  #isWithin(length: number): boolean {
    this.#length += Math.max(leastLength, length);
    if (this.#length <= this.#limits.turnLength) return true;
    this.#kill("its answer is too long");
    return false;
  }
}

function isSame(before: AgentCall | undefined, call: AgentCall): boolean {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(call);
}
