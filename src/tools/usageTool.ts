import type { Budgets } from "../platform/settings.ts";
import type { Client, Session } from "../session/session.ts";
import { serviceToolNames } from "../shared/names/ids.ts";
import { type ServiceTool, toolSchema } from "./serviceTool.ts";
import { toolErrorText } from "./toolErrorText.ts";
import { budgetFacts, shareFacts } from "./usageFacts.ts";

interface UsageToolDeps {
  readonly session: Pick<Session, "spend">;
  readonly budgets: () => Budgets;
}

/** A tool that tells what was spent and what is left. */
export function createUsageTool({ session, budgets }: UsageToolDeps): ServiceTool {
  return {
    name: serviceToolNames.usage,
    title: "Usage and balance",
    description:
      "Gives the spend of the active connection as JSON: today and month (days and months in UTC) with their amounts by currency (decimal text) and isComplete, which is false while the bill of that time is not completely read: the account may have spent more, and without amounts nothing is known. Also unpricedCalls of the month (whose price is unknown), isPlayMoney; budgets of the user that may count your calls, each with its limit, what is spent and left (USD, DIEM 1:1), reserved for calls in progress or of unknown price, and what happens beyond it; yourShare: what this client spent itself by the name it gives, or yourShareProblem if that is not known; and the balances of the account by currency, or balanceProblem if they can't be read. Free.",
    userDescription:
      "Tells today's and this month's spend, the rest of your budgets, what the client itself spent, and the balance. Free.",
    parameters: toolSchema({}),
    isReadOnly: true,
    prepare: async (_, { connection }) => ({
      summary: `Read the usage and the balance at ${connection.name}`,
      usd: 0,
      asks: "never",
      details: [],
      button: "Read",
    }),
    async run(_, client, signal) {
      const { connection, source } = client;
      const spend = await session.spend();
      const totals = await spend.totals(connection);
      const facts = {
        connection: connection.name,
        isPlayMoney: connection.kind === "sandbox",
        today: { amounts: totals.today.toTexts(), isComplete: totals.isTodayBilled },
        month: { amounts: totals.month.toTexts(), isComplete: totals.isMonthBilled },
        unpricedCalls: totals.unpriced,
        ...(await budgetFacts(spend, { connection, source, budgets: budgets() })),
        ...(await shareFacts(spend, { connection, source })),
        ...(await balancesOf(client, signal)),
      };
      return [{ kind: "text", text: JSON.stringify(facts, undefined, 2) }];
    },
  };
}

/** The balances that any key can read. */
async function balancesOf({ api, connection }: Client, signal: AbortSignal) {
  try {
    const { data } = await api.account.rateLimits({}, { signal });
    return { balances: data.balances ?? {} };
  } catch (error) {
    signal.throwIfAborted();
    return { balanceProblem: toolErrorText(error, connection) };
  }
}
