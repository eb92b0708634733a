import type { JSX } from "preact";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import type { AgentOption, ToolCallCard } from "../../../protocol/chatMessages.ts";
import { commandEnter } from "../../keys.ts";

type AgentDecision = AgentOption["decision"];

/** What a button does, whatever the agent calls it. */
const meanings: Readonly<Record<AgentDecision, string>> = {
  once: "Allows this step",
  always: "Allows such steps from now on. The agent keeps this, so that Permissions does not list it",
  skip: "Does not allow this step",
};

/** Characters of a name. */
const longestName = 60;

interface AgentDecideProps {
  readonly options: readonly AgentOption[];
  /** False while a press may still mean the call before it. */
  readonly isSettled: boolean;
  readonly onPick: (decision: AgentDecision) => void;
}

/** The options that another agent offers, each as a button with its meaning and the agent's own name. */
export function AgentDecide({ options, isSettled, onPick }: AgentDecideProps): JSX.Element {
  return (
    <>
      {options.map(({ decision, name }) => (
        <button
          key={decision}
          type="button"
          class={`button agent-option ${decision === "once" ? "primary approve" : ""}`}
          title={meanings[decision]}
          aria-description={meanings[decision]}
          aria-keyshortcuts={decision === "once" ? "Control+Enter" : undefined}
          disabled={!isSettled && decision !== "skip"}
          onClick={() => onPick(decision)}
        >
          <span class="ellipsis">{visibleLine(shortened(name, longestName))}</span>
          {decision === "once" && (
            <span class="key" aria-hidden="true">
              {commandEnter()}
            </span>
          )}
        </button>
      ))}
    </>
  );
}

/** False for a step that its agent lets nobody allow once. */
export function canAllowOnce({ options }: ToolCallCard): boolean {
  return options === undefined || options.some(({ decision }) => decision === "once");
}
