import { Refusal } from "../../../platform/errors/refusal.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { untilAborted } from "../../../shared/untilAborted.ts";
import type { ToolInput } from "../../../tools/serviceTool.ts";
import { boundedToolText } from "./results/resultText.ts";
import type { CallContext, ChatTool } from "./tool.ts";

/** Timeout of a call in milliseconds. */
const callTimeoutMs = 60_000;

/** The end of a call; `isLate`: it was ended by its timeout. */
export interface CallEnd {
  readonly isError: boolean;
  readonly text: string;
  readonly isLate?: true;
}

/** Runs a call; returns the whole result or an error sentence, and never rejects. */
export async function callTool(
  tool: ChatTool,
  input: ToolInput,
  signal: AbortSignal,
  context: CallContext,
  timeoutMs = tool.timeoutMs ?? callTimeoutMs,
): Promise<CallEnd> {
  const late = AbortSignal.timeout(timeoutMs);
  const whole = AbortSignal.any([signal, late]);
  try {
    signal.throwIfAborted();
    const run =
      tool.run?.(input, whole, context) ?? Promise.reject(new Refusal("A person writes the result."));
    // A tool may ignore its signal, so the timeout does not depend on it.
    return { isError: false, text: await untilAborted(run, whole) };
  } catch (error) {
    if (signal.aborted) return { isError: true, text: "Stopped." };
    if (late.aborted) return { isError: true, text: `No result after ${timeoutMs / 1000} s.`, isLate: true };
    return { isError: true, text: boundedToolText(messageOf(error)) };
  }
}
