// The storage slot that holds the balance of an account in a token. It is found by reading with changed storage, and is
// used only if balanceOf then returns exactly what is in it, and another account has its balance still.
import { toWord } from "../../shared/rpc/hex.ts";
import { type AskNodes, type NodeCall, type NodeReply, objectOf, quantityOf } from "./answers.ts";

/** Balances and slots of accounts that differ from those of the chain, as nodes take them. */
export type StateOverrides = Readonly<
  Record<string, { readonly balance?: string; readonly stateDiff?: Readonly<Record<string, string>> }>
>;

/** A slot of a contract, which is not always the token: some have their balances in another contract. */
interface Slot {
  readonly account: string;
  readonly slot: string;
}

/** The calls that one balance needs at most, for its price. */
export const balanceRequests: readonly string[] = [
  ...Array.from({ length: 14 }, () => "eth_call"),
  "eth_createAccessList",
  ...Array.from({ length: 7 }, () => "eth_getStorageAt"),
];
/** Slots of an access list that are tried. The slots of a proxy are among them. */
const mostSlots = 6;

/** Positions of the mapping that are tried, and those of contracts with large bases before it. */
const positions = [...Array(31).keys(), 51, 52, 101, 102, 151, 201, 251, 301];
/** The storage of ERC20Upgradeable (ERC-7201): openzeppelin.storage.ERC20. */
const namespaced = "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00";
/** The seed of balances in Solady's ERC20. */
const soladySeed = "87a211a2";

/** The slots where compilers and well-known libraries put the balance of a holder. */
function usualSlots(holder: string, keccak: (hex: string) => string): readonly string[] {
  const word = holder.slice(2).toLowerCase().padStart(64, "0");
  const places = [...positions.map((position) => toWord(position)), namespaced].map((one) => one.slice(2));
  return [
    ...places.map((place) => keccak(`0x${word}${place}`)),
    // Vyper hashes the position first.
    ...places.slice(0, 31).map((place) => keccak(`0x${place}${word}`)),
    keccak(`0x${holder.slice(2).toLowerCase()}${"0".repeat(16)}${soladySeed}`),
  ];
}

/** Balances by which the usual slots are told apart: small, because some tokens keep other facts in the upper bits. */
const firstMark = 1_000_003n;
/** An account without a meaning, whose balance must stay. */
const bystander = `0x${"5ca1ab1e".repeat(5)}`;

function balanceCall(token: string, holder: string): { readonly to: string; readonly data: string } {
  return { to: token, data: `0x70a08231${holder.slice(2).toLowerCase().padStart(64, "0")}` };
}

/** Adds `amount` to the balance of `holder`, or tells why that can't be done. Throws if nothing can be sent. */
export async function findBalance(
  ask: AskNodes,
  token: string,
  holder: string,
  amount: bigint,
  keccak: (hex: string) => string,
): Promise<{ readonly overrides: StateOverrides; readonly slot: Slot } | { readonly reason: string }> {
  const call = balanceCall(token, holder);
  const slots = usualSlots(holder, keccak);
  const marks = Object.fromEntries(slots.map((slot, at) => [slot, toWord(firstMark + BigInt(at))]));
  const [now, marked] = await ask([
    { method: "eth_call", params: [call, "latest"] },
    { method: "eth_call", params: [call, "latest", { [token]: { stateDiff: marks } }] },
  ]);
  const before = wordOf(now);
  if (before === undefined) return { reason: "it has no balanceOf" };
  if (marked && "error" in marked)
    return { reason: `the node takes no changed storage: ${marked.error.message.slice(0, 200)}` };
  const found = wordOf(marked);
  const usual = found === undefined ? undefined : slots[Number(found - firstMark)];
  const isMarked = found !== undefined && found !== before && usual !== undefined;
  const tried = isMarked ? [{ account: token, slot: usual }] : await slotsRead(ask, call);
  const wanted = before + amount;
  for (const slot of tried)
    if (await holds(ask, token, holder, slot, before, wanted)) return given(slot, wanted);
  return {
    reason:
      "no storage slot holds the balance alone: the token may compute it, rebase, or pack it with other facts",
  };
}

function given(slot: Slot, wanted: bigint) {
  return { overrides: overridesOf(slot, wanted), slot };
}

function overridesOf({ account, slot }: Slot, value: bigint): StateOverrides {
  return { [account]: { stateDiff: { [slot]: toWord(value) } } };
}

/** The slots that balanceOf reads, by the node. */
async function slotsRead(ask: AskNodes, call: NodeCall["params"][number]): Promise<readonly Slot[]> {
  const [reply] = await ask([{ method: "eth_createAccessList", params: [call, "latest"] }]);
  const result = reply && "result" in reply ? objectOf(reply.result) : undefined;
  const list = Array.isArray(result?.accessList) ? result.accessList : [];
  const slots = list.flatMap((entry: unknown) => {
    const { address, storageKeys } = objectOf(entry) ?? {};
    const keys: readonly unknown[] = Array.isArray(storageKeys) ? storageKeys : [];
    return keys.flatMap((key) => slotOf(address, key) ?? []);
  });
  // The balance is read last, after flags and the address of an implementation.
  return slots.toReversed().slice(0, mostSlots);
}

/** Undefined for what a node must not answer. */
function slotOf(account: unknown, slot: unknown): Slot | undefined {
  if (typeof account !== "string" || !/^0x[\da-f]{40}$/i.test(account)) return undefined;
  return typeof slot === "string" && /^0x[\da-f]{64}$/i.test(slot) ? { account, slot } : undefined;
}

/** True if a slot is the balance of this holder alone, and nothing else. */
async function holds(
  ask: AskNodes,
  token: string,
  holder: string,
  slot: Slot,
  before: bigint,
  wanted: bigint,
): Promise<boolean> {
  const changed = overridesOf(slot, wanted);
  const [stored, own, other, otherNow] = await ask([
    { method: "eth_getStorageAt", params: [slot.account, slot.slot, "latest"] },
    { method: "eth_call", params: [balanceCall(token, holder), "latest", changed] },
    { method: "eth_call", params: [balanceCall(token, bystander), "latest", changed] },
    { method: "eth_call", params: [balanceCall(token, bystander), "latest"] },
  ]);
  const isAlone = wordOf(stored) === before && wordOf(own) === wanted;
  return isAlone && wordOf(other) !== undefined && wordOf(other) === wordOf(otherNow);
}

/** The number in a reply of at least one word. */
function wordOf(reply: NodeReply | undefined): bigint | undefined {
  if (!reply || "error" in reply || typeof reply.result !== "string") return undefined;
  return reply.result.length >= 66 ? quantityOf(reply.result.slice(0, 66)) : undefined;
}

/** One set of overrides of several. A later slot replaces the same one. */
export function mergedOverrides(all: readonly StateOverrides[]): StateOverrides {
  const merged: Record<string, { balance?: string; stateDiff?: Record<string, string> }> = {};
  for (const [account, { balance, stateDiff }] of all.flatMap((one) => Object.entries(one))) {
    const key = account.toLowerCase();
    const known = merged[key] ?? {};
    merged[key] = {
      ...known,
      ...(balance === undefined ? {} : { balance }),
      ...(stateDiff ? { stateDiff: { ...known.stateDiff, ...stateDiff } } : {}),
    };
  }
  return merged;
}
