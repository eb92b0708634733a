import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { type AnswerMessage, isRunning } from "../../shared/chatMessages.ts";
import type { ChatPageDeps } from "./chatDeps.ts";
import { formatCost, formatSeconds, formatUsage } from "./format.ts";
import { IconButton } from "./icons.ts";
import { MarkdownView } from "./MarkdownView.tsx";
import { Pager } from "./Pager.tsx";
import { ProblemNote, useSecondsUntil } from "./Problem.tsx";
import { SchemaVerdict } from "./SchemaVerdict.tsx";
import { Sources } from "./Sources.tsx";
import { isStructured, StructuredAnswer } from "./StructuredAnswer.tsx";
import { TokenChances } from "./TokenChances.tsx";
import { ToolCalls } from "./ToolCalls.tsx";

export interface AnswerProps {
  readonly deps: ChatPageDeps;
  readonly message: AnswerMessage;
  /** Position among all turns, counted from 1. */
  readonly place: number;
  readonly isLast: boolean;
}

/** One answer. Its text is rendered outside of Preact; the component renders again when the answer changes state. */
export function Answer({ deps, message, place, isLast }: AnswerProps): JSX.Element {
  const { id, text, reasoning, problem } = message;
  const running = isRunning(message);
  const note = noteOf(message);
  const structured = useMemo(() => !running && isStructured(text), [running, text]);
  const written = <MarkdownView deps={deps} message={message} part="text" />;
  const retry = () => deps.bridge.post("retry", { answerId: id });
  return (
    <article
      class="turn answer"
      aria-label={`Answer of ${message.model}`}
      aria-busy={running}
      aria-posinset={place}
      aria-setsize={deps.store.pathLength}
    >
      {reasoning !== "" && <Reasoning deps={deps} message={message} />}
      {text !== "" && (structured ? <StructuredAnswer source={text}>{written}</StructuredAnswer> : written)}
      {message.sources && message.sources.length > 0 && <Sources sources={message.sources} />}
      {message.tokens && message.tokens.length > 0 && <TokenChances tokens={message.tokens} />}
      {!running && message.schemaErrors && <SchemaVerdict errors={message.schemaErrors} />}
      <ToolCalls deps={deps} message={message} />
      {running && <Progress message={message} />}
      {[...(message.notes ?? []), ...(note === undefined ? [] : [note])].map((line) => (
        <p key={line} class="note">
          {line}
        </p>
      ))}
      {problem && isLast && <ProblemNote explanation={problem} bridge={deps.bridge} onRetry={retry} />}
      {!running && <Foot deps={deps} message={message} isLast={isLast} onRetry={retry} />}
    </article>
  );
}

function noteOf(message: AnswerMessage): string | undefined {
  const { state, text, finishReason } = message;
  if (isRunning(message)) return undefined;
  if (state === "stopped") return text === "" ? "Stopped before the first text" : "Stopped";
  if (state === "cut-off") return "Cut off";
  if (finishReason === "length") return "Ended at the token limit";
  if (finishReason === "content_filter") return "Ended by the content filter of the service";
  return state === "done" && text === "" && !message.calls?.length
    ? "The model returned an empty answer"
    : undefined;
}

/** True if the answer ended early and has text to continue from. */
function canGoOn({ state, text, finishReason, calls = [] }: AnswerMessage): boolean {
  const areOver = calls.every((call) => ["done", "failed", "refused"].includes(call.state));
  if (calls.length > 0) return areOver;
  return text !== "" && (state === "stopped" || state === "cut-off" || finishReason === "length");
}

function Foot({
  deps,
  message,
  isLast,
  onRetry,
}: Omit<AnswerProps, "place"> & { readonly onRetry: () => void }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const busy = deps.store.attribute("busy");
  const models = deps.store.field("models");
  const card = models.status === "ready" ? models.cards.find(({ id }) => id === message.model) : undefined;
  const name = card?.name ?? message.model;
  const facts = [name, formatUsage(message)].filter((part) => part !== "").join(" · ");
  const cost = formatCost(message);
  const copy = () => {
    deps.bridge.post("copyAnswer", { answerId: message.id });
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <footer>
      <span class="facts" title={`${message.model}\n${facts}`}>
        {facts}
      </span>
      {cost !== "" && <span class="cost">{cost}</span>}
      {!message.problem && <IconButton name="retry" label="Answer Again" disabled={busy} onClick={onRetry} />}
      {message.text !== "" && (
        <IconButton
          name={isCopied ? "check" : "copy"}
          label={isCopied ? "Copied" : "Copy Answer"}
          onClick={copy}
        />
      )}
      {message.text !== "" && (
        <IconButton
          name="speak"
          label="Read Aloud"
          onClick={() => deps.bridge.post("readAnswer", { answerId: message.id })}
        />
      )}
      {canGoOn(message) && isLast && (
        <button
          type="button"
          class="button"
          disabled={busy}
          onClick={() => deps.bridge.post("goOn", { answerId: message.id })}
        >
          Continue
        </button>
      )}
      <Pager deps={deps} id={message.id} />
    </footer>
  );
}

/** Collapses when the answer starts, unless the user has toggled it. */
function Reasoning({ deps, message }: Omit<AnswerProps, "place" | "isLast">): JSX.Element {
  const thinking = message.text === "" && isRunning(message);
  const [chosen, setChosen] = useState<boolean | undefined>(undefined);
  const { reasoningMs } = message.timing;
  const open = chosen ?? thinking;
  const thought = reasoningMs === undefined ? "Thought" : `Thought for ${formatSeconds(reasoningMs)}`;
  return (
    <details class="reasoning" open={open} onToggle={(event) => setChosen(chosenBy(event, open, chosen))}>
      <summary>{thinking ? "Thinking…" : thought}</summary>
      <MarkdownView deps={deps} message={message} part="reasoning" />
    </details>
  );
}

/** Ignores toggle events caused by rendering, not by the user. */
function chosenBy(
  event: Event & { readonly currentTarget: HTMLDetailsElement },
  open: boolean,
  chosen: boolean | undefined,
): boolean | undefined {
  return event.currentTarget.open === open ? chosen : event.currentTarget.open;
}

/** Progress: dots, the elapsed time, and a countdown before a retry. */
function Progress({ message }: { readonly message: AnswerMessage }): JSX.Element {
  const resendIn = useSecondsUntil(message.resendAtMs);
  const elapsed = useElapsedSeconds(message.startedAtMs);
  const waited =
    resendIn > 0 ? `The service is busy. Sending again in ${resendIn} s` : elapsed >= 3 ? `${elapsed} s` : "";
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
