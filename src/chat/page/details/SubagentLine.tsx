import { type ComponentChildren, Fragment, type JSX } from "preact";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { SubagentRow, ToolCallCard } from "../../protocol/chatMessages.ts";
import { formatCost, formatUsage } from "../format.ts";
import { IconButton } from "../icons.ts";
import type { ChatPageDeps } from "../store/chatDeps.ts";

interface SubagentLineProps {
  readonly deps: ChatPageDeps;
  readonly call: ToolCallCard;
  readonly row: SubagentRow;
}

interface SubagentSaysProps {
  readonly call: ToolCallCard;
  readonly children: ComponentChildren;
}

/** A subagent at work: what it does now, its rounds, its cost of its share, and the button that stops it alone. */
export function SubagentLine({ deps, call, row }: SubagentLineProps): JSX.Element {
  const { id, now, capUsd, usage } = row;
  const cap = formatUsd(capUsd, usage?.isPlayMoney);
  return (
    <div class="subagent">
      <div class="subagent-facts">
        <bdi class="subagent-now ellipsis" title={visibleLine(now)}>
          {visibleLine(now)}
        </bdi>
        <span class="subagent-bill">
          {factsOf(row).map((fact) => (
            <span key={fact}>{fact} · </span>
          ))}
          <span title="Its share of the task's cap">up to {cap}</span>
        </span>
      </div>
      <IconButton
        name="stop"
        label={`Stop the Subagent: ${visibleLine(call.says)}`}
        onClick={() => deps.bridge.post("stopSubagent", { id })}
      />
    </div>
  );
}

/** What the call of a subagent says, and its rounds and its cost, which get a line of their own where there is no room. */
export function SubagentSays({ call: { subagent }, children }: SubagentSaysProps): JSX.Element {
  if (subagent === undefined || subagent.rounds === 0) return <>{children}</>;
  return (
    <span class="subagent-says">
      {children}
      <span class="subagent-bill"> · {factsOf(subagent).join(" · ")}</span>
    </span>
  );
}

/** The part of a round's bill that its subagents have caused, a row of the list of rounds for each. */
export function SubagentRounds({ calls }: { readonly calls: readonly ToolCallCard[] }): JSX.Element {
  const started = calls.flatMap(({ subagent, says }) => (subagent ? [{ subagent, says }] : []));
  return (
    <>
      {started.map(({ subagent, says }) => (
        <li key={subagent.id} class="round-subagent" title={visibleLine(says)}>
          <span class="round-facts">
            Subagent
            {[plural(subagent.rounds, "round"), ...formatUsage({ usage: subagent.usage, timing: {} })].map(
              (fact) => (
                <Fragment key={fact}>
                  {" "}
                  <span class="round-fact">· {fact}</span>
                </Fragment>
              ),
            )}
          </span>
          <span class="cost">{formatCost(subagent)}</span>
        </li>
      ))}
    </>
  );
}

function factsOf(row: SubagentRow): readonly string[] {
  const cost = formatCost(row);
  return [...(row.rounds > 0 ? [plural(row.rounds, "round")] : []), ...(cost === "" ? [] : [cost])];
}
