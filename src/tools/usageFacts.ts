import type { SpendSource } from "../api/money/charge.ts";
import type { Budgets } from "../platform/settings.ts";
import type { Connection } from "../session/connection/connection.ts";
import { tagsOfSource } from "../session/spend/scopes/callTags.ts";
import { isInScope } from "../session/spend/scopes/spendTags.ts";
import type { Spend } from "../session/spend/spend.ts";
import { allBudgetStates, type BudgetState } from "../session/spend/spendBudget.ts";
import { countedPart } from "../shared/money/budgetRule.ts";
import { type BudgetScope, budgetDimensions, namedClient } from "../shared/money/scopedBudget.ts";

// Programs outside of this extension read these facts. Of other clients they say sums alone, and of folders, branches and
// keys no name.

/** The client that asks, and the connection that it uses. */
interface Asked {
  readonly connection: Connection;
  readonly source: SpendSource | undefined;
}

/** The budgets that may count a call of this client, the one with the least left first. */
export async function budgetFacts(
  spend: Pick<Spend, "totals" | "scopes">,
  { connection, source, budgets }: Asked & { readonly budgets: Budgets },
): Promise<object> {
  const states = await allBudgetStates(spend, connection, budgets);
  const mine = states.filter(({ per }) => !per || mayCount(per, source));
  const faults = (budgets.parts?.faults ?? []).filter(({ per }) => mayCount(per, source));
  return {
    budgets: mine.map(budgetFact),
    ...(faults.length > 0
      ? {
          budgetProblem:
            "A budget of the user can't be read. Until the user corrects it, paid calls are refused.",
        }
      : {}),
  };
}

/** What this client spent itself, or why it is not known. */
export async function shareFacts(
  spend: Pick<Spend, "scopes">,
  { connection, source }: Asked,
): Promise<object> {
  const { kind, client } = tagsOfSource(source);
  if (kind === undefined || client === undefined)
    return { yourShareProblem: "This client gave no name, so its own share of the spend is not known." };
  const [sum] = await spend.scopes(connection, [{ client: namedClient(kind, client) }]);
  if (!sum) return {};
  return {
    yourShare: {
      today: { amounts: sum.today.spent.toTexts(), isComplete: sum.today.unpriced === 0 },
      month: { amounts: sum.month.spent.toTexts(), isComplete: sum.month.unpriced === 0 },
      unpricedCalls: sum.month.unpriced,
    },
  };
}

/** True if its client is this one or any. What its other members select is not known before a call. */
function mayCount({ client }: BudgetScope, source: SpendSource | undefined): boolean {
  return client === undefined || isInScope({ client }, tagsOfSource(source));
}

function budgetFact(state: BudgetState) {
  const { period, spent, isWhole, limit, left, over, claimed, isHardStop } = state;
  return {
    counts: countedCalls(state.per),
    period,
    limit: limit.digits(),
    spent: { amounts: countedPart(spent).toTexts(), isComplete: isWhole },
    left: left.digits(),
    over: over.digits(),
    reserved: claimed.digits(),
    beyond: isHardStop ? "calls are refused" : "the user is asked about each call",
  };
}

/** Models have public names. */
function countedCalls(per: BudgetScope | undefined): string {
  if (!per) return "all calls over this connection";
  const named = budgetDimensions.flatMap((name) => {
    if (per[name] === undefined) return [];
    if (name === "client") return "of this client";
    return name === "model" ? `of the model ${per.model}` : `of one ${name}`;
  });
  return `calls ${named.join(", ")}`;
}
