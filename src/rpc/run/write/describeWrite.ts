import type { ChainCall } from "../../../tools/chain/chainHelp.ts";
import type { Evm } from "../../evm/evm.ts";
import { callText, type Fact } from "./writeFacts.ts";
import { checkWrite } from "./writes.ts";

/**
 * The content of a signed transaction, as `name: value` for each fact. Throws an Error with the reason if it can't be
 * decoded, or is signed for another chain.
 */
export function describeWrite(evm: Evm, { network, method, params }: ChainCall): readonly string[] {
  const checked = checkWrite(evm, { method, params }, network);
  if ("reason" in checked) throw new Error(checked.reason);
  const { facts, transaction } = checked.write;
  if (facts.some(([name]) => name === "Parameters"))
    throw new Error(
      "its parameters can't be decoded, so nobody could confirm them here. Use an RPC notebook",
    );
  if (!transaction) return [["Method", method] as const, ...facts].map(lineOf);
  const from = evm.readSender(String(params[0])) ?? "unknown, because the signature is invalid";
  const called = evm.decodeCalldata(transaction.data, []);
  const call: readonly Fact[] = called ? [["Call", callText(called)]] : [];
  return [["Method", method] as const, ["From", from] as const, ...facts, ...call].map(lineOf);
}

function lineOf([name, value]: Fact): string {
  return `${name}: ${value}`;
}
