import { ChainFault } from "../chain.ts";
import { invalidParams } from "../simulated/parameters.ts";
import type { ChainBlock } from "./block.ts";
import type { Blockchain } from "./blockchain.ts";
import { type LogForm, logForms } from "./values/forms.ts";
import { blockNamed } from "./values/parameters.ts";
import { lower } from "./values/quantity.ts";

/** eth_getLogs. */
export function logsOf(chain: Blockchain, filter: unknown): LogForm[] {
  if (typeof filter !== "object" || filter === null) throw invalidParams("invalid params: a filter expected");
  const { address, topics, ...range } = filter as Readonly<Record<string, unknown>>;
  const fits = (log: LogForm) => fitsAddress(log, address) && fitsTopics(log, topics);
  return blocksOf(chain, range).flatMap(logForms).filter(fits);
}

function blocksOf(chain: Blockchain, range: Readonly<Record<string, unknown>>): ChainBlock[] {
  if (range.blockHash !== undefined) {
    const block = chain.blockOf(String(range.blockHash));
    if (!block) throw new ChainFault(-32000, "unknown block");
    return [block];
  }
  const from = blockNamed(chain, range.fromBlock ?? "latest")?.number ?? Number.POSITIVE_INFINITY;
  const to = blockNamed(chain, range.toBlock ?? "latest")?.number ?? chain.head().number;
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => chain.block(from + index)).filter(
    (block) => block !== undefined,
  );
}

function fitsAddress(log: LogForm, address: unknown): boolean {
  if (address === undefined || address === null) return true;
  return [address].flat().some((each) => lower(String(each)) === log.address);
}

/** Each position is one topic, a list of alternatives, or null for any. */
function fitsTopics({ topics }: LogForm, wanted: unknown): boolean {
  if (!Array.isArray(wanted)) return true;
  return wanted.every((choice, index) => {
    if (choice === null || choice === undefined) return true;
    return [choice].flat().some((each) => lower(String(each)) === topics[index]);
  });
}
