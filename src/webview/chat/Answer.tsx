import type { JSX } from "preact";
import { memo } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import { type AnswerMessage, isRunning } from "../../shared/chatState.ts";
import type { ErrorActionId } from "../../shared/errorActions.ts";
import type { Highlighter } from "../markdown/highlighter.ts";
import { formatSeconds, formatUsage } from "./format.ts";
import { IconButton } from "./icons.tsx";
import { MarkdownView } from "./MarkdownView.tsx";
import { Problem, useSecondsUntil } from "./Problem.tsx";

export interface AnswerProps {
  readonly message: AnswerMessage;
  readonly modelName: string;
  readonly isLast: boolean;
  readonly highlighter: Highlighter;
  readonly onCopy: (answerId: string) => void;
  readonly onRetry: (answerId: string) => void;
  readonly onAction: (action: ErrorActionId, answerId: string) => void;
}

const notes: Readonly<Partial<Record<AnswerMessage["state"], string>>> = {
  stopped: "Stopped",
  "cut-off": "Cut off",
};

/** One answer. Drawn anew only when the message itself is another object. */
export const Answer = memo(function Answer(props: AnswerProps): JSX.Element {
  const { message, modelName, isLast, highlighter } = props;
  const { id, text, reasoning, state, problem } = message;
  const running = isRunning(message);
  const note = notes[state] ?? (message.finishReason === "length" ? "Ended at the token limit" : undefined);
  return (
    <article class="turn answer" aria-label={`Answer of ${modelName}`} aria-busy={running}>
      {reasoning !== "" && <Reasoning message={message} highlighter={highlighter} />}
      {text !== "" && <MarkdownView text={text} isWhole={!running} highlighter={highlighter} />}
      {running && <Progress message={message} />}
      {note !== undefined && <p class="note">{note}</p>}
      {problem && <Problem explanation={problem} onAction={(action) => props.onAction(action, id)} />}
      {!running && (
        <footer>
          <span class="facts" title={`${message.model}\n${formatUsage(message)}`}>
            {[modelName, formatUsage(message)].filter((part) => part !== "").join(" · ")}
          </span>
          {text !== "" && <IconButton name="copy" label="Copy Answer" onClick={() => props.onCopy(id)} />}
          {isLast && <IconButton name="retry" label="Answer Again" onClick={() => props.onRetry(id)} />}
        </footer>
      )}
    </article>
  );
});

/** Folds itself away once the answer begins; a click of the reader's overrules that. */
function Reasoning({ message, highlighter }: Pick<AnswerProps, "message" | "highlighter">): JSX.Element {
  const thinking = message.text === "" && isRunning(message);
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  const { reasoningMs } = message.timing;
  const open = chosen ?? thinking;
  return (
    <details class="reasoning" open={open} onToggle={(event) => setChosen(chosenBy(event, open, chosen))}>
      <summary>
        {thinking
          ? "Thinking…"
          : reasoningMs === undefined
            ? "Thought"
            : `Thought for ${formatSeconds(reasoningMs)}`}
      </summary>
      <MarkdownView text={message.reasoning} isWhole={!thinking} highlighter={highlighter} />
    </details>
  );
}

/** A toggle that only follows what was drawn is none of the reader's. */
function chosenBy(
  event: Event & { readonly currentTarget: HTMLDetailsElement },
  open: boolean,
  chosen: boolean | undefined,
): boolean | undefined {
  return event.currentTarget.open === open ? chosen : event.currentTarget.open;
}

/** Shows that it is alive: dots, how long it has taken, and a countdown while a resend waits. */
function Progress({ message }: Pick<AnswerProps, "message">): JSX.Element {
  const resendIn = useSecondsUntil(message.resendAtMs);
  const elapsed = useElapsedSeconds(message.startedAtMs);
  const waited = resendIn > 0 ? `Sending again in ${resendIn} s` : elapsed >= 3 ? `${elapsed} s` : "";
  return (
    <p class="progress">
      <span class="dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      {waited}
    </p>
  );
}

function useElapsedSeconds(sinceMs: number): number {
  const elapsed = () => Math.floor((Date.now() - sinceMs) / 1000);
  const [seconds, setSeconds] = useState(elapsed);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(elapsed()), 1000);
    return () => clearInterval(timer);
  }, [sinceMs]);
  return seconds;
}
