import type { Hex } from "../../../shared/rpc/hex.ts";
import { toQuantity, toWord } from "../../../shared/rpc/hex.ts";
import type { ChainMethods } from "../chain.ts";
import type { ChainBlock } from "./block.ts";
import type { Blockchain, MinedTransaction } from "./blockchain.ts";
import { blockAt, hashAt } from "./values/parameters.ts";

/** Traces of mined transactions. The only contract calls no other, so each transaction is one call. */
export function traceMethods(chain: Blockchain): ChainMethods {
  const ofTransaction = (params: readonly unknown[]) => chain.find(hashAt(params, 0));
  const ofBlock = (block: ChainBlock | undefined) =>
    block?.transactions.map((transaction, index) => ({ transaction, block, index }));
  return {
    debug_traceTransaction: (params) => {
      const found = ofTransaction(params);
      return found ? (wantsCalls(params[1]) ? callForm(found) : stepsForm(found)) : null;
    },
    trace_transaction: (params) => {
      const found = ofTransaction(params);
      return found ? [flatForm(found)] : null;
    },
    trace_block: (params) => ofBlock(blockAt(chain, params, 0))?.map(flatForm) ?? null,
  };
}

function wantsCalls(options: unknown): boolean {
  return (
    typeof options === "object" && options !== null && "tracer" in options && options.tracer === "callTracer"
  );
}

function outputOf({ to, logs }: MinedTransaction["transaction"]): Hex {
  return to !== null && logs.length > 0 ? toWord(1) : "0x";
}

function callForm({ transaction }: MinedTransaction): object {
  const { from, to, gas, gasUsed, input, value, contractAddress } = transaction;
  return {
    type: to === null ? "CREATE" : "CALL",
    from,
    to: to ?? contractAddress,
    value: toQuantity(value),
    gas: toQuantity(gas),
    gasUsed: toQuantity(gasUsed),
    input,
    output: outputOf(transaction),
  };
}

/** The simulated chain runs no code, so there are no steps. */
function stepsForm({ transaction }: MinedTransaction): object {
  const returnValue = outputOf(transaction).slice(2);
  return { failed: false, gas: Number(transaction.gasUsed), returnValue, structLogs: [] };
}

function flatForm({ transaction, block, index }: MinedTransaction): object {
  const { hash, from, to, gas, gasUsed, input, value, contractAddress } = transaction;
  const [sum, left] = [toQuantity(value), toQuantity(gas)];
  return {
    type: to === null ? "create" : "call",
    action:
      to === null
        ? { from, gas: left, init: input, value: sum }
        : { callType: "call", from, gas: left, input, to, value: sum },
    result: {
      gasUsed: toQuantity(gasUsed),
      ...(to === null ? { address: contractAddress, code: "0x" } : { output: outputOf(transaction) }),
    },
    subtraces: 0,
    traceAddress: [],
    blockHash: block.hash,
    blockNumber: block.number,
    transactionHash: hash,
    transactionPosition: index,
  };
}
