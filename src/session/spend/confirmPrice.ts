import * as vscode from "vscode";
import type { Endpoint } from "../../api/endpoint.ts";
import { askModally } from "../../platform/editor/dialogs/modal.ts";
import { readSettings } from "../../platform/settings.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { receiverOf } from "../connection/baseUrl.ts";
import type { Connection } from "../connection/connection.ts";
import { type ConsentKey, type PriceAction, priceActions } from "../consent/consent.ts";
import type { Consents } from "../consent/consents.ts";
import type { Session } from "../session.ts";

/** A call of a tool: approvals of tools are apart from those of the extension's own commands. */
interface ToolAction {
  readonly tool: string;
  /** What the tool does, in words. */
  readonly title: string;
  /** The MCP client that calls it. Approvals of one client do not count for another. */
  readonly client?: string;
}

export interface PriceQuestion {
  /** What is approved. */
  readonly action: PriceAction | ToolAction;
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
  /** True if `usd` is the most that it can cost. */
  readonly isUpper?: boolean;
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
  readonly consents: Consents;
}

/** An approval counts for the service that it was about: another one is another receiver, with prices of its own. */
function approvalKey(connection: Connection | undefined, action: PriceAction | ToolAction): ConsentKey {
  const receiver = connection ? receiverOf(connection) : "";
  if (typeof action === "string") return { kind: "price", receiver, subject: [action] };
  const { tool, client } = action;
  return client === undefined
    ? { kind: "tool", receiver, subject: [tool] }
    : { kind: "mcp", receiver, subject: [client, tool] };
}

/** True if a question has to be asked: see `confirmPrice`. */
export function isPriceDue({ session, consents }: PriceDeps, question: PriceQuestion): boolean {
  const { action, usd, count = 1, alwaysAsks = false } = question;
  const { active } = session;
  const agreed = () => consents.use(approvalKey(active, action))?.usd;
  const isNew = active?.kind !== "sandbox" && (count > 1 || isNewPrice(agreed(), usd));
  return isNew || alwaysAsks || readSettings().askPrice === "always";
}

/**
 * Asks for approval of a price: before the first use of an action, if it costs more than approved, or each time if the
 * settings say so. False: do not run the action.
 */
export async function confirmPrice(deps: PriceDeps, question: PriceQuestion): Promise<boolean> {
  if (!isPriceDue(deps, question)) return true;
  const asked = deps.session.active;
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
  await agreePrice(deps, asked, question);
  if (isStill(deps.session, asked)) return true;
  void vscode.window.showWarningMessage(
    "The connection was switched while the question was open. Nothing was sent. Repeat the action.",
  );
  return false;
}

/** False if another window has switched or changed the connection since a question named it. */
export function isStill({ active }: Pick<Session, "active">, asked: Connection | undefined): boolean {
  return (active && receiverOf(active)) === (asked && receiverOf(asked));
}

/** The words of a question: `Search the web for $0.01`, and the line about the price. */
export function priceWords(
  { session }: PriceDeps,
  { title, usd, count = 1, isUpper = false }: PriceQuestion,
): { readonly title: string; readonly paid: string } {
  const isFree = session.active?.kind === "sandbox";
  const sum = usd === undefined ? undefined : `${isUpper ? "at most " : ""}${formatUsd(usd * count, isFree)}`;
  const each = count > 1 && usd !== undefined ? `${count} × ${formatUsd(usd)} = ` : "";
  const price = sum === undefined ? "not listed by the service" : `${each}${sum}`;
  const paid = isFree
    ? `Price: ${price}. The sandbox charges no real money.`
    : `Price: ${price}, paid at ${session.active?.name ?? "the service"}.`;
  return { title: sum === undefined ? title : `${title} for ${sum}`, paid };
}

/** Stores the approval of a price, for the connection that the question named. */
export async function agreePrice(
  { consents }: Pick<PriceDeps, "consents">,
  asked: Connection | undefined,
  { action, usd = 0 }: PriceQuestion,
): Promise<void> {
  // Approvals of play money do not count for real money.
  if (asked?.kind === "sandbox") return;
  await consents.give({ ...approvalKey(asked, action), says: actionWords(action), usd });
}

function actionWords(action: PriceAction | ToolAction): string {
  if (typeof action === "string") return priceActions[action];
  return action.client === undefined ? action.title : `${action.client}: ${action.title}`;
}

/** Approved actions at or below this price (USD) are not confirmed again. */
export const smallUsd = 0.1;

/**
 * True if a price needs confirmation although the action was approved before, for at most `agreedUsd` (undefined if it
 * never was). An unknown price is confirmed each time.
 */
export function isNewPrice(agreedUsd: number | undefined, usd: number | undefined): boolean {
  return agreedUsd === undefined || usd === undefined || usd > Math.max(agreedUsd, smallUsd);
}
