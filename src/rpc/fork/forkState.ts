import { toQuantity, toWord } from "../../shared/rpc/hex.ts";
import {
  type AskNodes,
  forkRead,
  mostForkCalls,
  type NodeCall,
  type NodeReply,
  objectOf,
  quantityOf,
  refusalFrom,
  type SimulatedCall,
} from "../simulate/simulate.ts";

/** The block from which a network is forked. */
export interface ForkBlock {
  readonly chainId: bigint;
  readonly number: bigint;
  readonly header: Readonly<Record<string, unknown>>;
}

/** The state of a network at one block, as a forked node reads it. Every value is read from the network once. */
export interface ForkState {
  /** Answers the node. Only reads at the block are sent to the network. Never throws. */
  answer(method: string, params: readonly unknown[]): Promise<NodeReply>;
  /** Allows reads by `ask` for one transaction, and reads in one request what it will probably use. */
  begin(call: SimulatedCall, ask: AskNodes): Promise<void>;
  /** Ends the reads for the transaction. */
  end(): void;
  /** The reason that a value is missing. The results of the node mean nothing then. */
  readonly failure: string | undefined;
}

const blockCalls: readonly NodeCall[] = [
  { method: "eth_getBlockByNumber", params: ["latest", false] },
  { method: "eth_chainId", params: [] },
];

/** Reads the newest block. Throws if it can't be sent, or a reply has another form. */
export async function readForkBlock(ask: AskNodes): Promise<ForkBlock> {
  const [block, id] = (await ask(blockCalls)).map((reply) => ("result" in reply ? reply.result : undefined));
  const header = objectOf(block);
  const [number, chainId] = [quantityOf(header?.number), quantityOf(id)];
  if (!header || number === undefined || chainId === undefined)
    throw new Error("the network does not give its newest block");
  return { chainId, number, header };
}

export function createForkState(block: ForkBlock): ForkState {
  const { number, header } = block;
  const at = toQuantity(number);
  const known = new Map<string, Promise<NodeReply>>();
  let ask: AskNodes | undefined;
  let left = mostForkCalls - blockCalls.length;
  let isNext = false;
  let failure: string | undefined;
  const failed = (reason: string): NodeReply => {
    failure ??= reason;
    // Without the words of the network: they must not look like a verdict about the transaction.
    return { error: { code: -32_000, message: "This state is not known" } };
  };
  const send = async (calls: readonly NodeCall[]): Promise<readonly NodeReply[]> => {
    if (calls.length > left) failed(`the transaction needs more than ${mostForkCalls} calls`);
    if (failure !== undefined || !ask) return calls.map(() => failed("the transaction has ended"));
    left -= calls.length;
    try {
      const replies = await ask(calls);
      return calls.map(({ method }, index) => {
        const reply = replies[index] ?? noReply;
        return "error" in reply ? failed(refusalFrom(method, reply.error)) : reply;
      });
    } catch (error) {
      return calls.map(() => failed(messageOf(error)));
    }
  };
  /** Reads what is not known yet, in one request. */
  const read = (calls: readonly NodeCall[]) => {
    const fresh = new Map(calls.map((one) => [keyOf(one), one]));
    for (const key of fresh.keys()) if (known.has(key)) fresh.delete(key);
    if (fresh.size === 0) return;
    const replies = send([...fresh.values()]);
    let index = 0;
    for (const key of fresh.keys()) {
      const place = index++;
      known.set(
        key,
        replies.then((all) => all[place] ?? noReply),
      );
    }
  };
  return {
    get failure() {
      return failure;
    },
    async begin(call, send) {
      ask = send;
      if (isNext) left = mostForkCalls;
      isNext = true;
      left--;
      const used = await accessListOf(call, at, send);
      const parties = [call.from, call.to, header.miner].flatMap((one) => accountReads(one, at));
      read([...parties, ...used]);
    },
    end() {
      ask = undefined;
    },
    async answer(method, params) {
      const own = ownAnswer(block, method, params);
      if (own) return own;
      const call = readOf(block, method, params);
      if (!call) {
        const message = `${method.slice(0, 60)} is not sent to the network`;
        return { error: { code: -32_601, message } };
      }
      // A node that reads one part of an account reads all of them.
      const isAccount = accountMethods.some((one) => one === method);
      read(isAccount ? accountReads(call.params[0], at) : [call]);
      return (await known.get(keyOf(call))) ?? noReply;
    },
  };
}

const noReply: NodeReply = { error: { code: 0, message: "no response" } };

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const accountMethods = ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"] as const;

function accountReads(address: unknown, at: string): NodeCall[] {
  if (typeof address !== "string" || !/^0x[0-9a-f]{40}$/i.test(address)) return [];
  return accountMethods.map((method) => ({ method, params: [address.toLowerCase(), at] }));
}

/** The reads of what a transaction uses, which the network may know by a single call. */
async function accessListOf(call: SimulatedCall, at: string, ask: AskNodes): Promise<NodeCall[]> {
  try {
    const [reply] = await ask([{ method: "eth_createAccessList", params: [call, at] }]);
    const list = reply && "result" in reply ? objectOf(reply.result)?.accessList : undefined;
    return (Array.isArray(list) ? list.slice(0, mostForkCalls) : []).flatMap((entry: unknown) => {
      const { address, storageKeys } = objectOf(entry) ?? {};
      const slots = Array.isArray(storageKeys) ? storageKeys.slice(0, mostForkCalls) : [];
      return [...accountReads(address, at), ...slots.flatMap((slot) => slotRead(address, slot, at) ?? [])];
    });
  } catch {
    // The node reads without it, or meets the same problem.
    return [];
  }
}

function slotRead(address: unknown, slot: unknown, at: string): NodeCall | undefined {
  const place = quantityOf(slot);
  if (typeof address !== "string" || place === undefined) return undefined;
  const word = toWord(place);
  return { method: forkRead, params: [address.toLowerCase(), word, at] };
}

/** The call in one form; undefined if it is no read at the block, or of an earlier block. */
function readOf({ number }: ForkBlock, method: string, params: readonly unknown[]): NodeCall | undefined {
  const [first, second, third] = params;
  const at = toQuantity(number);
  if (method === "eth_getBlockByNumber") {
    const asked = quantityOf(first);
    return asked !== undefined && asked < number ? { method, params: [toQuantity(asked), false] } : undefined;
  }
  if (method === forkRead) return quantityOf(third) === number ? slotRead(first, second, at) : undefined;
  return quantityOf(second) === number
    ? accountReads(first, at).find((one) => one.method === method)
    : undefined;
}

/** The answers that follow from the block alone. */
function ownAnswer(
  { chainId, number, header }: ForkBlock,
  method: string,
  [first, isWhole]: readonly unknown[],
): NodeReply | undefined {
  if (method === "eth_chainId") return { result: toQuantity(chainId) };
  if (method === "eth_blockNumber") return { result: toQuantity(number) };
  if (method === "eth_gasPrice") return { result: header.baseFeePerGas ?? "0x0" };
  if (method !== "eth_getBlockByNumber" || quantityOf(first) !== number) return undefined;
  // No call needs the transactions of the block.
  return { result: isWhole === true ? { ...header, transactions: [] } : header };
}

function keyOf({ method, params }: NodeCall): string {
  return `${method} ${params.join(" ")}`;
}
