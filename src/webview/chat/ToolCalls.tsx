import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { AnswerMessage, ToolCallCard, ToolCallState } from "../../shared/chatMessages.ts";
import { hiddenCount, visibleLine, visibleText } from "../../shared/visibleText.ts";
import type { ChatDeps } from "./chatDeps.ts";
import { Icon, type IconName } from "./icons.ts";

export interface ToolCallsProps {
  readonly deps: ChatDeps;
  readonly message: AnswerMessage;
}

/** The calls that an answer asks for, each with what it would do and a word on it. */
export function ToolCalls({ deps, message }: ToolCallsProps): JSX.Element | null {
  const { id, calls = [] } = message;
  if (calls.length === 0) return null;
  return (
    <ul class="calls" aria-label="Tool calls">
      {calls.map((call) => (
        <Call key={call.id} deps={deps} answerId={id} call={call} />
      ))}
    </ul>
  );
}

interface CallProps {
  readonly deps: ChatDeps;
  readonly answerId: string;
  readonly call: ToolCallCard;
}

const words: Readonly<Record<ToolCallState, string>> = {
  asks: "waits for your word",
  runs: "running…",
  review: "waits for you to send it back",
  done: "done",
  failed: "failed",
  refused: "not allowed",
};
const signs: Readonly<Partial<Record<ToolCallState, IconName>>> = {
  done: "check",
  failed: "warning",
  refused: "close",
};

function Call({ deps, answerId, call }: CallProps): JSX.Element {
  const { state } = call;
  // A file can hold any card.
  const [title, says, price] = [call.title, call.says, call.price ?? ""].map(visibleLine);
  const sign = signs[state];
  return (
    <li class={`call ${state}`} aria-label={`${title}: ${words[state]}`}>
      <p class="call-head">
        <span class="call-title">{title}</span>
        <span class="call-state" role="status">
          {sign && <Icon name={sign} />}
          {words[state]}
        </span>
      </p>
      <p class="call-says">
        {says}
        {price !== "" && <span class="call-price"> · {price}</span>}
      </p>
      <Fold title="Arguments" text={visibleText(pretty(call.arguments))} />
      {state === "asks" && <Decide deps={deps} answerId={answerId} call={call} />}
      {state === "review" && <Review deps={deps} answerId={answerId} call={call} />}
      {state !== "review" && call.result !== undefined && (
        <Fold title="Result" text={visibleText(call.result)} />
      )}
    </li>
  );
}

function Decide({ deps, answerId, call }: CallProps): JSX.Element {
  const decide = (decision: "once" | "review" | "conversation" | "always" | "refuse") =>
    deps.bridge.post("decideCall", { answerId, callId: call.id, decision });
  const scope = call.scope === undefined ? undefined : visibleLine(call.scope);
  const forMore = scope === undefined ? {} : { title: `For ${scope} alone` };
  return (
    <div class="buttons">
      {scope !== undefined && <p class="call-scope">More than once means: for {scope} alone.</p>}
      <button type="button" class="button primary" onClick={() => decide("once")}>
        Allow Once
      </button>
      <button type="button" class="button" onClick={() => decide("review")}>
        Allow, Show Result First
      </button>
      <button type="button" class="button" {...forMore} onClick={() => decide("conversation")}>
        Allow in This Chat
      </button>
      <button type="button" class="button" {...forMore} onClick={() => decide("always")}>
        Always Allow
      </button>
      <button type="button" class="button" onClick={() => decide("refuse")}>
        Refuse
      </button>
    </div>
  );
}

/** The result before the model sees it. */
function Review({ deps, answerId, call }: CallProps): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  const give = () =>
    deps.bridge.post("giveResult", { answerId, callId: call.id, result: box.current?.value ?? "" });
  const hidden = hiddenCount(call.result ?? "");
  return (
    <div class="call-review">
      {hidden > 0 && (
        <p class="call-hidden">
          {hidden === 1 ? "One character of this can't" : `${hidden} characters of this can't`} be seen here.
          The model reads {hidden === 1 ? "it" : "them"} all the same.
        </p>
      )}
      <textarea ref={box} rows={6} aria-label="Result for the model" dir="auto">
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

function Fold({ title, text }: { readonly title: string; readonly text: string }): JSX.Element | null {
  if (text.trim() === "" || text === "{}") return null;
  return (
    <details class="call-fold">
      <summary>{title}</summary>
      <pre dir="auto">{text}</pre>
    </details>
  );
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
