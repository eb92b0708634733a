import type * as vscode from "vscode";
import type { Endpoint } from "../../api/endpoint.ts";
import { askModally } from "../../platform/editor/dialogs/modal.ts";
import { readSettings } from "../../platform/settings.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { receiverOf } from "../connection/baseUrl.ts";
import type { Session } from "../session.ts";

export interface PriceQuestion {
  /** Part of the key of the stored approval: one per kind of action. */
  readonly action: string;
  /** `Search the web`: the title of the question. */
  readonly title: string;
  readonly button: string;
  /**
   * A button that refuses and has the focus, for a question that the user did not cause: an accidental Enter then sends
   * nothing.
   */
  readonly refuseButton?: string;
  /** USD of one call; undefined if the list states no price. */
  readonly usd: number | undefined;
  /** Number of calls. More than one paid call always asks. Default 1. */
  readonly count?: number;
  /** Ask even if it is free, because it does more than one thing. */
  readonly alwaysAsks?: boolean;
  /** What the service calls the route (`Endpoint.status`). */
  readonly status?: Endpoint["status"];
  /** Further information, such as who receives the data. */
  readonly detail?: string;
}

export interface PriceDeps {
  readonly session: Session;
  /** Stores approved prices for all windows. */
  readonly globalState: vscode.Memento;
}

/** USD of the most expensive approved call, by action and receiver. */
const agreedKey = "price.agreed";

/** An approval counts for the service that it was about: another one is another receiver, with prices of its own. */
function approvalKey({ active }: Session, action: string): string {
  return active ? `${action} ${receiverOf(active)}` : action;
}

/** True if a question has to be asked: see `confirmPrice`. */
export function isPriceDue({ session, globalState }: PriceDeps, question: PriceQuestion): boolean {
  const { action, usd, count = 1, alwaysAsks = false } = question;
  const agreed = globalState.get<Readonly<Record<string, number>>>(agreedKey, {});
  const isFree = session.active?.kind === "sandbox";
  const isNew = !isFree && (count > 1 || isNewPrice(agreed[approvalKey(session, action)], usd));
  return isNew || alwaysAsks || readSettings().askPrice === "always";
}

/**
 * Asks for approval of a price: before the first use of an action, if it costs more than approved, or each time if the
 * settings say so. False: do not run the action.
 */
export async function confirmPrice(deps: PriceDeps, question: PriceQuestion): Promise<boolean> {
  if (!isPriceDue(deps, question)) return true;
  const { title, paid } = priceWords(deps, question);
  const { button, refuseButton, detail = "", status } = question;
  const stage = status === undefined ? "" : `The service calls this ${status}: it may change without notice.`;
  const answer = await askModally(
    `${title}?`,
    { detail: [paid, detail, stage].filter(Boolean).join("\n") },
    ...(refuseButton === undefined ? [] : [refuseButton]),
    button,
  );
  if (answer !== button) return false;
  await agreePrice(deps, question);
  return true;
}

/** The words of a question: `Search the web for $0.01`, and the line about the price. */
export function priceWords(
  { session }: PriceDeps,
  { title, usd, count = 1 }: PriceQuestion,
): { readonly title: string; readonly paid: string } {
  const isFree = session.active?.kind === "sandbox";
  const sum = usd === undefined ? undefined : formatUsd(usd * count, isFree);
  const each = count > 1 && usd !== undefined ? `${count} × ${formatUsd(usd)} = ` : "";
  const price = sum === undefined ? "not listed by the service" : `${each}${sum}`;
  const paid = isFree
    ? `Price: ${price}. The sandbox charges no real money.`
    : `Price: ${price}, paid at ${session.active?.name ?? "the service"}.`;
  return { title: sum === undefined ? title : `${title} for ${sum}`, paid };
}

/** Stores the approval of a price. */
export async function agreePrice(
  { session, globalState }: PriceDeps,
  { action, usd }: PriceQuestion,
): Promise<void> {
  // Approvals of play money do not count for real money.
  if (session.active?.kind === "sandbox") return;
  const agreed = globalState.get<Readonly<Record<string, number>>>(agreedKey, {});
  const key = approvalKey(session, action);
  const most = Math.max(agreed[key] ?? 0, usd ?? 0);
  await globalState.update(agreedKey, { ...agreed, [key]: most });
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
