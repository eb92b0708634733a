import { toQuantity, toWord } from "../../../shared/rpc/hex.ts";
import type { CallOutcome, Chain, ChainCall } from "../chain.ts";
import { tokenAddress } from "../networks.ts";

/** Blocks added to a new chain, so that there is data to read. */
const transfers = 4;
const emptyBlocks = 28;
const blockSeconds = 12;
/** The age of the first block: the chain's clock advances by this time. */
export const settledMs = emptyBlocks * blockSeconds * 1000;

const oneCoin = "0xde0b6b3a7640000";
const tokensEach = 1_000n * 10n ** 18n;

/**
 * Adds transfers between the node's accounts, empty blocks and a token to a new chain. The token's transfers are
 * in the newest blocks.
 */
export async function settleChain(chain: Chain, signal: AbortSignal): Promise<void> {
  const ask = async (method: string, ...params: readonly unknown[]) =>
    (await chain.answer([{ method, params } satisfies ChainCall], signal))[0];
  const accounts = addressesOf(await ask("eth_accounts"));
  const [from, ...others] = accounts;
  if (from === undefined) return;
  // Sequential, because of several transactions with the same nonce only one is mined.
  for (const to of others.slice(0, transfers)) await ask("eth_sendTransaction", { from, to, value: oneCoin });
  await ask("anvil_mine", toQuantity(emptyBlocks), toQuantity(blockSeconds));
  await ask("anvil_setCode", tokenAddress, tokenCode);
  await ask("anvil_setStorageAt", tokenAddress, toWord(0n), toWord(tokensEach * BigInt(accounts.length)));
  for (const account of accounts)
    await ask("anvil_setStorageAt", tokenAddress, toWord(BigInt(account)), toWord(tokensEach));
  for (const [at, to] of others.slice(0, transfers).entries()) {
    const data = `0xa9059cbb${toWord(BigInt(to)).slice(2)}${toWord(BigInt(at + 1) * 10n ** 18n).slice(2)}`;
    await ask("eth_sendTransaction", { from, to: tokenAddress, data });
  }
}

function addressesOf(outcome: CallOutcome | undefined): string[] {
  const result = outcome && "result" in outcome ? outcome.result : undefined;
  return Array.isArray(result) ? result.map(String) : [];
}

/**
 * Bytecode of a small ERC-20 with 18 decimals. An account's balance is in the storage slot of its address, the total
 * supply in slot 0. Only `transfer` is implemented. Assembled by hand, because the contract is small.
 */
const tokenCode = [
  "0x5f3560e01c", // the selector
  "806370a0823114603157", // balanceOf(address)
  "8063a9059cbb14604957", // transfer(address,uint256)
  "806318160ddd14603d57", // totalSupply()
  "8063313ce56714604357", // decimals()
  "5b5f5ffd", // 2d: revert
  "5b60043554", // 31: what the slot of the first input holds,
  "5b5f5260205ff3", // 36: is returned
  "5b5f54603656", // 3d: so is slot 0,
  "5b6012603656", // 43: or 18
  "5b6024353354818110602d57", // 49: a sender who has less reverts
  "8190033355", // the sender has so much less,
  "600435805482018155", // the receiver more,
  // emit Transfer
  "905f52337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60205fa3",
  "6001603656", // true
].join("");
