import type { Chain, Outcome } from "../chain.ts";

/** Blocks that a fresh chain is given, so that there is something to read. */
const transfers = 4;
const emptyBlocks = 28;
const blockSeconds = 12;
/** How far the chain's clock moves on meanwhile: its first block is to be that old. */
export const settledMs = emptyBlocks * blockSeconds * 1000;

/** Puts a few transfers between the node's own accounts and some empty blocks onto a fresh chain. */
export async function settle(chain: Chain, signal: AbortSignal): Promise<void> {
  const [accounts] = await chain.answer([{ method: "eth_accounts", params: [] }], signal);
  const [from, ...others] = addressesOf(accounts);
  if (from === undefined) return;
  const sends = others.slice(0, transfers).map((to) => ({
    method: "eth_sendTransaction",
    params: [{ from, to, value: "0xde0b6b3a7640000" }],
  }));
  await chain.answer(sends, signal);
  await chain.answer([{ method: "anvil_mine", params: [hex(emptyBlocks), hex(blockSeconds)] }], signal);
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function addressesOf(outcome: Outcome | undefined): string[] {
  const result = outcome && "result" in outcome ? outcome.result : undefined;
  return Array.isArray(result) ? result.map(String) : [];
}
