import type * as vscode from "vscode";
import { askModally } from "../platform/modal.ts";
import { readSettings } from "../platform/settings.ts";
import { formatUsd } from "../shared/formatUsd.ts";
import type { Session } from "./session.ts";

export interface PriceQuestion {
  /** What is remembered as agreed to: one word per kind of action. */
  readonly action: string;
  /** `Search the web`: said as a question, and as the button. */
  readonly title: string;
  readonly button: string;
  /** USD of one call; undefined where the listing names no price. */
  readonly usd: number | undefined;
  /** Calls; more than one are always asked about where they cost money. Default 1. */
  readonly count?: number;
  /** Asked about where nothing is paid for, too: it does more than one thing. */
  readonly alwaysAsks?: boolean;
  /** More to know before: who sees what is sent. */
  readonly detail?: string;
}

export interface PriceDeps {
  readonly session: Session;
  /** Remembers, in all windows, which prices were agreed to. */
  readonly globalState: vscode.Memento;
}

/** USD of the dearest call that was said yes to, by action. */
const agreedKey = "price.agreed";

/**
 * Tells the price of an action before its first use, again where it costs more than was said yes to, or each time where
 * the settings say so. False: not to be done.
 */
export async function confirmPrice(
  { session, globalState }: PriceDeps,
  question: PriceQuestion,
): Promise<boolean> {
  const { action, title, button, usd, count = 1, alwaysAsks = false, detail = "" } = question;
  const agreed = globalState.get<Readonly<Record<string, number>>>(agreedKey, {});
  const isFree = session.active?.kind === "sandbox";
  const isNew = !isFree && (count > 1 || isNewPrice(agreed[action], usd));
  const isDue = isNew || alwaysAsks || readSettings().askPrice === "always";
  if (!isDue) return true;
  const sum = usd === undefined ? undefined : formatUsd(usd * count, isFree);
  const each = count > 1 && usd !== undefined ? `${count} × ${formatUsd(usd)} = ` : "";
  const price = sum === undefined ? "not named in the listing of the service" : `${each}${sum}`;
  const paid = isFree
    ? `Price: ${price}. The sandbox charges nobody.`
    : `Price: ${price}, paid at ${session.active?.name ?? "the service"}.`;
  const answer = await askModally(
    sum === undefined ? `${title}?` : `${title} for ${sum}?`,
    { detail: [paid, detail].filter(Boolean).join("\n") },
    button,
  );
  if (answer !== button) return false;
  // Play money is no measure of what may be spent.
  if (isFree) return true;
  const most = Math.max(agreed[action] ?? 0, usd ?? 0);
  await globalState.update(agreedKey, { ...agreed, [action]: most });
  return true;
}

/** Approved actions at or below this price (USD) are not confirmed again. */
const smallUsd = 0.1;

/**
 * True if a price needs confirmation although the action was approved before, for at most `agreedUsd` (undefined if it
 * never was). An unknown price is confirmed each time.
 */
export function isNewPrice(agreedUsd: number | undefined, usd: number | undefined): boolean {
  return agreedUsd === undefined || usd === undefined || usd > Math.max(agreedUsd, smallUsd);
}
