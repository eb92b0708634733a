import { warnModally } from "../../platform/modal.ts";
import { readSettings } from "../../platform/settings.ts";
import { type CreditPrice, usdRange } from "./money.ts";
import type { Estimate } from "./plan/plan.ts";
import type { WriteQuestion } from "./run/round.ts";

/** Asks before a run that may cost more than the settings let pass. */
export async function askForCredits(
  { credits, requests, rounds, open }: Estimate,
  price: CreditPrice,
): Promise<boolean> {
  const { askAboveCredits } = readSettings().rpc;
  if (credits <= askAboveCredits) return true;
  const run = "Run";
  const what = `${open ? "at least " : "up to "}${credits.toLocaleString("en-US")} credits (${usdRange(credits, price.now(), price.isPlayMoney)})`;
  const often = rounds > 1 ? ` It asks ${rounds} times.` : "";
  const answer = await warnModally(
    `This run costs ${what}.`,
    {
      detail: `${requests} request${requests === 1 ? "" : "s"}.${often} Runs above ${askAboveCredits} credits ask first; the setting inference.rpc.askAboveCredits says so.`,
    },
    run,
  );
  return answer === run;
}

/** Shows what a call changes before it leaves for a chain where money is real. */
export async function askBeforeSending({ network, method, facts }: WriteQuestion): Promise<boolean> {
  const isTransaction = method === "eth_sendRawTransaction";
  const kept = " The service records its hash with your account, the signed bytes are not kept.";
  const last = `It can't be taken back.${isTransaction ? kept : ""}`;
  const lines = [...facts.map(([name, value]) => `${name}: ${value}`), "", last];
  const send = "Send";
  const answer = await warnModally(
    isTransaction
      ? `Send this transaction to ${network}?`
      : `Send ${method} to ${network}? It changes the chain.`,
    { detail: lines.join("\n") },
    // The first button has the focus: Enter, typed for something else, sends nothing.
    "Don't Send",
    send,
  );
  return answer === send;
}
