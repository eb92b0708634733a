import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SchemaError } from "../../../../shared/chat/schemaError.ts";
import { visibleLine, visibleText } from "../../../../shared/text/html/visibleText.ts";
import { isJson } from "../../../../shared/text/json/parseJson.ts";
import {
  type AnswerMessage,
  type AnswerPart,
  type AnswerSummary,
  hasOnlyReasoning,
  isRunning,
} from "../../../protocol/chatMessages.ts";
import { jsonTree } from "../../details/jsonTree.ts";
import { Sources } from "../../details/Sources.tsx";
import { TokenChances } from "../../details/TokenChances.tsx";
import { ToolCalls } from "../../details/ToolCalls.tsx";
import { formatSeconds } from "../../format.ts";
import { Icon } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { AnswerFoot } from "./AnswerFoot.tsx";
import { type AnswerRenderer, createAnswerRenderer } from "./answerRenderer.ts";
import { ProblemNote, useSecondsUntil } from "./Problem.tsx";

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
  const problems = problemsAtEnd(deps, message);
  const retry = () => deps.bridge.post("retry", { answerId: id });
  return (
    <article
      class="turn answer"
      aria-label={`Answer of ${authorOf(message)}`}
      aria-busy={running}
      aria-posinset={place}
      aria-setsize={deps.store.pathLength}
    >
      {message.agent !== undefined && <p class="answer-agent ellipsis">{visibleLine(message.agent)}</p>}
      {message.summary && message.summary.text !== "" && <Summary summary={message.summary} />}
      {problems !== undefined && <ProblemsAtEnd problems={problems} />}
      {reasoning !== "" && <Reasoning deps={deps} message={message} />}
      {text !== "" && (structured ? <StructuredAnswer source={text}>{written}</StructuredAnswer> : written)}
      {message.sources && message.sources.length > 0 && <Sources sources={message.sources} />}
      <TokenChances title="Token probabilities" tokens={message.tokens} />
      <TokenChances title="Probabilities of the prompt" tokens={message.promptTokens} />
      {!running && message.schemaErrors && <SchemaVerdict errors={message.schemaErrors} />}
      <ToolCalls deps={deps} message={message} />
      {running && <Progress message={message} />}
      {[...(message.notes ?? []), ...(note === undefined ? [] : [note])].map((line) => (
        <p key={line} class="note">
          {line}
        </p>
      ))}
      {problem && isLast && <ProblemNote explanation={problem} bridge={deps.bridge} onRetry={retry} />}
      {!running && <AnswerFoot deps={deps} message={message} isLast={isLast} onRetry={retry} />}
    </article>
  );
}

function authorOf({ agent, model }: AnswerMessage): string {
  return agent === undefined ? model : `${visibleLine(agent)} with ${model}`;
}

function noteOf(message: AnswerMessage): string | undefined {
  const { state, text, finishReason } = message;
  if (isRunning(message)) return undefined;
  if (state === "stopped") return text === "" ? "Stopped before the first text" : "Stopped";
  if (state === "cut-off") return "Cut off";
  if (finishReason === "length") return "Ended at the token limit";
  if (finishReason === "content_filter") return "Ended by the content filter of the service";
  if (state !== "done" || text !== "" || message.calls?.length) return undefined;
  return hasOnlyReasoning(message)
    ? "The model reasoned and gave no answer. Continue asks for it."
    : "The model returned an empty answer";
}

/** Stands for the older messages in requests. */
function Summary({ summary: { text, messageCount } }: { readonly summary: AnswerSummary }): JSX.Element {
  const messages = messageCount === 1 ? "the message" : `the ${messageCount} messages`;
  return (
    <details class="older-summary">
      <summary title="The context of the model was nearly full. From here on the summary is sent in place of the older messages, which stay in the chat.">
        Summary of {messages} above
      </summary>
      <div class="summary-text" dir="auto">
        {visibleText(text)}
      </div>
    </details>
  );
}

