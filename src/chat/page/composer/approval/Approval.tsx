import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { optionalMember } from "../../../../shared/members.ts";
import { visibleLine, visibleText } from "../../../../shared/text/html/visibleText.ts";
import type { ToolKind } from "../../../protocol/agentModes.ts";
import { askedBySubagent, type ToolCallCard } from "../../../protocol/chatMessages.ts";
import type { ToHost } from "../../../protocol/chatProtocol.ts";
import { CallLimits, CallPrice, CallPurpose, CallQuestion } from "../../details/ToolCalls.tsx";
import { IconButton } from "../../icons.ts";
import { commandEnter, isCommandEnter } from "../../keys.ts";
import { InlineMarkdown } from "../../plan/Plan.tsx";
import { SplitButton } from "../../SplitButton.tsx";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { AgentDecide, canAllowOnce } from "./AgentDecide.tsx";
import { SkipReason } from "./SkipReason.tsx";

interface ApprovalsProps {
  readonly deps: ChatPageDeps;
}

/** A call that waits for the user, in the answer or by the subagent that made it. */
interface WaitingCall {
  readonly answerId: string;
  readonly call: ToolCallCard;
  /** The task of the subagent. */
  readonly by?: string;
  /** The other agent that takes the step itself. */
  readonly agent?: string;
}

/**
 * The tool calls that wait for a decision, over the prompt and one at a time. Their arguments are on their cards in the
 * conversation.
 */
export function Approvals({ deps }: ApprovalsProps): JSX.Element | null {
  const waiting = useWaiting(deps, "asks");
  const reviews = useWaiting(deps, "review");
  const [chosen, setChosen] = useState("");
  const index = Math.max(
    0,
    waiting.findIndex((one) => keyOf(one) === chosen),
  );
  const shown = waiting[index];
  const isSettled = useSettled(shown === undefined ? "" : keyOf(shown));
  const step = (by: number) => {
    const next = waiting[(index + by + waiting.length) % waiting.length];
    if (next) setChosen(keyOf(next));
  };
  if (!shown) return <Reviews deps={deps} reviews={reviews} />;
  return (
    <Approval
      key={keyOf(shown)}
      deps={deps}
      shown={shown}
      waiting={waiting}
      index={index}
      isSettled={isSettled}
      onStep={step}
    />
  );
}

/** Only the last answers can have calls that wait: the next question ends those of earlier ones. */
function useWaiting({ store }: ChatPageDeps, state: ToolCallCard["state"]): readonly WaitingCall[] {
  const lastId = store.turnIds.value.at(-1);
  if (lastId === undefined) return [];
  const alternatives = store.together(lastId);
  return (alternatives.length > 0 ? alternatives : [lastId]).flatMap((id) => {
    const message = store.turn(id).value;
    const calls = message.role === "assistant" ? (message.calls ?? []) : [];
    const agent = message.role === "assistant" ? optionalMember("agent", message.agent) : {};
    const own = calls.flatMap((call) => (call.state === state ? [{ answerId: id, call, ...agent }] : []));
    // After them, as the cards that `showCard` counts have no others.
    return state === "asks" ? [...own, ...calls.flatMap(waitingOfSubagent)] : own;
  });
}

function waitingOfSubagent(card: ToolCallCard): readonly WaitingCall[] {
  return askedBySubagent(card).map((call) => ({ answerId: card.subagent?.id ?? "", call, by: card.says }));
}

function keyOf({ answerId, call }: WaitingCall): string {
  return `${answerId} ${call.id}`;
}

/** Milliseconds in which the second press of a double click could hit the call that took the place of the first. */
const doubleClickMs = 300;

/** False for a moment after one call took the place of another one. */
function useSettled(key: string): boolean {
  const [settled, setSettled] = useState("");
  const last = useRef(key);
  useEffect(() => {
    const isFirst = last.current === "";
    last.current = key;
    if (isFirst || key === "") return setSettled(key);
    const timer = setTimeout(() => setSettled(key), doubleClickMs);
    return () => clearTimeout(timer);
  }, [key]);
  return last.current === "" || settled === key;
}

