import { isMembers } from "../members.ts";
import { hidesSomething } from "../text/html/visibleText.ts";

/**
 * How to top up a wallet, as a service said it with a 402. It is for display alone: nothing is sent by it. All texts are
 * short, on one line, and have no hidden characters.
 */
export interface TopUp {
  /** The service's instructions, in its own words. */
  readonly steps: readonly string[];
  /** Decimal amounts in USD. */
  readonly balanceUsd?: string;
  readonly minimumUsd?: string;
  readonly suggestedUsd?: string;
  readonly payments: readonly TopUpPayment[];
}

/** A way to pay. A member that the service did not state, or stated in another shape, is absent. */
export interface TopUpPayment {
  /** `5 USDC`, or `5000000 base units` of a token whose decimals are unknown. */
  readonly amount?: string;
  /** `Base (eip155:8453)`, or the service's own name. */
  readonly network?: string;
  /** A symbol, or the address of the token's contract. */
  readonly token?: string;
  /** The address that receives the money. */
  readonly payTo?: string;
}

/** An address of an EVM chain, or one in base58 (Solana). Money that is sent to anything else is lost. */
export function isPayAddress(value: unknown): value is string {
  if (typeof value !== "string") return false;
  return /^0x[0-9a-fA-F]{40}$/.test(value) || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value);
}

const longestText = 500;
const mostParts = 20;

/** True for a value of the right shape and size. A notebook of another extension may contain any output. */
export function isTopUp(value: unknown): value is TopUp {
  if (!isMembers(value)) return false;
  const { steps, payments, ...sums } = value;
  const isPayment = (payment: unknown) =>
    isMembers(payment) && isPayAddress(payment.payTo) && hasTexts(payment);
  return isListOf(steps, isShown) && isListOf(payments, isPayment) && hasTexts(sums);
}

function isListOf(value: unknown, isPart: (part: unknown) => boolean): boolean {
  return Array.isArray(value) && value.length <= mostParts && value.every(isPart);
}

function hasTexts(members: object): boolean {
  return Object.values(members).every(isShown);
}

function isShown(text: unknown): boolean {
  return typeof text === "string" && text.length <= longestText && !hidesSomething(text);
}

/** What the card shows of a payment, in this order. Each value can be copied. */
export function paymentFacts({
  amount,
  network,
  token,
  payTo,
}: TopUpPayment): readonly (readonly [name: string, value: string])[] {
  const facts = { Amount: amount, Network: network, Token: token, Address: payTo };
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

/** The sums of the card in one line; empty if the service stated none. */
export function topUpSums({ balanceUsd, minimumUsd, suggestedUsd }: TopUp): string {
  const sums = { Balance: balanceUsd, "at least": minimumUsd, suggested: suggestedUsd };
  return Object.entries(sums)
    .flatMap(([name, usd]) => (usd === undefined ? [] : [`${name} ${usd} USD`]))
    .join(" · ");
}
