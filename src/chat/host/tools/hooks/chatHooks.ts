import { messageOf } from "../../../../shared/messageOf.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { type ReachedLimit, taskOf } from "../../agent/task.ts";
import type { LiveChat } from "../../conversation/liveChat.ts";
import type { Ready } from "../permits.ts";
import type { CallContext } from "../tool.ts";
import type { CallEnd } from "../toolBox.ts";
import type { HookSays } from "./hookOutput.ts";
import type { WindowHooks } from "./windowHooks.ts";

/** The end of a call that hooks have looked at. */
export interface HookedEnd extends CallEnd {
  /** The call has not run, because the user is to decide about it: why. */
  readonly asks?: string;
}

/** Runs the work of a call. `isFollowed`: hooks run after it, so the calls after it must wait for its end. Never rejects. */
type Work = (isFollowed: boolean) => Promise<CallEnd>;
export type AroundCall = (signal: AbortSignal, work: Work) => Promise<HookedEnd>;

/** A call in its turn. */
export interface HookedCall {
  readonly answerId: string;
  readonly callId: string;
  readonly ready: Ready;
  /** The user has decided about this call. */
  readonly isDecided: boolean;
  readonly changed: CallContext["changed"];
}

/** Characters of a result that a hook gets. */
const maxResponse = 200_000;
/** So often the hooks let one task go on. */
const mostGoneOn = 5;

/** The hooks in one chat: around each call, and at the end of a task. What they say is kept with the answer. */
export class ChatHooks {
  readonly #chat: LiveChat;
  readonly #hooks: Pick<WindowHooks, "has" | "run">;
  readonly #halted = new Map<string, ReachedLimit>();
  /** How often a task went on because of a hook. */
  readonly #goneOn = new Map<string, number>();
  readonly #closed = new AbortController();

  constructor(chat: LiveChat, hooks: Pick<WindowHooks, "has" | "run">) {
    this.#chat = chat;
    this.#hooks = hooks;
  }

  /** Why the task stops after an answer; undefined if no hook has stopped it. */
  haltOf(answerId: string): ReachedLimit | undefined {
    return this.#halted.get(answerId);
  }

  /** Hooks that fail unexpectedly refuse the call: they may have been there to refuse it. */
  around(call: HookedCall): AroundCall {
    return async (signal, work) => {
      try {
        return await this.#around(call, signal, work);
      } catch (error) {
        return { isError: true, text: signal.aborted ? "Stopped." : messageOf(error) };
      }
    };
  }

  async #around(call: HookedCall, signal: AbortSignal, work: Work): Promise<HookedEnd> {
    const { answerId, callId, ready, isDecided, changed } = call;
    const of = { tool_name: ready.tool.name, tool_input: ready.input, tool_use_id: callId };
    const occasion = { session: this.#chat.state.conversationId, signal, changed };
    const before = await this.#hooks.run({ ...occasion, event: "PreToolUse", input: of });
    this.#note(answerId, before);
    if (before.halt !== undefined) this.#halt(answerId, before.halt);
    const refusal = before.refusal ?? before.halt;
    if (refusal !== undefined) return { isError: true, text: `Not run: it was refused by ${refusal}` };
    if (before.ask !== undefined && !isDecided)
      return { isError: true, text: "", asks: `You are asked by ${visibleLine(shortened(before.ask, 500))}` };
    const isFollowed = await this.#hooks.has("PostToolUse");
    const end = await work(isFollowed);
    // The editor has no hooks after a call that failed.
    if (end.isError || !isFollowed) return withContext(end, before.context);
    const response = shortened(end.text, maxResponse);
    const input = { ...of, tool_response: response };
    const after = await this.#hooks.run({ ...occasion, event: "PostToolUse", input });
    this.#note(answerId, after);
    if (after.halt !== undefined) this.#halt(answerId, after.halt);
    return withContext(end, [...before.context, ...after.context]);
  }

  /** The hooks at the end of a task. Resolves to what the model is told if the task is to go on. Never rejects. */
  async taskEnded(answerId: string): Promise<string | undefined> {
    const { conversationId, settings } = this.#chat.state;
    const task = taskOf(this.#chat.tree.pathTo(answerId), settings)?.id ?? answerId;
    const times = this.#goneOn.get(task) ?? 0;
    const changed: CallContext["changed"] = (changes) => {
      const answer = this.#chat.tree.get(answerId);
      if (answer?.role !== "assistant") return;
      const patch = { changes: [...(answer.changes ?? []), ...changes] };
      this.#chat.change({ op: "patch", id: answerId, patch });
    };
    const says = await this.#hooks.run({
      event: "Stop",
      session: conversationId,
      input: { stop_hook_active: times > 0 },
      signal: this.#closed.signal,
      changed,
    });
    this.#note(answerId, says);
    if (says.halt !== undefined || says.goOn === undefined) return undefined;
    if (times >= mostGoneOn) {
      const note = `Hooks have let this task go on ${mostGoneOn} times. It ends here.`;
      this.#note(answerId, { context: [], notes: [note] });
      return undefined;
    }
    this.#goneOn.set(task, times + 1);
    return [`The task goes on because of ${says.goOn}`, ...says.context].join("\n");
  }

  dispose(): void {
    this.#closed.abort();
  }

  #halt(answerId: string, reason: string): void {
    const text = `The task was stopped by ${visibleLine(shortened(reason, 500))}`;
    this.#halted.set(answerId, {
      reason: /[.!?]$/.test(text) ? text : `${text}.`,
      nextStep: "Press Continue to go on.",
    });
  }

  #note(answerId: string, { notes: added }: Pick<HookSays, "context" | "notes">): void {
    const answer = this.#chat.tree.get(answerId);
    if (answer?.role !== "assistant") return;
    const path = this.#chat.tree.pathTo(answerId);
    const known = path.flatMap((message) => (message.role === "assistant" ? (message.notes ?? []) : []));
    // Once in a conversation.
    const fresh = added.filter((note) => !known.includes(note));
    if (fresh.length === 0) return;
    const patch = { notes: [...(answer.notes ?? []), ...fresh] };
    this.#chat.change({ op: "patch", id: answerId, patch });
  }
}

function withContext(end: CallEnd, context: readonly string[]): CallEnd {
  return context.length === 0 ? end : { ...end, text: [end.text, ...context].join("\n") };
}
