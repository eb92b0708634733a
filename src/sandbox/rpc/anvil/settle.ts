import type { CallOutcome, Chain, ChainCall } from "../chain.ts";
import { tokenAddress } from "../token.ts";
import { tokenCode } from "./tokenCode.ts";

/** Blocks that a fresh chain is given, so that there is something to read. */
const transfers = 4;
const emptyBlocks = 28;
const blockSeconds = 12;
/** How far the chain's clock moves on meanwhile: its first block is to be that old. */
export const settledMs = emptyBlocks * blockSeconds * 1000;

const oneCoin = "0xde0b6b3a7640000";
const tokensEach = 1_000n * 10n ** 18n;

/**
 * Puts transfers between the node's own accounts onto a fresh chain, some empty blocks, and a token: its transfers are
 * in the newest blocks, which is where people look first.
 */
export async function settleChain(chain: Chain, signal: AbortSignal): Promise<void> {
  const ask = async (method: string, ...params: readonly unknown[]) =>
    (await chain.answer([{ method, params } satisfies ChainCall], signal))[0];
  const accounts = addressesOf(await ask("eth_accounts"));
  const [from, ...others] = accounts;
  if (from === undefined) return;
  // One by one: of several at once with the same nonce a node mines one.
  for (const to of others.slice(0, transfers)) await ask("eth_sendTransaction", { from, to, value: oneCoin });
  await ask("anvil_mine", hex(emptyBlocks), hex(blockSeconds));
  await ask("anvil_setCode", tokenAddress, tokenCode);
  await ask("anvil_setStorageAt", tokenAddress, word(0n), word(tokensEach * BigInt(accounts.length)));
  for (const account of accounts)
    await ask("anvil_setStorageAt", tokenAddress, word(BigInt(account)), word(tokensEach));
  for (const [at, to] of others.slice(0, transfers).entries()) {
    const data = `0xa9059cbb${word(BigInt(to)).slice(2)}${word(BigInt(at + 1) * 10n ** 18n).slice(2)}`;
    await ask("eth_sendTransaction", { from, to: tokenAddress, data });
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function word(value: bigint): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

function addressesOf(outcome: CallOutcome | undefined): string[] {
  const result = outcome && "result" in outcome ? outcome.result : undefined;
  return Array.isArray(result) ? result.map(String) : [];
}