/** The reason for a round after the model had ended its task; undefined for a usual round. */
function problemsAtEnd({ store }: ChatPageDeps, { id, editorNote }: AnswerMessage): string | undefined {
  if (editorNote === undefined) return undefined;
  const rounds = store.rounds(id);
  const before = rounds[rounds.indexOf(id) - 1];
  const former = before === undefined ? undefined : store.turn(before).peek();
  if (former?.role !== "assistant" || former.calls?.length) return undefined;
  // Its first line is for the model.
  return editorNote.slice(editorNote.indexOf("\n") + 1);
}

/** Why a task goes on that had ended: without it, the round would look like a second answer. */
function ProblemsAtEnd({ problems }: { readonly problems: string }): JSX.Element {
  return (
    <details class="older-summary">
      <summary title="The editor found them after the last edits, and the model did not know them. It gets one more round.">
        The task goes on: its edits have made problems
      </summary>
      <div class="summary-text" dir="auto">
        {visibleText(problems)}
      </div>
    </details>
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
  const busy = resendIn > 0 && `The service is busy. Sending again in ${resendIn} s`;
  const summarising = message.summary?.text === "" && "Summarising the older messages";
  return (
    <p class="progress">
      <span class="dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      {busy || summarising || (elapsed >= 3 && `${elapsed} s`)}
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

interface MarkdownViewProps {
  readonly deps: ChatPageDeps;
  readonly message: AnswerMessage;
  readonly part: AnswerPart;
}

/** The element of a streaming text. The answer renderer draws into it; the component mounts and ends it. */
function MarkdownView({ deps, message, part }: MarkdownViewProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const sink = useRef<AnswerRenderer | undefined>(undefined);
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    sink.current = createAnswerRenderer(root.current, deps.markdown, deps.frames);
    return deps.store.stream(message.id, part, sink.current);
  }, [message.id, part]);
  useLayoutEffect(() => {
    if (isRunning(message)) return;
    sink.current?.sync(message[part], true);
    // Runs after the drawing, which was requested before.
    deps.frames.request(() => root.current && deps.paths.look(root.current));
  }, [message]);
  useLayoutEffect(() => {
    if (part === "text") sink.current?.cite(message.sources ?? []);
  }, [message.id, message.sources]);
  return <div class="markdown" ref={root} dir="auto" />;
}

/** Shows if an answer matches its schema, and its errors if not. */
function SchemaVerdict({ errors }: { readonly errors: readonly SchemaError[] }): JSX.Element {
  if (errors.length === 0)
    return (
      <p class="verdict">
        <Icon name="check" /> Fits the schema
      </p>
    );
  return (
    <div class="verdict wrong">
      <p>
        <Icon name="warning" /> Does not fit the schema
      </p>
      <ul>
        {errors.map(({ at, message }) => (
          <li key={`${at} ${message}`}>
            {at !== "" && <code>{at}</code>} {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface StructuredAnswerProps {
  readonly source: string;
  /** The answer as text. */
  readonly children: JSX.Element;
}

/** An answer that is JSON as a whole, as a tree. A button shows it as text. */
function StructuredAnswer({ source, children }: StructuredAnswerProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const [showsText, setShowsText] = useState(false);
  useLayoutEffect(() => {
    place.current?.replaceChildren(jsonTree(source) ?? "");
  }, [source, showsText]);
  return (
    <div class="structured">
      <button type="button" class="code-button" onClick={() => setShowsText(!showsText)}>
        {showsText ? "Show as tree" : "Show as text"}
      </button>
      {showsText ? children : <div ref={place} />}
    </div>
  );
}

/** True if an answer is structured output: one object or one list, and nothing else. */
function isStructured(text: string): boolean {
  const bare = text.trim();
  const isWhole =
    (bare.startsWith("{") && bare.endsWith("}")) || (bare.startsWith("[") && bare.endsWith("]"));
  return isWhole && isJson(bare);
}