interface ApprovalProps extends ApprovalsProps {
  readonly shown: WaitingCall;
  readonly waiting: readonly WaitingCall[];
  readonly index: number;
  /** False while a press may still mean the call before it. */
  readonly isSettled: boolean;
  readonly onStep: (by: number) => void;
}

function Approval({ deps, shown, waiting, index, isSettled, onStep }: ApprovalProps): JSX.Element {
  const { call, by, agent } = shown;
  const says = useRef<HTMLDivElement>(null);
  const [isReasoned, setReasoned] = useState(false);
  // A file may contain any text.
  const title = visibleLine(call.title);
  useApprovalKeys(deps, shown, says);
  const count = `${index + 1} of ${waiting.length}`;
  return (
    <section class="over-prompt approval" aria-label={`${title}: waits for your approval`}>
      <p class="over-prompt-head">
        <span class="over-prompt-title ellipsis">{title}</span>
        {waiting.length > 1 && (
          <>
            <IconButton name="left" label="Previous Waiting Call" onClick={() => onStep(-1)} />
            <span class="approval-count">{count}</span>
            <IconButton name="right" label="Next Waiting Call" onClick={() => onStep(1)} />
          </>
        )}
        {by === undefined && (
          <button type="button" class="link" onClick={() => showCard(index)}>
            Details
          </button>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is longer than its room is scrolled by keys. */}
      <div ref={says} class="approval-says" tabIndex={0}>
        <p>
          {visibleLine(call.says)}
          <CallPrice call={call} />
        </p>
        {by !== undefined && <p class="call-limits">For the subagent: {visibleLine(by)}</p>}
        {agent !== undefined && (
          <p class="call-limits">{visibleLine(agent)} takes this step itself, with your rights.</p>
        )}
        <CallQuestion call={call} />
        <CallLimits call={call} />
        <CallPurpose call={call} />
      </div>
      {isReasoned ? (
        <SkipReason
          onSkip={(reason) => decide(deps, shown, "skip", reason)}
          onBack={() => setReasoned(false)}
        />
      ) : (
        <div class="buttons">
          <Decide deps={deps} shown={shown} isSettled={isSettled} onReason={() => setReasoned(true)} />
          <NetworkChoice deps={deps} shown={shown} />
          <ForAll deps={deps} waiting={waiting} />
        </div>
      )}
    </section>
  );
}

/** Changes whether a call in the sandbox may use the network. The decision about it follows. */
function NetworkChoice({
  deps: { bridge },
  shown: { answerId, call },
}: ApprovalsProps & { readonly shown: WaitingCall }): JSX.Element | null {
  const { id: callId, network } = call;
  if (network === undefined) return null;
  const choose = () => bridge.post("chooseNetwork", { answerId, callId, network: !network });
  return (
    <button type="button" class="button" onClick={choose}>
      Turn Network {network ? "Off" : "On"}
    </button>
  );
}

/** Shows the card of a waiting call, with its arguments. */
function showCard(index: number, state: "asks" | "review" = "asks"): void {
  const cards = document.querySelectorAll<HTMLElement>(`.call.${state}`);
  cards[index]?.scrollIntoView({ block: "nearest" });
}

/** Results that the user sends back: they are edited on their cards. */
function Reviews({
  deps,
  reviews,
}: ApprovalsProps & { readonly reviews: readonly WaitingCall[] }): JSX.Element | null {
  const [first] = reviews;
  if (!first) return null;
  const { asked } = first.call;
  const show = () => {
    showCard(0, "review");
    document.querySelector<HTMLElement>(".call.review :is(input, textarea)")?.focus();
  };
  return (
    <section class="over-prompt" aria-label={asked ? "The model asks you" : "A result waits for you"}>
      <p class="over-prompt-head">
        <span class="over-prompt-title ellipsis">
          {asked ? (
            <InlineMarkdown deps={deps} text={visibleText(asked.question).replace(/\s+/g, " ")} />
          ) : (
            `${visibleLine(first.call.title)}: send its result back`
          )}
        </span>
        <button type="button" class="link" onClick={show}>
          {asked ? "Answer" : "Show"}
        </button>
      </p>
    </section>
  );
}

type Decision = Extract<ToHost, { readonly type: "decideCall" }>["body"]["decision"];

function decide(
  { bridge }: ChatPageDeps,
  { answerId, call }: WaitingCall,
  decision: Decision,
  reason = "",
): void {
  const why = reason.trim() === "" ? {} : { reason };
  bridge.post("decideCall", { answerId, callId: call.id, decision, ...why });
}

interface ForAllProps extends ApprovalsProps {
  readonly waiting: readonly WaitingCall[];
}

/** One decision for all waiting calls. Calls that cost money are excluded: each needs its own decision. */
function ForAll({ deps, waiting }: ForAllProps): JSX.Element | null {
  if (waiting.length < 2) return null;
  const free = waiting.filter(({ call }) => call.price === undefined && canAllowOnce(call));
  const decideAll = (some: readonly WaitingCall[], decision: Decision) => {
    for (const one of some) decide(deps, one, decision);
  };
  return (
    <>
      {free.length > 1 && (
        <button type="button" class="button" onClick={() => decideAll(free, "once")}>
          {free.length === waiting.length ? (
            <>
              Allow All<span class="word"> of These</span>
            </>
          ) : (
            <>
              Allow <span class="word">the </span>
              {free.length} Free<span class="word"> Ones</span>
            </>
          )}
        </button>
      )}
      <button type="button" class="button" onClick={() => decideAll(waiting, "skip")}>
        Skip All
      </button>
    </>
  );
}

/** The kinds that can be allowed as a whole for a task, and everything that this allows. */
const kindChoices: Readonly<Partial<Record<ToolKind, { readonly label: string; readonly detail: string }>>> =
  {
    edit: {
      label: "Allow All Edits of This Task",
      detail: "Writing, moving and deleting, without asking, except files that programs run",
    },
    command: {
      label: "Allow All Commands of This Task",
      detail: "Any command line and any task of the workspace, without asking",
    },
    network: {
      label: "Allow All Paid Calls of This Task",
      detail:
        "Any search, web address, chain call and upload of a workspace file for parsing, without asking, up to the cap",
    },
  };

/** For a file about which the user is asked: the whole kind includes such files. */
const askedEdits = {
  label: "Allow All Edits of This Task",
  detail: "Any file, also those that programs run, without asking",
};

/** The approvals of such calls that last: each with what it is for. */
function lastingChoices(
  { scope, rule, question }: ToolCallCard,
  isTask: boolean,
): readonly { readonly label: string; readonly detail?: string; readonly decision: Decision }[] {
  // An empty scope: the call can't be judged, so each one asks.
  if (scope === "") return [];
  const exact = scope === undefined ? {} : { detail: `Only for ${visibleLine(scope)}` };
  const wide = rule === undefined ? undefined : visibleLine(rule);
  const span = isTask ? "for This Task" : "in This Chat";
  const [here, hereRule] = isTask
    ? (["task", "taskRule"] as const)
    : (["conversation", "conversationRule"] as const);
  const rules =
    wide === undefined
      ? []
      : [
          { label: `Allow ${wide} ${span}`, detail: ruleDetail, decision: hereRule },
          {
            label: `Always Allow ${wide}`,
            detail: `In this workspace: ${ruleDetail.toLowerCase()}`,
            decision: "alwaysRule" as const,
          },
        ];
  return [
    { label: isTask ? "Allow for This Task" : "Always Allow in This Chat", ...exact, decision: here },
    ...(question === undefined
      ? [{ label: "Always Allow in This Workspace", ...exact, decision: "always" as const }]
      : []),
    ...rules,
  ];
}

const ruleDetail = "Other words for *, no options that may be harmful";

interface DecideProps extends ApprovalsProps {
  readonly shown: WaitingCall;
  readonly isSettled: boolean;
  /** Asks for the reason of a skip. */
  readonly onReason: () => void;
}

function Decide({ deps, shown, isSettled, onReason }: DecideProps): JSX.Element {
  const { call, by } = shown;
  const isTask = (deps.store.field("settings").mode ?? "ask") !== "ask";
  // While other calls run, Escape stops all of them.
  const skipsWithEscape = !deps.store.field("busy");
  const pick = (decision: Decision) => () => decide(deps, shown, decision);
  if (call.options)
    return (
      <AgentDecide
        options={call.options}
        isSettled={isSettled}
        onPick={(decision) => decide(deps, shown, decision)}
      />
    );
  const isAsked = call.question !== undefined;
  const allOfKind = call.kind && (isAsked ? askedEdits : kindChoices[call.kind]);
  return (
    <>
      <SplitButton
        className="primary approve"
        keyShortcuts="Control+Enter"
        menuLabel="Other Ways to Allow"
        disabled={!isSettled}
        choices={[
          ...(by === undefined ? [{ label: "Allow, Show Result First", onPick: pick("review") }] : []),
          ...lastingChoices(call, isTask).map(({ decision, ...choice }) => ({
            ...choice,
            onPick: pick(decision),
          })),
          ...(isTask && allOfKind ? [{ ...allOfKind, onPick: pick("kind") }] : []),
        ]}
        onClick={pick("once")}
      >
        Allow
        <span class="key" aria-hidden="true">
          {commandEnter()}
        </span>
      </SplitButton>
      <button
        type="button"
        class="button"
        aria-keyshortcuts={skipsWithEscape ? "Escape" : undefined}
        onClick={pick("skip")}
      >
        Skip
        {skipsWithEscape && (
          <span class="key" aria-hidden="true">
            Esc
          </span>
        )}
      </button>
      <IconButton name="edit" label="Skip with a Reason…" onClick={onReason} />
    </>
  );
}

/**
 * Ctrl+Enter approves the shown call, and Escape skips it, unless the focus is in a text field with content, or
 * something is open, which may cover the call. Text that is longer than its room is scrolled first, so nothing is
 * approved unread.
 */
function useApprovalKeys(
  deps: ChatPageDeps,
  shown: WaitingCall,
  says: { readonly current: HTMLElement | null },
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isMeantElsewhere(event) || isSomethingOpen(deps)) return;
      const isAllowing = isCommandEnter(event);
      if (!isAllowing && (event.key !== "Escape" || deps.store.peek("busy"))) return;
      event.preventDefault();
      if (!isAllowing) decide(deps, shown, "skip");
      else if (isAllowedByKey(shown, says.current)) decide(deps, shown, "once");
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [shown]);
}

