/** Names of well-known programs of Solana by their address (docs.solana.com, native programs; the SPL). */
const programs: ReadonlyMap<string, string> = new Map([
  ["11111111111111111111111111111111", "System Program"],
  ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "Token Program"],
  ["TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb", "Token-2022 Program"],
  ["ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL", "Associated Token Account Program"],
  ["ComputeBudget111111111111111111111111111111", "Compute Budget Program"],
  ["Vote111111111111111111111111111111111111111", "Vote Program"],
  ["Stake11111111111111111111111111111111111111", "Stake Program"],
  ["Config1111111111111111111111111111111111111", "Config Program"],
  ["AddressLookupTab1e1111111111111111111111111", "Address Lookup Table Program"],
  ["Ed25519SigVerify111111111111111111111111111", "Ed25519 Program"],
  ["KeccakSecp256k11111111111111111111111111111", "Secp256k1 Program"],
  ["BPFLoader2111111111111111111111111111111111", "BPF Loader 2"],
  ["BPFLoaderUpgradeab1e11111111111111111111111", "Upgradeable BPF Loader"],
  ["NativeLoader1111111111111111111111111111111", "Native Loader"],
  ["Sysvar1111111111111111111111111111111111111", "Sysvar"],
  ["MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr", "Memo Program"],
  ["metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s", "Token Metadata Program"],
  ["JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4", "Jupiter v6"],
  ["675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8", "Raydium AMM v4"],
  ["whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc", "Orca Whirlpools"],
]);

export function solanaProgramName(address: string): string | undefined {
  return programs.get(address);
}
