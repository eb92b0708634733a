import { setTimeout as sleep } from "node:timers/promises";
import { mayHaveHappened } from "../../../../shared/mayHaveHappened.ts";
import type { ToolKind } from "../../../protocol/agentModes.ts";
import type { ToolCallCard } from "../../../protocol/chatMessages.ts";
import { unansweredQuestion } from "../../../protocol/userQuestion.ts";

/** Why a call did not end by itself: the user pressed Stop, opened another chat, or closed the window; or it took too long. */
export type EndReason = "stopped" | "left" | "closed" | "late";

/** A call that was ended early. */
export interface EarlyEnd {
  readonly kind: ToolKind;
  readonly isPaid: boolean;
  readonly reason: EndReason;
  /** From its beginning. */
  readonly seconds: number;
  /** What a command has told; undefined if it has not begun. */
  readonly begun?: BegunCommand | undefined;
  /** It could not be ended any more: this is its result. */
  readonly result?: string | undefined;
}

/** A command that has begun. */
export interface BegunCommand {
  /** Its output so far; undefined if only its terminal has it. */
  readonly output: string | undefined;
  /** Its id if it goes on in the background. */
  readonly background?: string;
}

const causes = {
  stopped: "The user stopped",
  left: "The user opened another chat, which stopped",
  closed: "The window was closed, which stopped",
} as const;

/** The reply to the model: what is known about the effects of the call. */
export function earlyEndText({ kind, isPaid, reason, seconds, begun, result }: EarlyEnd): string {
  const after = `after ${shortSeconds(seconds)} s`;
  const noun = kind === "command" ? "command" : "call";
  const cause =
    reason === "late"
      ? `No result ${after}, so the ${noun} was given up`
      : `${causes[reason]} this ${noun} ${after}`;
  if (begun?.background !== undefined)
    return `${cause}. It goes on in the background as ${begun.background}: read its output with read_command_output.`;
  if (kind === "command")
    return begun ? `${cause}; it had run. ${outputText(begun.output)}` : `${cause}; it had not begun.`;
  if (result !== undefined) return `${cause}, but it ended all the same, with this result:\n${result}`;
  if (kind === "edit") return `${cause}. ${mayHaveHappened.edit}`;
  if (isPaid) return `${cause}. ${mayHaveHappened.paid}`;
  return `${cause}. There is no result, and nothing was changed.`;
}

function outputText(output: string | undefined): string {
  if (output === undefined) return "Its output is in its terminal.";
  return output.trim() === "" ? "None of its output had arrived." : `Output so far:\n${output.trim()}`;
}

function shortSeconds(seconds: number): string {
  return seconds < 9.95 ? String(Math.round(seconds * 10) / 10) : String(Math.round(seconds));
}

/** Replies for calls that did not begin. */
const notRun = {
  stopped: "The user stopped before this call began: it was not run.",
  left: "The user opened another chat before this call began: it was not run.",
  closed: "The window was closed before this call began: it was not run.",
  halted: "A hook stopped the task before this call began: it was not run.",
} as const;

export function notRunText(reason: keyof typeof notRun): string {
  return notRun[reason];
}

/** The reply for a call whose result the user read and did not send back. */
export const withheldText =
  "This call has run. The user read its result first, and stopped before sending it back.";

/** The reply for a call that was running when its process ended, as after a crash. */
export function interruptedText(kind: ToolKind | undefined): string {
  const effects: Readonly<Record<ToolKind, string>> = {
    command: mayHaveHappened.command,
    edit: mayHaveHappened.edit,
    network: mayHaveHappened.paid,
    read: "There is no result, and nothing was changed.",
    plan: "There is no result.",
  };
  const effect = kind === undefined ? mayHaveHappened.unknown : effects[kind];
  return `The window was closed while this call ran. ${effect}`;
}

function skippedText(reason: string | undefined): string {
  const skipped = "The user skipped this call: nothing was done.";
  return reason === undefined
    ? `${skipped} Go on without its result.`
    : `${skipped} The user's reason, by which you go on: ${reason}`;
}

/** The reply to the model for a call in any state. A call that has run is never told as skipped. */
export function replyTo({ state, result, kind, asked, skipReason }: ToolCallCard): string {
  switch (state) {
    case "done":
    case "failed":
    case "stopped":
      return result ?? interruptedText(kind);
    case "runs":
      return "This call is still running, so its result is not known yet.";
    // The user has not sent this result back.
    case "review":
      return asked ? unansweredQuestion : withheldText;
    case "asks":
    case "waits":
      return "This call was not run: it waits for the user's decision, or for another call.";
    case "refused":
      return result ?? skippedText(skipReason);
    default:
      return state satisfies never;
  }
}

/** The end of a chat waits so long for files that are being changed, and a question for what was stopped before it. */
const mostWaitMs = 5000;

/** Waits for what is ending, but not for long. */
export async function inTime(ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending, sleep(mostWaitMs, undefined, { ref: false })]);
}
