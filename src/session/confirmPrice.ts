import * as vscode from "vscode";
import { readSettings } from "../platform/settings.ts";
import { formatUsd } from "../shared/formatUsd.ts";
import type { Session } from "./session.ts";

export interface PriceQuestion {
  /** What is remembered as told: one word per kind of action. */
  readonly action: string;
  /** `Search the web`: said as a question, and as the button. */
  readonly title: string;
  readonly button: string;
  /** USD of one call; undefined where the listing names no price. */
  readonly usd: number | undefined;
  /** Calls; more than one are always asked about where they cost money. Default 1. */
  readonly count?: number;
  /** More to know before: who sees what is sent. */
  readonly detail?: string;
}

export interface PriceDeps {
  readonly session: Session;
  /** Remembers, in all windows, which prices were told. */
  readonly globalState: vscode.Memento;
}

const toldKey = "price.told";

/** Tells the price of an action before its first use, or each time where the settings say so. False: not to be done. */
export async function confirmPrice(
  { session, globalState }: PriceDeps,
  question: PriceQuestion,
): Promise<boolean> {
  const { action, title, button, usd, count = 1, detail = "" } = question;
  const told = globalState.get<readonly string[]>(toldKey, []);
  const isFree = session.active?.kind === "sandbox";
  const isNew = !isFree && (count > 1 || !told.includes(action));
  const isDue = isNew || readSettings().askPrice === "always";
  if (!isDue) return true;
  const sum = usd === undefined ? undefined : formatUsd(usd * count);
  const each = count > 1 && usd !== undefined ? `${count} × ${formatUsd(usd)} = ` : "";
  const price = sum === undefined ? "not named in the listing of the service" : `${each}${sum}`;
  const paid = isFree
    ? `Price: ${price}, in the sandbox's play money.`
    : `Price: ${price}, paid at ${session.active?.name ?? "the service"}.`;
  const answer = await vscode.window.showInformationMessage(
    sum === undefined ? `${title}?` : `${title} for ${sum}?`,
    { modal: true, detail: [paid, detail].filter(Boolean).join("\n") },
    button,
  );
  if (answer !== button) return false;
  if (!told.includes(action)) await globalState.update(toldKey, [...told, action]);
  return true;
}
