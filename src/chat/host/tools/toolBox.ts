import { Refusal } from "../../../platform/errors/refusal.ts";
import { untilAborted } from "../../../shared/untilAborted.ts";
import type { ToolInput } from "../../../tools/serviceTool.ts";
import type { CallContext, ChatTool } from "./tool.ts";

/** Limit of a result in characters; a longer one is cut in the middle. */
export const maxResultLength = 64_000;
/** Timeout of a call in milliseconds. */
const callTimeoutMs = 60_000;

/** The end of a call; `isLate`: it was ended by its timeout. */
export interface CallEnd {
  readonly isError: boolean;
  readonly text: string;
  readonly isLate?: true;
}

/** Runs a call; returns the result or an error sentence, and never rejects. */
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
    return { isError: false, text: boundedToolText(await untilAborted(run, whole)) };
  } catch (error) {
    if (signal.aborted) return { isError: true, text: "Stopped." };
    if (late.aborted) return { isError: true, text: `No result after ${timeoutMs / 1000} s.`, isLate: true };
    return { isError: true, text: boundedToolText(error instanceof Error ? error.message : String(error)) };
  }
}

/** Cuts a long text in the middle: beginning and end are most informative. */
export function boundedToolText(text: string): string {
  if (text.length <= maxResultLength) return text;
  const half = maxResultLength / 2;
  const cut = text.length - maxResultLength;
  return `${text.slice(0, half)}\n… ${cut.toLocaleString("en")} characters were left out …\n${text.slice(-half)}`;
}
