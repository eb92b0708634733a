import { shortAddress } from "../shared/rpc/hex.ts";

/** A wallet that signs in over a connection (spec, Authentication 2). Its private key is never here. */
export interface ConnectionWallet {
  /** 0x and 40 hex digits. */
  readonly address: string;
  /** A program of the user's, or the user, who pastes a signature for each call. */
  readonly signer: "command" | "paste";
}

/** What a wallet pays, and who signs: for the status bar and the list of connections. */
export function walletText({ address, signer }: ConnectionWallet): string {
  const who = signer === "command" ? "your program signs" : "you paste each signature";
  return `chain calls, speech and picture edits by ${shortAddress(address)}, ${who}`;
}
