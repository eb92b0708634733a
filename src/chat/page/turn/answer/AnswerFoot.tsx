import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type AnswerMessage, isCallOver } from "../../../protocol/chatMessages.ts";
import { cardOf } from "../../details/chosenCard.ts";
import { formatCost, formatPrediction, formatReply, formatUsage, otherModel } from "../../format.ts";
import { IconButton } from "../../icons.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";
import { Pager } from "../Pager.tsx";

/** True if the answer ended early and has text to continue from. */
function canGoOn({ state, text, finishReason, calls = [] }: AnswerMessage): boolean {
  if (calls.length > 0) return calls.every(isCallOver);
  return text !== "" && (state === "stopped" || state === "cut-off" || finishReason === "length");
}

interface AnswerFootProps {
  readonly deps: ChatPageDeps;
  readonly message: AnswerMessage;
  readonly isLast: boolean;
  readonly onRetry: () => void;
}

/** The line below an answer: the model, tokens, time and cost, and the buttons. */
export function AnswerFoot({ deps, message, isLast, onRetry }: AnswerFootProps): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const busy = deps.store.attribute("busy");
  const card = cardOf(deps, message.model);
  // What a typed name stands for may have changed since.
  const name = card?.id === message.model ? card.name : message.model;
  const answered = otherModel(message);
  const facts = [name, ...(answered ? [`answered by ${answered}`] : []), ...formatUsage(message)];
  const cost = formatCost(message);
  const requestId = message.reply?.requestId;
  const copy = () => {
    deps.bridge.post("copyAnswer", { answerId: message.id });
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <footer>
      <span class="facts" title={[...formatUsage(message, true), ...formatReply(message)].join("\n")}>
        {facts.map((fact, index) => (
          <span key={fact} class={index === 0 ? "ellipsis" : undefined}>
            {index > 0 && " · "}
            {fact}
          </span>
        ))}
      </span>
      <span class="facts-end">
        {cost !== "" && (
          <span class="cost" title={formatPrediction(message)}>
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
        {message.text !== "" && (
          <IconButton
            name="speak"
            label="Read Aloud"
            onClick={() => deps.bridge.post("readAnswer", { answerId: message.id })}
          />
        )}
        {requestId !== undefined && (
          <IconButton
            name="request"
            label="Show Request"
            onClick={() => deps.bridge.post("showRequest", { requestId })}
          />
        )}
        {canGoOn(message) && isLast && <GoOn deps={deps} answerId={message.id} />}
        <Pager deps={deps} id={message.id} />
      </span>
    </footer>
  );
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
