// The credits of cells before they run.
import { baseCredits, mostCredits, predictCredits } from "../../../api/money/rpcCredits.ts";
import { isMainnet, localNetwork } from "../../../shared/rpc/networks.ts";
import type { InlayHint } from "../../language/assist/outline.ts";
import { hasEns } from "../../language/encode/ensNames.ts";
import type { LookUpKind } from "../../language/parse/directives.ts";
import { balanceRequests } from "../../simulate/balanceSlot.ts";
import { canFork, forkRead, isSimulated, mostForkCalls, simulationMethods } from "../../simulate/simulate.ts";
import { giveRequests } from "../write/giveBalances.ts";
import { type CellPlan, headLine } from "./plan.ts";

/** The cost of a run if every item succeeds. Error items cost less (spec E3, billing rule 3). */
export interface Estimate {
  readonly credits: number;
  /** HTTP requests, of which 100 a minute are allowed. */
  readonly requests: number;
  readonly items: number;
  /** True if the numbers are lower limits, because a line waits. */
  readonly open: boolean;
  /** True if a service may answer it free of charge, because the cell has an idempotency key. */
  readonly mayBeReplayed: boolean;
  /** Rounds of a polling cell. The other numbers include all of them. */
  readonly rounds: number;
}

export const nonceMethod = "eth_getTransactionCount";

/** True if the next nonce of an account is requested before its transaction is confirmed: on main networks. */
export function asksForNonce(method: string, network: string): boolean {
  return method === "eth_sendRawTransaction" && isMainnet(network);
}

/** The credits of one call of a line. */
function lineCredits(method: string, network: string): number {
  return network === localNetwork ? 0 : predictCredits(network, [method]);
}

/** The credits of one round of a plan on one network. */
export function planCredits(plan: CellPlan, network: string): number {
  if (network === localNetwork) return 0;
  const { lines, calls } = plan;
  const lookedUp = lookUpsOn(plan, network).length * lineCredits("eth_call", network);
  const head = calls.some((call) => call.includes(headLine)) ? baseCredits(network) : 0;
  return lines.reduce(
    (sum, { method }) =>
      sum +
      lineCredits(method, network) +
      (asksForNonce(method, network) ? lineCredits(nonceMethod, network) : 0),
    head + lookedUp,
  );
}

/** The look-ups of a plan for its results on one network. */
export function lookUpsOn({ lookUps }: CellPlan, network: string): readonly LookUpKind[] {
  if (/^(?:solana|starknet)-/.test(network)) return [];
  return lookUps.filter((kind) => kind !== "names" || hasEns(network));
}

/** Names that one eth_call resolves. */
export const namesOfBatch = 50;

/** The requests that resolve the ENS names of a plan on one network, once for all its rounds. */
function nameRequests({ names }: CellPlan): number {
  return Math.ceil(names.length / namesOfBatch);
}

/** The credits of those requests. */
export function nameCredits(plan: CellPlan, network: string): number {
  return nameRequests(plan) * lineCredits("eth_call", network);
}

/**
 * The most that a simulation of a cell may cost: each transaction asks by all methods, with an anvil by the reads of a
 * fork, too, and the other lines are sent.
 */
export function estimateSimulation(plan: CellPlan, hasAnvil: boolean): Estimate {
  const { lines, networks, gives } = plan;
  const asked = [...simulationMethods, ...gives.flatMap(() => [...balanceRequests, ...giveRequests])];
  const all = estimateCell(plan);
  const writes = lines.filter(({ method }) => isSimulated(method)).length;
  const priced = (network: string, credits: number) => (network === localNetwork ? 0 : writes * credits);
  const forked = hasAnvil ? networks.filter(canFork) : [];
  const more =
    creditsOn(networks, (network) => priced(network, mostCredits(network, asked))) +
    creditsOn(forked, (network) => priced(network, mostForkCalls * mostCredits(network, [forkRead])));
  const requests = writes * (asked.length + (forked.length > 0 ? mostForkCalls : 0));
  return { ...all, credits: all.credits + more, requests: all.requests + requests };
}

export function estimateCell(plan: CellPlan): Estimate {
  const { networks } = plan;
  const { times: rounds = 1, budgetCredits } = plan.polling ?? {};
  const credits =
    creditsOn(networks, (network) => planCredits(plan, network)) * rounds +
    creditsOn(networks, (network) => nameCredits(plan, network));
  const lookUps = networks.reduce((sum, network) => sum + lookUpsOn(plan, network).length, 0) * rounds;
  const more = nameRequests(plan) * networks.length + lookUps;
  return {
    credits: Math.min(credits, budgetCredits ?? credits),
    requests: plan.calls.length * networks.length * rounds + more,
    items: plan.calls.reduce((sum, { length }) => sum + length, 0) * networks.length * rounds + more,
    open: plan.lines.some(({ waits }) => waits),
    mayBeReplayed: plan.key !== undefined && credits > 0,
    rounds,
  };
}

/** The sum over networks, computed once per price class. */
function creditsOn(networks: readonly string[], creditsOf: (network: string) => number): number {
  const byPrice = new Map<string, number>();
  return networks.reduce((sum, network) => {
    const own = /^(?:zksync|solana|starknet|ethereum)-/.exec(network)?.[0] ?? "";
    const price = network === localNetwork ? localNetwork : own;
    const credits = byPrice.get(price) ?? creditsOf(network);
    byPrice.set(price, credits);
    return sum + credits;
  }, 0);
}

const nothing: Estimate = { credits: 0, requests: 0, items: 0, open: false, mayBeReplayed: false, rounds: 1 };

export function sumEstimates(estimates: readonly Estimate[]): Estimate {
  return estimates.reduce(
    (sum, one) => ({
      credits: sum.credits + one.credits,
      requests: sum.requests + one.requests,
      items: sum.items + one.items,
      open: sum.open || one.open,
      mayBeReplayed: sum.mayBeReplayed || one.mayBeReplayed,
      rounds: Math.max(sum.rounds, one.rounds),
    }),
    nothing,
  );
}

/** The cost after each line. Left out if all lines cost the same, because the status bar then shows enough. */
export function lineHints({ lines, networks, literal }: CellPlan): InlayHint[] {
  if (literal) return [];
  const priced = lines.map(({ method, end }) => ({
    at: end,
    credits: creditsOn(networks, (network) => lineCredits(method, network)),
  }));
  if (new Set(priced.map(({ credits }) => credits)).size < 2) return [];
  return priced.map(({ at, credits }) => ({
    at,
    text: ` ${credits} credits`,
    tooltip: "The cost of this line if it succeeds. An error costs 5 credits",
  }));
}