/** True if a key repeats, was handled already, belongs to an input method, or is pressed in a text. */
function isMeantElsewhere(event: KeyboardEvent): boolean {
  const { target, repeat, defaultPrevented, isComposing, keyCode } = event;
  if (repeat || defaultPrevented || isComposing || keyCode === 229) return true;
  return target instanceof HTMLElement && isWrittenIn(target);
}

/** True if the keys belong to something else, which Escape closes. */
function isSomethingOpen({ history }: ChatPageDeps): boolean {
  return (
    history.isShown.peek() || document.querySelector(".composer :is([role=dialog], .picker-popup)") !== null
  );
}

function isAllowedByKey({ call }: WaitingCall, says: HTMLElement | null): boolean {
  return canAllowOnce(call) && isRead(says);
}

/** True if the end of a text was in view; otherwise its next part is shown. */
function isRead(says: HTMLElement | null): boolean {
  if (!says || says.scrollHeight - says.scrollTop - says.clientHeight < 2) return true;
  says.scrollTop += Math.max(says.clientHeight - 16, 16);
  return false;
}

/** True for a text field with content, where the keys have another meaning. */
function isWrittenIn(element: HTMLElement): boolean {
  if (element instanceof HTMLTextAreaElement)
    return element.closest(".composer") === null || element.value.trim() !== "";
  return element instanceof HTMLInputElement || element instanceof HTMLSelectElement;
}
