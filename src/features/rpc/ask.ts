import { warnModally } from "../../platform/modal.ts";
import { readSettings } from "../../platform/settings.ts";
import { coinOf } from "../../shared/rpc/networks.ts";
import { usdRange } from "./money.ts";
import type { Estimate } from "./plan/estimate.ts";
import type { TransactionQuestion } from "./run/transactionGuard.ts";

/** Asks before a run that may cost more than the settings let pass. */
export async function askForCredits({ credits, requests, rounds, open }: Estimate): Promise<boolean> {
  const { askAboveCredits } = readSettings().rpc;
  if (credits <= askAboveCredits) return true;
  const run = "Run";
  const what = `${open ? "at least " : "up to "}${credits.toLocaleString("en-US")} credits (${usdRange(credits)})`;
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

/** Shows what a signed transaction does before it leaves for a chain where money is real. */
export async function askBeforeSending({ network, transaction }: TransactionQuestion): Promise<boolean> {
  const { to, value, nonce, maxFee, maxFeePerGas, hash, chainId, dataBytes, blobs } = transaction;
  const coin = coinOf(network);
  const lines = [
    `To: ${to ?? "a new contract"}`,
    `Value: ${value} ${coin}`,
    `Nonce: ${nonce}`,
    `Fee: ${maxFee === undefined ? "not stated" : `at most ${maxFee} ${coin} (${maxFeePerGas} gwei a unit of gas)`}`,
    `Data: ${dataBytes} bytes`,
    ...(blobs > 0 ? [`Blobs: ${blobs}, their price included above`] : []),
    `Chain: ${chainId ?? "any: this signature holds on every chain"}`,
    `Hash: ${hash}`,
    "",
    "It can't be taken back. The service records its hash with your account, the signed bytes are not kept.",
  ];
  const send = "Send";
  const answer = await warnModally(
    `Send this transaction to ${network}?`,
    { detail: lines.join("\n") },
    send,
  );
  return answer === send;
}
