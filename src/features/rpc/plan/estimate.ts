import { baseCredits, predictCredits } from "../../../api/money/rpcCredits.ts";
import { isMainnet, localNetwork } from "../../../shared/rpc/networks.ts";
import { pollingOf } from "../language/directives.ts";
import { networksOfCell, type Project } from "../language/project.ts";
import { type CellPlan, headLine, planCell } from "./planCell.ts";

/** What a run costs if every item has a result; error items cost less (spec E3, billing rule 3). */
export interface Estimate {
  readonly credits: number;
  /** HTTP requests: 100 a minute are taken. */
  readonly requests: number;
  readonly items: number;
  /** At least so much: a line waits for something. */
  readonly open: boolean;
  /** Rounds of a polling cell, all of them counted in. */
  readonly rounds: number;
}

export const nonceMethod = "eth_getTransactionCount";

/** Whether the next nonce of an account is looked up before its transaction is shown: where money is real. */
export function asksForNonce(method: string, network: string): boolean {
  return method === "eth_sendRawTransaction" && isMainnet(network);
}

/** Of one call of a line. */
export function lineCredits(method: string, network: string): number {
  return network === localNetwork ? 0 : predictCredits(network, [method]);
}

/** Of one round of a plan on one network. */
export function planCredits({ lines, calls }: CellPlan, network: string): number {
  if (network === localNetwork) return 0;
  const head = calls.some((call) => call.includes(headLine)) ? baseCredits(network) : 0;
  return lines.reduce(
    (sum, { method }) =>
      sum +
      lineCredits(method, network) +
      (asksForNonce(method, network) ? lineCredits(nonceMethod, network) : 0),
    head,
  );
}

export function estimateCell(project: Project, index: number): Estimate {
  const one = project.cells[index];
  if (!one) return nothing;
  const plan = planCell(project, index);
  const networks = networksOfCell(project, one);
  const { times: rounds = 1, budgetCredits } = pollingOf(one.cell) ?? {};
  const credits = creditsOn(networks, (network) => planCredits(plan, network)) * rounds;
  return {
    credits: Math.min(credits, budgetCredits ?? credits),
    requests: plan.calls.length * networks.length * rounds,
    items: plan.calls.reduce((sum, { length }) => sum + length, 0) * networks.length * rounds,
    open: plan.lines.some(({ waits }) => waits),
    rounds,
  };
}

/** The sum over networks; those of one price are asked about once. */
export function creditsOn(networks: readonly string[], creditsOf: (network: string) => number): number {
  const known = new Map<string, number>();
  return networks.reduce((sum, network) => {
    const price = network === localNetwork ? localNetwork : (/^(?:zksync|solana)-/.exec(network)?.[0] ?? "");
    const credits = known.get(price) ?? creditsOf(network);
    known.set(price, credits);
    return sum + credits;
  }, 0);
}

const nothing: Estimate = { credits: 0, requests: 0, items: 0, open: false, rounds: 1 };

export function sumEstimates(estimates: readonly Estimate[]): Estimate {
  return estimates.reduce(
    (sum, one) => ({
      credits: sum.credits + one.credits,
      requests: sum.requests + one.requests,
      items: sum.items + one.items,
      open: sum.open || one.open,
      rounds: Math.max(sum.rounds, one.rounds),
    }),
    nothing,
  );
}
