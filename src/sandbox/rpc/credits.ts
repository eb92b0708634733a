import type { DialectId } from "../../api/dialect.ts";
import { costOf, fixedDigits } from "../billing/decimal.ts";
import type { CallOutcome } from "./chain.ts";
import { tierOf } from "./methods.ts";
import type { Network } from "./networks.ts";

/** An item that comes back with an error, whatever its tier (spec E3, billing rule 3). */
const errorCredits = 5;

/** Of a call of the standard tier (spec E3, billing rule 2; wire.md section 9). */
function baseCredits({ family }: Network): number {
  return family === "zksync" || family === "solana" ? 30 : 20;
}

/** What a call costs that comes back with a result. */
export function callCredits(network: Network, method: string, dialect: DialectId): number {
  const tier = tierOf(method, dialect);
  return "multiplier" in tier ? baseCredits(network) * tier.multiplier : 0;
}

export function outcomeCredits(
  network: Network,
  method: string,
  outcome: CallOutcome,
  dialect: DialectId,
): number {
  return "error" in outcome ? errorCredits : callCredits(network, method, dialect);
}

/** USD with eight decimals (spec E3, X-Service-RPC-Cost-USD). */
export function creditsCostText(credits: number, usdPerCredit: number): string {
  return fixedDigits(costOf(usdPerCredit, credits), 8);
}
