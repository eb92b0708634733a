import { ApiError, isApiError } from "../../api/errors/errors.ts";
import { mostCredits } from "../../api/money/rpcCredits.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import type { Sender } from "../run/senders.ts";

/** Credits that the command may still spend. */
export interface CreditBudget {
  /** Undefined for no limit. */
  readonly limit: number | undefined;
  spent: number;
  /** True after a cell or a request did not fit. */
  isReached: boolean;
}

export function reachedText({ limit, spent }: CreditBudget): string {
  return `The next request could exceed the budget of ${limit} credits, of which ${spent} are spent. It was not sent.`;
}

/** True for the refusal of a request that did not fit. */
export function isOverBudget(problem: unknown): boolean {
  return isApiError(problem) && problem.details.source === "budget";
}

/** Refuses a request that could exceed the budget, and counts the others. */
export function withinBudget(sender: Sender, budget: CreditBudget): Sender {
  return {
    async send(network, body, options) {
      const methods = [body].flat().map(({ method }) => method);
      const most = network === localNetwork ? 0 : mostCredits(network, methods);
      if (budget.limit !== undefined && budget.spent + most > budget.limit) {
        budget.isReached = true;
        throw new ApiError("payment-required", reachedText(budget), {
          source: "budget",
          mayHaveArrived: false,
        });
      }
      // Reserved first: a request whose reply is lost may have been charged.
      budget.spent += most;
      const sent = await sender.send(network, body, options);
      budget.spent += (sent.replayed ? 0 : (sent.credits ?? most)) - most;
      return sent;
    },
  };
}
