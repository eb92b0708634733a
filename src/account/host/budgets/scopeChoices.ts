import { sentenceCase } from "../../../platform/errors/errorMessage.ts";
import { tagsOfEntry } from "../../../session/spend/scopes/callTags.ts";
import type { SpendTags } from "../../../session/spend/scopes/spendTags.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import { paidFor } from "../../../session/spend/spendLines.ts";
import { type Amounts, nothing } from "../../../shared/money/amounts.ts";
import { spendText } from "../../../shared/money/moneyText.ts";
import {
  type BudgetDimension,
  type BudgetScope,
  clientNames,
  namedClient,
  scopeId,
  scopeLabel,
} from "../../../shared/money/scopedBudget.ts";
import { byWorth } from "../usage/analyticsTotals.ts";

/** A part of the calls for which a budget can be set. */
export interface ScopeChoice {
  readonly per: BudgetScope;
  readonly label: string;
  /** Its spend; empty if there was none. */
  readonly description: string;
}

/** As many as a list can show. */
const mostChoices = 200;

/**
 * The parts of the recorded calls by one property, the most expensive first, then those without any call. `known` are
 * values that no call may have yet, such as an open workspace folder.
 */
export function scopeChoices(
  dimension: BudgetDimension,
  entries: readonly SpentEntry[],
  known: readonly string[],
): readonly ScopeChoice[] {
  const groups = new Map<string, { readonly per: BudgetScope; spend: Amounts; calls: number }>();
  for (const entry of entries)
    for (const per of scopesOf(dimension, tagsOfEntry(entry))) {
      const group = groups.get(scopeId(per)) ?? { per, spend: nothing, calls: 0 };
      groups.set(scopeId(per), group);
      group.spend = group.spend.plus(paidFor(entry) ?? nothing);
      group.calls += 1;
    }
  const used = [...groups.values()]
    .sort((a, b) => byWorth(a, b) || b.calls - a.calls)
    .slice(0, mostChoices)
    .map(({ per, spend, calls }) => ({
      per,
      ...textsOf(dimension, per),
      description: usedText(spend, calls),
    }));
  const others = [...known, ...(dimension === "client" ? Object.keys(clientNames) : []), ""]
    .map((value): BudgetScope => ({ [dimension]: value }))
    .filter((per, index, all) => {
      const isFirst = all.findIndex((other) => scopeId(other) === scopeId(per)) === index;
      return isFirst && !groups.has(scopeId(per));
    })
    .map((per) => ({ per, ...textsOf(dimension, per), description: "no calls yet" }));
  return [...used, ...others];
}

/** The scopes of a call that a list of this property has. A branch is that of its folder; a client is of its kind. */
function scopesOf(dimension: BudgetDimension, tags: SpendTags): readonly BudgetScope[] {
  const { folder, branch, kind = "", client } = tags;
  switch (dimension) {
    case "branch":
      return branch === undefined || folder === undefined ? [{ branch: branch ?? "" }] : [{ folder, branch }];
    case "client":
      return [{ client: kind }, ...(client === undefined ? [] : [{ client: namedClient(kind, client) }])];
    case "model":
      return [{ model: tags.modelId ?? tags.model ?? "" }];
    default:
      return [{ [dimension]: tags[dimension] ?? "" }];
  }
}

function textsOf(dimension: BudgetDimension, per: BudgetScope): Pick<ScopeChoice, "label"> {
  const { [dimension]: value = "", folder } = per;
  if (value === "") return { label: sentenceCase(scopeLabel({ [dimension]: "" })) };
  if (dimension === "branch" && folder !== undefined) return { label: `${value} in ${folder}` };
  return { label: dimension === "client" || dimension === "key" ? scopeLabel(per) : value };
}

function usedText(spend: Amounts, calls: number): string {
  return `${spendText(spend)}, ${calls.toLocaleString("en-US")} ${calls === 1 ? "call" : "calls"}`;
}
