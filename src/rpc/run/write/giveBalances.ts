// The balances that `@give` adds in a simulation: the token by its address or symbol, the amount in its unit.
import { isMainnet, localNetwork, networks } from "../../../shared/rpc/networks.ts";
import type { Evm } from "../../evm/evm.ts";
import type { Give } from "../../language/check/gives.ts";
import { scaled } from "../../output/scaled.ts";
import { findBalance, mergedOverrides, type StateOverrides } from "../../simulate/balanceSlot.ts";
import type { AskNodes, NodeReply } from "../../simulate/simulate.ts";
import { tokenAddress } from "../lookUp/knownTokens.ts";
import type { Fact } from "./writeFacts.ts";

/** The balances with which a simulation starts, and the lines of the output about them. */
export interface Given {
  readonly state: StateOverrides;
  readonly facts: readonly Fact[];
}

/** The calls that one `@give` needs at most, besides those for its slot: the chain, and symbol and decimals or the balance. */
export const giveRequests: readonly string[] = ["eth_chainId", "eth_call", "eth_call"];

/** Finds how to give each of the balances. `sender` is that of the transaction. Throws if nothing can be sent. */
export async function giveBalances(
  gives: readonly Give[],
  ask: AskNodes,
  {
    network,
    sender,
    evm,
  }: { readonly network: string; readonly sender?: string | undefined; readonly evm: Evm },
): Promise<Given | { readonly reason: string }> {
  const states: StateOverrides[] = [];
  const facts: Fact[] = [];
  const done = new Set<string>();
  for (const give of gives) {
    const named = `${give.amount} ${give.token ?? "wei"}`;
    const holder = give.to ?? sender;
    if (holder === undefined)
      return {
        reason: `${named} has no receiver, because the sender is unknown. Write to and an address after it`,
      };
    const found = await (give.token === undefined
      ? giveCoin(give, holder, ask)
      : giveToken({ ...give, token: give.token }, holder, ask, network, evm));
    if ("reason" in found) return { reason: `${named} can't be given: ${found.reason}` };
    if (done.has(found.key)) return { reason: `${named} is given twice to one account. Write the sum` };
    done.add(found.key);
    states.push(found.state);
    facts.push(["Given", `${found.text} to ${evm.checksummed(holder) ?? holder}`]);
  }
  return { state: mergedOverrides(states), facts };
}

type Found =
  | { readonly state: StateOverrides; readonly text: string; readonly key: string }
  | { readonly reason: string };

async function giveCoin({ amount }: Give, holder: string, ask: AskNodes): Promise<Found> {
  const [reply] = await ask([{ method: "eth_getBalance", params: [holder, "latest"] }]);
  const now = textOf(reply);
  if (!/^0x[0-9a-f]{1,64}$/i.test(now)) return { reason: "the node tells no balance" };
  const sum = BigInt(now) + BigInt(amount);
  if (sum >= 2n ** 256n) return { reason: "it is more than fits into a balance" };
  return {
    state: { [holder]: { balance: `0x${sum.toString(16)}` } },
    text: `${scaled(BigInt(amount), 18)} of the network's coin`,
    key: holder.toLowerCase(),
  };
}

async function giveToken(
  { amount, token }: Give & { readonly token: string },
  holder: string,
  ask: AskNodes,
  network: string,
  evm: Evm,
): Promise<Found> {
  const isAddress = token.startsWith("0x");
  const address = isAddress ? token : tokenAddress(await chainOf(network, ask), token);
  if (address === undefined)
    return { reason: `no widely used token of ${network} has this symbol. Write its address instead` };
  const [symbol, decimals] = await ask(
    evm.encodeToken(address).map((call) => ({ method: "eth_call", params: [call, "latest"] })),
  );
  const unit = evm.decodeToken(replyOf(symbol), replyOf(decimals));
  const where = `${evm.checksummed(address) ?? address} on ${network}`;
  if (!unit) return { reason: `${where} has no symbol and decimals, so it is no token there` };
  if (!isAddress && unit.symbol.toUpperCase() !== token.toUpperCase())
    return { reason: `${where} is ${unit.symbol}. Write the address of the token` };
  const units = inUnits(amount, unit.decimals);
  if (units === undefined) return { reason: `${unit.symbol} has ${unit.decimals} decimals` };
  const found = await findBalance(ask, address.toLowerCase(), holder.toLowerCase(), units, evm.keccak);
  if ("reason" in found) return { reason: `in ${unit.symbol} (${where}), ${found.reason}` };
  const { account, slot } = found.slot;
  const own = account.toLowerCase() === address.toLowerCase() ? "" : ` of ${account}`;
  return {
    state: found.overrides,
    text: `${amount} ${unit.symbol} (slot ${slot.slice(0, 10)}…${own}, checked with balanceOf)`,
    key: `${address.toLowerCase()} ${holder.toLowerCase()}`,
  };
}

/** The network that a node on this machine copies, by its chain. */
async function chainOf(network: string, ask: AskNodes): Promise<string> {
  if (network !== localNetwork) return network;
  const [reply] = await ask([{ method: "eth_chainId", params: [] }]);
  const id = Number(textOf(reply));
  const same = networks.filter(({ chainId }) => chainId !== undefined && chainId === id);
  return (same.find(({ slug }) => isMainnet(slug)) ?? same[0])?.slug ?? network;
}

/** An amount in the smallest unit; undefined for a fraction of it, and for more than 256 bits. */
function inUnits(amount: string, decimals: number): bigint | undefined {
  const [whole = "0", fraction = ""] = amount.split(".");
  if (fraction.length > decimals && /[1-9]/.test(fraction.slice(decimals))) return undefined;
  const units = BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`);
  return units < 2n ** 255n ? units : undefined;
}

function textOf(reply: NodeReply | undefined): string {
  return reply && "result" in reply ? String(reply.result) : "";
}

function replyOf(reply: NodeReply | undefined) {
  return { success: reply !== undefined && "result" in reply, returnData: textOf(reply) };
}
