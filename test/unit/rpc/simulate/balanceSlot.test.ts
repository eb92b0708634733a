// A node that answers what it likes: its addresses and slots are checked before they are believed or shown.
import assert from "node:assert/strict";
import { test } from "node:test";
import { keccak256 } from "viem";
import type { AskNodes, NodeCall } from "../../../../src/rpc/simulate/answers.ts";
import { findBalance } from "../../../../src/rpc/simulate/balanceSlot.ts";

const [token, holder] = [`0x${"70".repeat(20)}`, `0x${"a1".repeat(20)}`];
const word = (value: bigint) => `0x${value.toString(16).padStart(64, "0")}`;
const keccak = (hex: string) => keccak256(`0x${hex.slice(2)}`);

/** Confirms each slot that it lists: the balance is what was written there, for the holder alone. */
function nodeThatLists(accessList: unknown): { readonly ask: AskNodes; readonly asked: NodeCall[] } {
  const asked: NodeCall[] = [];
  const answer = ({ method, params }: NodeCall): unknown => {
    if (method === "eth_createAccessList") return { accessList };
    const [call, , overrides] = params as [{ data?: string }?, unknown?, object?];
    const [diff] = Object.values(overrides ?? {}) as { stateDiff?: Record<string, string> }[];
    const written = Object.values(diff?.stateDiff ?? {});
    const isHolder = call?.data?.endsWith("a1".repeat(20));
    return isHolder && written.length === 1 ? written[0] : word(0n);
  };
  return {
    asked,
    async ask(calls) {
      asked.push(...calls);
      return calls.map((call) => ({ result: answer(call) }) as never);
    },
  };
}

test("a slot of the access list is used only if it is one, of an address", async () => {
  const slot = word(5n);
  const bad = [
    [{ address: "x".repeat(100_000), storageKeys: [slot] }],
    [{ address: token, storageKeys: ["__proto__", "0x1", slot.slice(0, -1), `${slot}0`, 5, null, {}] }],
    [{ address: "__proto__", storageKeys: [slot] }, null, 7, "a"],
    { length: 1e9 },
  ];
  for (const list of bad) {
    const { ask, asked } = nodeThatLists(list);
    const found = await findBalance(ask, token, holder, 1000n, keccak);
    assert.ok("reason" in found, JSON.stringify(list).slice(0, 100));
    assert.ok(asked.every(({ method }) => method !== "eth_getStorageAt"));
  }
  const found = await findBalance(
    nodeThatLists([{ address: token, storageKeys: [slot] }]).ask,
    token,
    holder,
    1000n,
    keccak,
  );
  assert.deepEqual("slot" in found && found.slot, { account: token, slot });
});
