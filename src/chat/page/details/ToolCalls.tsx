import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { isMembers } from "../../../shared/members.ts";
import { hiddenCount, visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import type { AnswerMessage, ToolCallCard, ToolCallState } from "../../protocol/chatMessages.ts";
import { Icon, type IconName } from "../icons.ts";
import { isCommandEnter } from "../keys.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";
import { MiddleCut } from "../turn/answer/MiddleCut.tsx";
import { AskCard, QuestionText } from "./AskCard.tsx";
import { countsOf, exitCodeOf } from "./callCounts.ts";
import { SubagentLine, SubagentSays } from "./SubagentLine.tsx";

export interface ToolCallsProps {
  readonly deps: ChatPageDeps;
  readonly message: AnswerMessage;
}

/** So many finished calls of a round are one line. */
const fewestFolded = 2;

/**
 * The tool calls of an answer, each with a summary and its actions. Those that have done their work are one line, which
 * opens; what runs, waits or went wrong stays in sight.
 */
export function ToolCalls({ deps, message }: ToolCallsProps): JSX.Element | null {
  const { id, calls = [] } = message;
  if (calls.length === 0) return null;
  const done = calls.filter(({ state }) => state === "done");
  const folded = done.length < fewestFolded ? [] : done;
  const shown = folded.length === 0 ? calls : calls.filter(({ state }) => state !== "done");
  return (
    <ul class="calls" aria-label="Tool calls">
      {folded.length > 0 && <FoldedCalls folded={folded} all={calls} />}
      {shown.map((call) => (
        <Call key={call.id} deps={deps} answerId={id} call={call} />
      ))}
    </ul>
  );
}

/** Finished calls as one line. They are drawn once it is open: a task may have hundreds. */
function FoldedCalls({
  folded,
  all,
}: {
  readonly folded: readonly ToolCallCard[];
  readonly all: readonly ToolCallCard[];
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { did, errors, took } = countsOf(folded, all);
  return (
    <li class="call done">
      <details
        class="call-over calls-folded"
        data-calls={folded.map(({ id }) => encodeURIComponent(id)).join(" ")}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <Icon name={errors === "" ? "check" : "warning"} />
          <span class="calls-did">
            {did}
            {errors !== "" && <span class="calls-errors"> · {errors}</span>}
            {took !== "" && ` · ${took}`}
          </span>
        </summary>
        {isOpen && (
          <ul class="calls" aria-label={did}>
            {folded.map((call) => (
              <FinishedCall key={call.id} call={call} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

interface CallProps {
  readonly deps: ChatPageDeps;
  readonly answerId: string;
  readonly call: ToolCallCard;
}

const words: Readonly<Record<ToolCallState, string>> = {
  asks: "waits for your approval",
  waits: "waits for the calls before it",
  runs: "running…",
  review: "waits for you to send it back",
  done: "done",
  failed: "failed",
  refused: "skipped",
  stopped: "stopped",
};
/** Stop has the reply that the call did not begin. */
const wordOf = (call: ToolCallCard) => {
  const { state, result, asked } = call;
  const exitCode = state === "done" ? exitCodeOf(call) : undefined;
  if (exitCode !== undefined) return `exit code ${exitCode}`;
  if (state === "refused" && asked) return "not answered";
  return state === "refused" && result !== undefined ? "not run" : openWordOf(call);
};
const openWordOf = ({ state, asked }: ToolCallCard) =>
  asked && state === "review" ? "waits for your answer" : words[state];
const signs: Readonly<Partial<Record<ToolCallState, IconName>>> = {
  done: "check",
  failed: "warning",
  refused: "close",
  stopped: "stop",
};

function Call(props: CallProps): JSX.Element {
  const { call } = props;
  const { state } = call;
  // The log file may contain any text.
  const title = visibleLine(call.title);
  const isOver = signs[state] !== undefined;
  if (isOver) return <FinishedCall call={call} />;
  return (
    <li class={`call ${state}`} aria-label={`${title}: ${wordOf(call)}`} data-call={call.id}>
      <Open {...props} title={title} />
    </li>
  );
}

function FinishedCall({ call }: { readonly call: ToolCallCard }): JSX.Element {
  const title = visibleLine(call.title);
  return (
    <li class={`call ${call.state}`} aria-label={`${title}: ${wordOf(call)}`} data-call={call.id}>
      <Over call={call} title={title} />
      <SkipReasonText call={call} />
    </li>
  );
}

const reasonText = (reason: string) => `You: ${visibleText(reason)}`;

/** Why the user skipped a call. */
function SkipReasonText({ call: { skipReason } }: { readonly call: ToolCallCard }): JSX.Element | null {
  return skipReason === undefined ? null : (
    <p class="call-purpose call-reason" dir="auto">
      {reasonText(skipReason)}
    </p>
  );
}

/** A finished call as one line, which a click expands. */
function Over({ call, title }: { readonly call: ToolCallCard; readonly title: string }): JSX.Element {
  const { state } = call;
  const says = visibleLine(call.says);
  const isWell = state === "done" && exitCodeOf(call) === undefined;
  const sign = state === "done" && !isWell ? "warning" : signs[state];
  return (
    <details class="call-over">
      <summary title={title}>
        {sign && <Icon name={sign} />}
        <SubagentSays call={call}>
          <MiddleCut class="call-says" text={says} />
        </SubagentSays>
        <CallPrice call={call} />
        <span class={isWell ? "visually-hidden" : "call-state"}>{wordOf(call)}</span>
      </summary>
      <p class="call-title">{title}</p>
      <p class="call-says">
        {says}
        <CallPrice call={call} />
      </p>
      <Text title="Arguments" text={argumentsOf(call)} />
      {call.result !== undefined && <Text title="Result" text={visibleText(call.result)} />}
    </details>
  );
}

/** A waiting or running call, with all facts for the decision, which is made over the prompt (Approval.tsx). */
function Open(props: CallProps & { readonly title: string }): JSX.Element {
  const { deps, call, title } = props;
  const { state, asked } = call;
  const isAsked = state === "review" && asked !== undefined;
  return (
    <>
      <p class="call-head">
        <span class="call-title">{title}</span>
        <span class="call-state" role="status">
          {openWordOf(call)}
        </span>
      </p>
      {!isAsked && (
        <div class="call-says">
          {isQuestion(call) ? <QuestionText deps={deps} text={call.says} /> : visibleLine(call.says)}
          <CallPrice call={call} />
        </div>
      )}
      {state === "runs" && call.subagent && <SubagentLine deps={deps} call={call} row={call.subagent} />}
      {state === "asks" && <CallQuestion call={call} />}
      <CallLimits call={call} />
      <CallPurpose call={call} />
      {!isAsked && !isQuestion(call) && <Text title="Arguments" text={unsaidArguments(call)} />}
      {state === "review" && (asked ? <AskCard {...props} asked={asked} /> : <Review {...props} />)}
    </>
  );
}

/** True for a question to the user: its choices are shown once it can be answered. */
function isQuestion({ name, tool = name, kind }: ToolCallCard): boolean {
  return kind === "plan" && tool === "ask_user";
}

/** Why a call asks that another time would not. */
export function CallQuestion({ call }: { readonly call: ToolCallCard }): JSX.Element | null {
  const { question, isApprovalOver } = call;
  if (question !== undefined) return <p class="call-question">{visibleLine(question)}</p>;
  if (!isApprovalOver) return null;
  return (
    <p class="call-question">
      It asks again because the agent has changed a file that says what programs run, after you allowed this.
    </p>
  );
}

/** What keeps a command from doing more than it should, or why nothing does. */
export function CallLimits({ call: { limits } }: { readonly call: ToolCallCard }): JSX.Element | null {
  return limits === undefined ? null : <p class="call-limits">{visibleLine(limits)}</p>;
}

/** What the model says that its command is for. */
export function CallPurpose({ call: { purpose } }: { readonly call: ToolCallCard }): JSX.Element | null {
  return purpose === undefined ? null : <p class="call-purpose">The model says: “{visibleLine(purpose)}”</p>;
}

export function CallPrice({ call: { price } }: { readonly call: ToolCallCard }): JSX.Element | null {
  return price === undefined || price === "" ? null : <span class="call-price"> · {visibleLine(price)}</span>;
}

/** Shows the result before it is sent to the model. */
function Review({ deps, answerId, call }: CallProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const give = () =>
    deps.bridge.post("giveResult", { answerId, callId: call.id, result: box.current?.value ?? "" });
  const hidden = hiddenCount(call.result ?? "");
  return (
    <div class="call-review">
      {hidden > 0 && (
        <p class="call-hidden">
          {hidden === 1 ? "One character of this can't" : `${hidden} characters of this can't`} be shown here.
          The model reads {hidden === 1 ? "it" : "them"} all the same.
        </p>
      )}
      <textarea
        ref={box}
        rows={6}
        aria-label="Result for the model"
        aria-keyshortcuts="Control+Enter"
        dir="auto"
        onKeyDown={(event) => {
          if (!isCommandEnter(event) || event.repeat) return;
          event.preventDefault();
          give();
        }}
      >
        {call.result}
      </textarea>
      <div class="buttons">
        <button type="button" class="button primary" onClick={give}>
          Send Back
        </button>
      </div>
    </div>
  );
}

/** The texts of a finished call that its row shows when it is open, in their order. */
export function textsOfCall(call: ToolCallCard): readonly string[] {
  const written = [argumentsOf(call), visibleText(call.result ?? "")].filter((text) => !isEmptyText(text));
  const reason = call.skipReason === undefined ? [] : [reasonText(call.skipReason)];
  return [visibleLine(call.title), visibleLine(call.says), ...written, ...reason];
}

function argumentsOf(call: ToolCallCard): string {
  return visibleText(pretty(call.runs ?? call.arguments));
}

/** The arguments of an open call without the command line, or the task of a subagent, if the sentence above has all of it. */
function unsaidArguments(call: ToolCallCard): string {
  const input = parseJson(call.runs ?? call.arguments);
  if (call.subagent && isMembers(input) && input.task === call.says) return "";
  const command = isMembers(input) ? input.command : undefined;
  if (call.kind !== "command" || !isMembers(input) || typeof command !== "string") return argumentsOf(call);
  if (!call.says.endsWith(command) || command.includes("\n")) return argumentsOf(call);
  const { command: _, ...rest } = input;
  return visibleText(pretty(JSON.stringify(rest)));
}

function isEmptyText(text: string): boolean {
  return text.trim() === "" || text === "{}";
}

function Text({ title, text }: { readonly title: string; readonly text: string }): JSX.Element | null {
  if (isEmptyText(text)) return null;
  return (
    <figure class="call-text" aria-label={title}>
      <pre dir="auto">{text}</pre>
    </figure>
  );
}

/** Maximum length of arguments that are shown without a click. */
const fewCharacters = 100;

function pretty(json: string): string {
  const value = parseJson(json);
  return value === undefined
    ? json
    : JSON.stringify(value, null, json.length > fewCharacters ? 2 : undefined);
}
