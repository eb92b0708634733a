import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { shortened } from "../../shared/text/shortened.ts";
import type { RpcEvent, RpcRevert, RpcSimulation, RpcTokenTransfer } from "../output/rpcOutput.ts";
import { quantityOf } from "./answers.ts";
import { addressIn, type Effects, type SimulatedLog, transferTopic } from "./effects.ts";

/** Decodes with the declarations of the notebook. */
export interface Decoders {
  readonly event: (log: SimulatedLog) => RpcEvent | undefined;
  readonly revert: (data: string) => RpcRevert | undefined;
  readonly checksummed: (address: string) => string | undefined;
}

/** Limits of each list, and of the characters of one entry. */
const mostListed = 100;
const mostText = 2_000;

/** Decodes the effects and limits their size. */
export function toSimulation(
  { gasUsed, revertData, message, logs, balances, storage, notForked, ...effects }: Effects,
  facts: RpcSimulation["facts"],
  decoders: Decoders,
): RpcSimulation {
  const address = (text: string) => decoders.checksummed(text) ?? text;
  const revert = revertData === undefined ? undefined : decoders.revert(revertData);
  const tokens = logs?.flatMap((log) => transferIn(log, address) ?? []);
  const lists = { logs, tokens, storage, balances: balances && [...balances] };
  const left = Object.entries(lists).flatMap(([name, list = []]) =>
    list.length > mostListed ? [`${list.length - mostListed} more ${name}`] : [],
  );
  return {
    ...effects,
    facts,
    ...(gasUsed === undefined ? {} : { gasUsed: String(gasUsed) }),
    ...(message === undefined ? {} : { message: message.slice(0, mostText) }),
    ...(notForked === undefined ? {} : { notForked: notForked.slice(0, mostText) }),
    ...(revert && isShort(revert) ? { revert } : {}),
    ...(logs ? shownLogs(logs.slice(0, mostListed), decoders, address) : {}),
    ...(tokens ? { tokens: tokens.slice(0, mostListed) } : {}),
    ...(lists.balances
      ? {
          balances: lists.balances
            .slice(0, mostListed)
            .map(([account, change]) => ({ account: address(account), change: String(change) })),
        }
      : {}),
    ...(storage
      ? { storage: storage.slice(0, mostListed).map((one) => ({ ...one, account: address(one.account) })) }
      : {}),
    ...(left.length > 0 ? { left } : {}),
  };
}

function isShort(value: RpcEvent | RpcRevert): boolean {
  return exactJsonText(value as never).length <= 2 * mostText;
}

function shownLogs(
  logs: readonly SimulatedLog[],
  { event }: Decoders,
  address: (text: string) => string,
): Pick<RpcSimulation, "logs" | "events"> {
  return {
    logs: logs.map((log) => ({
      address: address(log.address),
      topics: log.topics.slice(0, 4).map((topic) => topic.slice(0, 66)),
      data: shortened(log.data, mostText),
    })),
    events: logs.map((log) => {
      const decoded = event(log);
      return decoded && isShort(decoded) ? decoded : null;
    }),
  };
}

/** An ERC-20 transfer has its amount in the data, an ERC-721 transfer its id in a topic. */
function transferIn(
  { address, topics, data }: SimulatedLog,
  shown: (text: string) => string,
): RpcTokenTransfer | undefined {
  const [topic, fromTopic, toTopic, id] = topics;
  const [from, to] = [addressIn(fromTopic), addressIn(toTopic)];
  const value = quantityOf(topics.length === 4 ? id : data);
  if (topic !== transferTopic || topics.length < 3 || !from || !to || value === undefined) return undefined;
  return {
    token: shown(address),
    kind: id === undefined ? "ERC-20" : "ERC-721",
    from: shown(from),
    to: shown(to),
    value: String(value),
  };
}
