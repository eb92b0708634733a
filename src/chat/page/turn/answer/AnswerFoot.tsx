import { Fragment, type JSX } from "preact";
import { useState } from "preact/hooks";
import { type AnswerMessage, hasOnlyReasoning, isCallOver } from "../../../protocol/chatMessages.ts";
import { cardOf } from "../../details/chosenCard.ts";
import { SubagentRounds } from "../../details/SubagentLine.tsx";
import {
  formatCost,
  formatPrediction,
  formatReply,
  formatUsage,
  otherModel,
  sumOfRounds,
} from "../../format.ts";
import { IconButton } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { Pager } from "../Pager.tsx";
import { MiddleCut } from "./MiddleCut.tsx";

/** True if the answer ended early and has text to continue from, or is reasoning alone. */
function canGoOn(message: AnswerMessage): boolean {
  const { state, text, finishReason, calls = [] } = message;
  if (calls.length > 0) return calls.every(isCallOver);
  if (state === "done" && hasOnlyReasoning(message)) return true;
  return text !== "" && (state === "stopped" || state === "cut-off" || finishReason === "length");
}

interface AnswerFootProps {
  readonly deps: ChatPageDeps;
  readonly message: AnswerMessage;
  readonly isLast: boolean;
  readonly onRetry: () => void;
}

/**
 * The line below an answer: the model, tokens, time and cost, and the buttons. A task has it once, below its last round,
 * with the sums of all rounds; the others have no more than their versions.
 */
export function AnswerFoot(props: AnswerFootProps): JSX.Element | null {
  const { deps, message } = props;
  const { store } = deps;
  const isEnd = store.isLastRound(message.id);
  // Between two rounds of a task, which go on by themselves, it would come and go.
  const goesOn = isEnd && (message.calls ?? []).length > 0 && store.field("busy");
  if (isEnd && !goesOn) return <WholeFoot {...props} />;
  if (store.siblings(message.id).length < 2) return null;
  return (
    <footer>
      <Pager deps={deps} id={message.id} />
    </footer>
  );
}

function WholeFoot({ deps, message, isLast, onRetry }: AnswerFootProps): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const [showsRounds, setShowsRounds] = useState(false);
  const busy = deps.store.attribute("busy");
  const rounds = roundsUpTo(deps, message);
  const whole = sumOfRounds(rounds);
  const card = cardOf(deps, message.model);
  // What a typed name stands for may have changed since.
  const name = card?.id === message.model ? card.name : message.model;
  const answered = otherModel(message);
  const facts = [name, ...(answered ? [`answered by ${answered}`] : []), ...formatUsage(whole)];
  const cost = formatCost(whole);
  const requestId = message.reply?.requestId;
  const copy = () => {
    deps.bridge.post("copyAnswer", { answerId: message.id });
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <>
      <footer>
        <span class="facts" title={[...formatUsage(whole, true), ...formatReply(message)].join("\n")}>
          {facts.map((fact, index) => (
            <span key={fact}>
              {index > 0 && " · "}
              {index === 0 ? <MiddleCut text={fact} /> : fact}
            </span>
          ))}
        </span>
        <span class="facts-end">
          {rounds.length > 1 && (
            <button
              type="button"
              class="link rounds-button"
              aria-expanded={showsRounds}
              title="Tokens, time and cost of each round"
              onClick={() => setShowsRounds(!showsRounds)}
            >
              {rounds.length} rounds
            </button>
          )}
          {cost !== "" && (
            <span class="cost" title={formatPrediction(whole)}>
              {cost}
            </span>
          )}
          {!message.problem && (
            <IconButton name="retry" label="Answer Again" disabled={busy} onClick={onRetry} />
          )}
          {message.text !== "" && (
            <IconButton
              name={isCopied ? "check" : "copy"}
              label={isCopied ? "Copied" : "Copy Answer"}
              onClick={copy}
            />
          )}
          {message.text !== "" && message.sources?.some(({ stored }) => stored !== undefined) && (
            <IconButton
              name="insert"
              label="Insert with Footnotes"
              onClick={() => deps.bridge.post("insertAnswer", { answerId: message.id })}
            />
          )}
          {message.text !== "" && (
            <IconButton
              name="speak"
              label="Read Aloud"
              onClick={() => deps.bridge.post("readAnswer", { answerId: message.id })}
            />
          )}
          {requestId !== undefined && <ShowRequest deps={deps} requestId={requestId} />}
          {canGoOn(message) && isLast && <GoOn deps={deps} answerId={message.id} />}
          <Pager deps={deps} id={message.id} />
        </span>
      </footer>
      {showsRounds && <Rounds deps={deps} rounds={rounds} />}
    </>
  );
}

function ShowRequest({
  deps,
  requestId,
  label = "Show Request",
}: {
  readonly deps: ChatPageDeps;
  readonly requestId: string;
  readonly label?: string;
}): JSX.Element {
  return (
    <IconButton name="request" label={label} onClick={() => deps.bridge.post("showRequest", { requestId })} />
  );
}

/** The facts and the buttons of each round of a task. */
function Rounds({
  deps,
  rounds,
}: {
  readonly deps: ChatPageDeps;
  readonly rounds: readonly AnswerMessage[];
}): JSX.Element {
  const busy = deps.store.attribute("busy");
  return (
    <ol class="round-list" aria-label="Rounds">
      {rounds.map((round, index) => {
        const requestId = round.reply?.requestId;
        const title = [...formatUsage(round, true), ...formatReply(round), formatPrediction(round) ?? ""];
        return (
          <Fragment key={round.id}>
            <li title={title.join("\n").trim()}>
              <span class="round-facts">
                Round {index + 1}
                {formatUsage(round).map((fact) => (
                  <Fragment key={fact}>
                    {" "}
                    <span class="round-fact">· {fact}</span>
                  </Fragment>
                ))}
              </span>
              <span class="cost">{formatCost(round)}</span>
              <IconButton
                name="retry"
                label={`Answer Again from Round ${index + 1}`}
                disabled={busy}
                onClick={() => deps.bridge.post("retry", { answerId: round.id })}
              />
              {requestId !== undefined && (
                <ShowRequest deps={deps} requestId={requestId} label={`Show Request of Round ${index + 1}`} />
              )}
            </li>
            <SubagentRounds calls={round.calls ?? []} />
          </Fragment>
        );
      })}
    </ol>
  );
}

/** The rounds of a task that are loaded, with this one as the last. */
function roundsUpTo({ store }: ChatPageDeps, message: AnswerMessage): readonly AnswerMessage[] {
  const earlier = store.rounds(message.id).flatMap((id) => {
    const round = store.turn(id).peek();
    return round.role === "assistant" && round.id !== message.id ? [round] : [];
  });
  return [...earlier, message];
}

/** Not shown between two rounds of a task, which go on by themselves. */
function GoOn({
  deps,
  answerId,
}: {
  readonly deps: ChatPageDeps;
  readonly answerId: string;
}): JSX.Element | null {
  if (deps.store.field("busy")) return null;
  return (
    <button type="button" class="button" onClick={() => deps.bridge.post("goOn", { answerId })}>
      Continue
    </button>
  );
}
