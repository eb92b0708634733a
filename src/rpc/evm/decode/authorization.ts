import { concat, getAddress, type Hex, keccak256, toHex, toRlp } from "viem";
import { isMembers } from "../../../shared/members.ts";
import { recoverSigner } from "./recoverSigner.ts";

/** An authorization of EIP-7702: an account takes over the code of a contract. */
export interface Authorization {
  /** Decimal; "0" is valid on every chain. */
  readonly chainId: string;
  /** The contract, with its checksum; the zero address ends a delegation. */
  readonly delegate: string;
  /** Decimal: the nonce that the account must have. */
  readonly nonce: string;
  /** The account that signed; undefined if the signature is not valid. */
  readonly authority: string | undefined;
}

/** Half the order of the curve: chains skip an authorization with a larger s (EIP-7702, Behavior; EIP-2). */
const mostS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** An authorization as nodes and the parser of transactions give it; undefined if its fields have other types. */
export function readAuthorization(value: unknown): Authorization | undefined {
  if (!isMembers(value)) return undefined;
  const { address } = value;
  const [chainId, nonce] = [wholeIn(value.chainId, 256n), wholeIn(value.nonce, 64n)];
  if (typeof address !== "string" || !/^0x[0-9a-f]{40}$/i.test(address)) return undefined;
  if (chainId === undefined || nonce === undefined) return undefined;
  const authority = authorityIn(value, [
    numberBytes(chainId),
    address.toLowerCase() as Hex,
    numberBytes(nonce),
  ]);
  return {
    chainId: String(chainId),
    delegate: getAddress(address.toLowerCase()),
    nonce: String(nonce),
    authority,
  };
}

/** The signed message is keccak256(0x05 ‖ rlp([chain_id, address, nonce])) (EIP-7702, Parameters). */
function authorityIn(value: Readonly<Record<string, unknown>>, fields: Hex[]): string | undefined {
  const [r, s] = [wholeIn(value.r, 256n), wholeIn(value.s, 256n)];
  const yParity = wholeIn(value.yParity ?? value.v, 8n);
  if (r === undefined || s === undefined || s > mostS || yParity === undefined) return undefined;
  return recoverSigner(keccak256(concat(["0x05", toRlp(fields)])), { r, s, yParity: Number(yParity) });
}

/** A number, or a hex quantity as nodes write it, of at most `bits`. */
function wholeIn(value: unknown, bits: bigint): bigint | undefined {
  const isWhole =
    typeof value === "bigint" ||
    (typeof value === "number" && Number.isSafeInteger(value)) ||
    (typeof value === "string" && /^0x[0-9a-f]{1,64}$/i.test(value));
  const whole = isWhole ? BigInt(value) : value === "0x" ? 0n : undefined;
  return whole !== undefined && whole >= 0n && whole < 1n << bits ? whole : undefined;
}

/** RLP has no leading zeros. */
function numberBytes(value: bigint): Hex {
  return value === 0n ? "0x" : toHex(value);
}
