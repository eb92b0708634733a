import { messageOf } from "../../shared/messageOf.ts";
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

/** The state of a network at one block, as a forked node reads it. Every value is read from the network once. */
export class ForkState {
  readonly #block: ForkBlock;
  readonly #known = new Map<string, Promise<NodeReply>>();
  #ask: AskNodes | undefined;
  #left = mostForkCalls - blockCalls.length;
  #isNext = false;
  #failure: string | undefined;

  constructor(block: ForkBlock) {
    this.#block = block;
  }

  /** The reason that a value is missing. The results of the node mean nothing then. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Allows reads by `ask` for one transaction, and reads in one request what it will probably use. */
  async begin(call: SimulatedCall, ask: AskNodes): Promise<void> {
    this.#ask = ask;
    if (this.#isNext) this.#left = mostForkCalls;
    this.#isNext = true;
    this.#left--;
    const at = toQuantity(this.#block.number);
    const used = await accessListOf(call, at, ask);
    const parties = [call.from, call.to, this.#block.header.miner].flatMap((one) => accountReads(one, at));
    this.#read([...parties, ...used]);
  }

  /** Ends the reads for the transaction. */
  end(): void {
    this.#ask = undefined;
  }

  /** Answers the node. Only reads at the block are sent to the network. Never throws. */
  async answer(method: string, params: readonly unknown[]): Promise<NodeReply> {
    const own = ownAnswer(this.#block, method, params);
    if (own) return own;
    const call = readOf(this.#block, method, params);
    if (!call) {
      const message = `${method.slice(0, 60)} is not sent to the network`;
      return { error: { code: -32_601, message } };
    }
    // A node that reads one part of an account reads all of them.
    const isAccount = accountMethods.some((one) => one === method);
    this.#read(isAccount ? accountReads(call.params[0], toQuantity(this.#block.number)) : [call]);
    return (await this.#known.get(keyOf(call))) ?? noReply;
  }

  /** Reads what is not known yet, in one request. */
  #read(calls: readonly NodeCall[]): void {
    const fresh = new Map(calls.map((one) => [keyOf(one), one]));
    for (const key of fresh.keys()) if (this.#known.has(key)) fresh.delete(key);
    if (fresh.size === 0) return;
    const replies = this.#send([...fresh.values()]);
    for (const [index, key] of [...fresh.keys()].entries())
      this.#known.set(
        key,
        replies.then((all) => all[index] ?? noReply),
      );
  }

  async #send(calls: readonly NodeCall[]): Promise<readonly NodeReply[]> {
    if (calls.length > this.#left) this.#fail(`the transaction needs more than ${mostForkCalls} calls`);
    if (this.#failure !== undefined || !this.#ask)
      return calls.map(() => this.#fail("the transaction has ended"));
    this.#left -= calls.length;
    try {
      const replies = await this.#ask(calls);
      return calls.map(({ method }, index) => {
        const reply = replies[index] ?? noReply;
        return "error" in reply ? this.#fail(refusalFrom(method, reply.error)) : reply;
      });
    } catch (error) {
      return calls.map(() => this.#fail(messageOf(error)));
    }
  }

  #fail(reason: string): NodeReply {
    this.#failure ??= reason;
    // Without the words of the network: they must not look like a verdict about the transaction.
    return { error: { code: -32_000, message: "This state is not known" } };
  }
}

const noReply: NodeReply = { error: { code: 0, message: "no response" } };

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
