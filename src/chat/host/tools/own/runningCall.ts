import type { ToolCallCard } from "../../../protocol/chatMessages.ts";
import type { AroundCall, HookedEnd } from "../hooks/chatHooks.ts";
import type { Ready } from "../permits.ts";
import { boundedToolText } from "../results/resultText.ts";
import { type BegunCommand, type EndReason, earlyEndText, notRunText } from "../rounds/earlyEnd.ts";
import type { CallContext, ChatTool } from "../tool.ts";
import { callTool } from "../toolBox.ts";

/** The end of a call that was stopped. */
export type StoppedCall = Pick<ToolCallCard, "result"> & { readonly state: "stopped" | "refused" };

/** A call that runs, or waits for its turn among billed calls. It knows what to tell about it when it is stopped. */
export class RunningCall {
  readonly #ready: Ready;
  readonly #abort = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  /** Resolves once its work has ended, which for a stopped call may be some time later. */
  readonly whenOver = this.#over.promise;
  /** Of the monotonic clock; undefined before its work begins. */
  #beganMs: number | undefined;
  #endedMs: number | undefined;
  #soFar: (() => BegunCommand) | undefined;
  #reason: Exclude<EndReason, "late"> | undefined;
  /** What came after it was stopped. */
  #result: string | undefined;

  constructor(ready: Ready) {
    this.#ready = ready;
  }

  /** Its end says what it has done to the workspace. */
  get hasEffects(): boolean {
    const { kind } = this.#ready.tool;
    return kind === "command" || kind === "edit";
  }

  /** Never rejects. `onLate` is called if more is known of a stopped call, because its work has ended only now. */
  async run(
    context: Omit<CallContext, "began">,
    onLate: (call: StoppedCall) => void,
    around: AroundCall = (_, work) => work(false),
  ): Promise<HookedEnd> {
    const { tool, input } = this.#ready;
    const { run } = tool;
    const began = (soFar: () => BegunCommand) => {
      this.#soFar = soFar;
    };
    const noted: NonNullable<ChatTool["run"]> = (...given) => {
      this.#beganMs = performance.now();
      const running = run ? run(...given) : Promise.reject(new Error("A person writes the result."));
      const end = (result?: string) => {
        this.#result = result;
        if (this.#reason !== undefined) onLate(this.#stopped(this.#reason));
        this.#over.resolve();
      };
      running.then(end, () => end());
      return running;
    };
    const { signal } = this.#abort;
    const end = await around(signal, (isFollowed) => {
      const whole = { ...context, ...(isFollowed ? { written() {} } : {}), began };
      return callTool({ ...tool, run: noted }, input, signal, whole);
    });
    if (this.#beganMs === undefined) this.#over.resolve();
    return end.isLate ? { ...end, text: this.#text("late") } : end;
  }

  stop(reason: Exclude<EndReason, "late">): StoppedCall {
    this.#reason = reason;
    this.#endedMs = performance.now();
    this.#abort.abort();
    return this.#stopped(reason);
  }

  #stopped(reason: Exclude<EndReason, "late">): StoppedCall {
    const { kind } = this.#ready.tool;
    // A command tells when it begins.
    const hasBegun = kind === "command" ? this.#soFar !== undefined : this.#beganMs !== undefined;
    return hasBegun
      ? { state: "stopped", result: this.#text(reason) }
      : { state: "refused", result: notRunText(reason) };
  }

  #text(reason: EndReason): string {
    const { kind, price } = this.#ready.tool;
    const endMs = this.#endedMs ?? performance.now();
    const seconds = (endMs - (this.#beganMs ?? endMs)) / 1000;
    const [begun, result] = [this.#soFar?.(), this.#result];
    return boundedToolText(
      earlyEndText({ kind, isPaid: price !== undefined, reason, seconds, begun, result }),
    );
  }
}
