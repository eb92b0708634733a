import { dayMs, monthOf } from "../../shared/time/days.ts";
import type { ConnectionWallet } from "../../wallet/walletText.ts";
import type { Consent } from "./consent.ts";

/** Code may be sent while the user types: to free models alone, or to paid ones, too. */
export function completionConsent(receiver: string, level: "free" | "paid"): Consent {
  const says = `Send code while you type, to ${level === "free" ? "free models" : "paid models, too"}`;
  return { kind: "completions", receiver, subject: [level], says };
}

/** A budget of a period that began on a UTC day. */
interface PassedBudget {
  readonly period: "day" | "month";
  readonly from: number;
  /** Identifies the part of the calls that it counts; undefined for all. */
  readonly per?: string | undefined;
  /** `the budget of this month`. */
  readonly name: string;
}

/** Calls may go beyond a budget, until its period ends. */
export function overdraftConsent(receiver: string, { period, from, per, name }: PassedBudget): Consent {
  const to = period === "day" ? from + 1 : monthOf(from * dayMs).to;
  const subject = [period, String(from), ...(per === undefined ? [] : [per])];
  return { kind: "overdraft", receiver, subject, says: `Go on beyond ${name}`, untilMs: to * dayMs };
}

/** A wallet may pay in place of a key. */
export function walletConsent(receiver: string, { address, signer }: ConnectionWallet): Consent {
  const who = signer === "command" ? "your program signs each call" : "you paste each signature";
  return { kind: "wallet", receiver, subject: [address, signer], says: `Pay with ${address}: ${who}` };
}
