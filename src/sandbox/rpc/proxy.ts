import type { DialectId } from "../../api/dialect/dialect.ts";
import { costOf, fixedDigits } from "../billing/ledger/decimal.ts";
import { badField, Refusal } from "../refusal.ts";
import { createRpcCaps } from "./caps.ts";
import type { CallOutcome, Chain, ChainCall } from "./chain.ts";
import type { Chains } from "./chains.ts";
import { tierOf } from "./methods.ts";
import { type Network, networksOf } from "./networks.ts";
import { createReplays } from "./replays.ts";
import { checkMethods, type RpcRequestBody, readItems } from "./requestItems.ts";

interface RpcCaller {
  /** The rate and the in-flight rule count by caller. */
  readonly callerId: string;
  /** The idempotency cache is per user. */
  readonly userId: string;
}

/** POST /crypto/rpc/{network} (spec E3). */
export interface RpcRequest extends RpcCaller {
  readonly network: string;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

/** The cost of a served request. A replay is free and not reported. */
export interface RpcSpent {
  readonly callerId: string;
  readonly network: string;
  readonly requestId: string;
  readonly credits: number;
  readonly usdPerCredit: number;
}

export interface RpcReply {
  /** One JSON-RPC response, or an array for a batch. */
  readonly body: unknown;
  /** The cost of the original, for a replay. */
  readonly credits: number;
  readonly costUsd: string;
  readonly replayed: boolean;
}

export interface RpcProxyOptions {
  readonly dialect: DialectId;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  readonly chains: Chains;
  /** If not `enforced`, caps are counted but never refuse. */
  readonly enforced: boolean;
  /** 6.25e-7 or 7e-7 (spec E3, billing rule 4; wire.md section 2). */
  readonly usdPerCredit?: number;
  /** Called once for each served request, before its reply is given. */
  readonly onSpent: (spent: RpcSpent) => void;
}

export interface RpcProxy {
  call(request: RpcRequest): Promise<RpcReply>;
  networks(): readonly string[];
  /** All eth_sendRawTransaction calls (spec E3, billing rule 6). */
  sentTransactions(): readonly SentTransaction[];
}

const defaultPrices: Readonly<Record<DialectId, number>> = { standard: 6.25e-7, venice: 7e-7 };

/** Stored for a replay. */
type Served = Pick<RpcReply, "body" | "credits">;

export function createRpcProxy(options: RpcProxyOptions): RpcProxy {
  const { dialect, now, chains, onSpent } = options;
  const usdPerCredit = options.usdPerCredit ?? defaultPrices[dialect];
  const networks = networksOf(dialect);
  const caps = createRpcCaps(options);
  const replays = createReplays<Served>(now);
  const log = new TransactionLog();
  const serve = async (request: RpcRequest, network: Network, read: RpcRequestBody): Promise<Served> => {
    const { callerId, requestId, signal } = request;
    const { items, batch } = read;
    const most = items.reduce((sum, { method }) => sum + callCredits(network, method, dialect), 0);
    caps.checkCredits(callerId, most);
    const chain: Chain = await chains.of(network);
    const outcomes = await chain.answer(items, signal);
    const credits = outcomes.reduce(
      (sum, outcome, index) => sum + outcomeCredits(network, items[index]?.method ?? "", outcome, dialect),
      0,
    );
    caps.spendCredits(callerId, credits);
    await log.record(items, { network: network.slug, requestId, callerId });
    onSpent({ callerId, network: network.slug, requestId, credits, usdPerCredit });
    const answers = items.map(({ id }, index) => answerOf(id, outcomes[index]));
    return { body: batch ? answers : answers[0], credits };
  };
  return {
    async call(request) {
      const network = networks.find(({ slug }) => slug === request.network);
      if (!network) throw new Refusal(404, `Unknown network: ${request.network}`, { param: "network" });
      const read = readItems(request.body);
      const key = checkedKey(request.idempotencyKey, dialect);
      checkMethods(read.items, dialect);
      return caps.alone(request.callerId, async () => {
        caps.takeRequest(request.callerId);
        const run = () => serve(request, network, read);
        const { reply, replayed } =
          key === undefined
            ? { reply: await run(), replayed: false }
            : await replays.once(request.userId, key, request.body, run);
        return { ...reply, costUsd: creditsCostText(reply.credits, usdPerCredit), replayed };
      });
    },
    networks: () => networks.map(({ slug }) => slug),
    sentTransactions: () => log.sent,
  };
}

function answerOf(id: string | number | bigint | null | undefined, outcome: CallOutcome | undefined): object {
  if (!outcome) throw new Refusal(502, "The chain node did not answer a call");
  return { jsonrpc: "2.0", id: id ?? null, ...outcome };
}

/** A malformed key is refused. venice ignores it (wire.md section 9). */
function checkedKey(key: string | undefined, dialect: DialectId): string | undefined {
  if (key === undefined || /^[A-Za-z0-9_-]{1,255}$/.test(key)) return key;
  if (dialect === "venice") return undefined;
  throw badField(["Idempotency-Key"], "Idempotency-Key must be 1 to 255 of A-Z, a-z, 0-9, _ and -");
}

/** An item with an error, in any tier (spec E3, billing rule 3). */
const errorCredits = 5;

/** A call of the standard tier (spec E3, billing rule 2; wire.md section 9). */
function baseCredits({ family }: Network): number {
  return family === "zksync" || family === "solana" ? 30 : 20;
}

/** The credits for a call that returns a result. */
function callCredits(network: Network, method: string, dialect: DialectId): number {
  const tier = tierOf(method, dialect);
  return "multiplier" in tier ? baseCredits(network) * tier.multiplier : 0;
}

function outcomeCredits(network: Network, method: string, outcome: CallOutcome, dialect: DialectId): number {
  return "error" in outcome ? errorCredits : callCredits(network, method, dialect);
}

/** USD with eight decimals (spec E3, X-Service-RPC-Cost-USD). */
function creditsCostText(credits: number, usdPerCredit: number): string {
  return fixedDigits(costOf(usdPerCredit, credits), 8);
}

/** The record of an eth_sendRawTransaction. The signed payload is not stored (spec E3, billing rule 6). */
interface SentTransaction {
  readonly transactionHash: string;
  readonly network: string;
  readonly requestId: string;
  readonly callerId: string;
}

class TransactionLog {
  readonly sent: SentTransaction[] = [];

  async record(calls: readonly ChainCall[], sender: Omit<SentTransaction, "transactionHash">): Promise<void> {
    const payloads = calls.flatMap(({ method, params: [payload] }) =>
      method === "eth_sendRawTransaction" && isHex(payload) ? [payload] : [],
    );
    if (payloads.length === 0) return;
    const { keccak256 } = await import("./evm/values/crypto.ts");
    for (const payload of payloads) this.sent.push({ transactionHash: keccak256(payload), ...sender });
  }
}

function isHex(value: unknown): value is `0x${string}` {
  return typeof value === "string" && /^0x([0-9a-f]{2})+$/i.test(value);
}
