import type { Members } from "../../shared/members.ts";
import { isMembers } from "../../shared/members.ts";

/** An error of a node, or of the service that refuses a method. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type NodeReply = { readonly result: unknown } | { readonly error: NodeError };

/** Sends one call that reads. Throws if it can't be sent. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<NodeReply>;

export interface NodeCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Sends calls that read in one request. Throws if they can't be sent. */
export type AskNodes = (calls: readonly NodeCall[]) => Promise<readonly NodeReply[]>;

/** True if an error tells the fate of the transaction, not that the method is missing. */
export function isVerdict({ code, message }: NodeError): boolean {
  if (code === -32_601 || code === -32_602) return false;
  // Codes of reverts (3), rejected transactions (EIP-1474) and of eth_simulateV1.
  const isNamed = code === 3 || code === -32_003 || (code <= -38_000 && code > -39_000);
  return isNamed || /revert|insufficient funds|intrinsic gas|out of gas|gas limit|opcode/i.test(message);
}

export function refusalFrom(method: string, { message }: NodeError): string {
  return `${method}: ${message.slice(0, 300)}`;
}

export function objectOf(value: unknown): Members | undefined {
  return isMembers(value) ? value : undefined;
}

/** A hex quantity of at most 256 bits. */
export function quantityOf(value: unknown): bigint | undefined {
  return typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : undefined;
}
