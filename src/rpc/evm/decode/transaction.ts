import {
  concat,
  formatEther,
  formatGwei,
  fromRlp,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  toHex,
  toRlp,
} from "viem";
import { parseEip712Transaction } from "viem/zksync";
import type { SimulatedCall } from "../../simulate/simulate.ts";
import { firstLine } from "../signatures/signatures.ts";
import { type Authorization, readAuthorization } from "./authorization.ts";
import { recoverSigner } from "./recoverSigner.ts";

/** The content of a signed transaction. */
export interface RawTransaction {
  /** Computed from the bytes; undefined for zkSync's own type, whose hash only the chain knows. */
  readonly hash: string | undefined;
  /** The account that pays the fee instead of the sender (zkSync). */
  readonly paymaster?: string;
  /** Undefined for a signature that is valid on every chain. */
  readonly chainId: number | undefined;
  /** With its EIP-55 checksum. Undefined if it creates a contract. */
  readonly to: string | undefined;
  /** Exact, in the chain's coin. */
  readonly value: string;
  readonly valueWei: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  /** The maximum fee, in the chain's coin; undefined without a price. */
  readonly maxFee: string | undefined;
  /** The maximum per unit of gas, in gwei. */
  readonly maxFeePerGas: string | undefined;
  /** Blobs of the transaction (EIP-4844). Their cost is included in `maxFee`. */
  readonly blobs: number;
  /** The first authorizations (EIP-7702); undefined for one that can't be read. */
  readonly authorizations: readonly (Authorization | undefined)[];
  /** The number of all of them. */
  readonly authorizationCount: number;
  readonly data: string;
  readonly dataBytes: number;
}

/** Parses the bytes for eth_sendRawTransaction. Throws an Error with a message for the user. */
export function readTransaction(raw: string): RawTransaction {
  const [signed, parsed] = parsedTransaction(raw);
  const isZksync = isZksyncKind(raw);
  const signature = [parsed.r, parsed.customSignature].find((one) => one !== undefined && one !== "0x");
  if (signature === undefined) throw new Error("This transaction is not signed");
  return {
    hash: isZksync ? undefined : keccak256(signed),
    ...(parsed.paymaster ? { paymaster: parsed.paymaster } : {}),
    chainId: parsed.chainId,
    to: parsed.to ? checksummed(parsed.to) : (parsed.to ?? undefined),
    value: formatEther(parsed.value ?? 0n),
    valueWei: parsed.value ?? 0n,
    nonce: parsed.nonce ?? 0,
    ...feesOf(parsed),
    authorizations: (parsed.authorizationList ?? []).slice(0, mostAuthorizations).map(readAuthorization),
    authorizationCount: parsed.authorizationList?.length ?? 0,
    data: parsed.data ?? "0x",
    dataBytes: parsed.data ? (parsed.data.length - 2) / 2 : 0,
  };
}

function feesOf(
  parsed: ReturnType<typeof parsedTransaction>[1],
): Pick<RawTransaction, "gas" | "maxFee" | "maxFeePerGas" | "blobs"> {
  const { gas = 0n, gasPrice, maxFeePerGas: price = gasPrice, maxFeePerBlobGas = 0n } = parsed;
  const blobs = parsed.blobVersionedHashes?.length ?? 0;
  const blobFee = BigInt(blobs) * gasPerBlob * maxFeePerBlobGas;
  return {
    gas,
    maxFee: price === undefined ? undefined : formatEther(price * gas + blobFee),
    maxFeePerGas: price === undefined ? undefined : formatGwei(price),
    blobs,
  };
}

/** A question shows no more. A signer takes some milliseconds. */
const mostAuthorizations = 5;

/** The bytes themselves if they are no address. */
function checksummed(address: string): string {
  return /^0x[0-9a-f]{40}$/i.test(address) ? getAddress(address) : address;
}

/** The arguments of a call with the effects of a transaction, as JSON-RPC takes them. */
export function readCall(raw: string): SimulatedCall {
  const [, { to, value = 0n, gas, data, accessList }] = parsedTransaction(raw);
  const from = readSender(raw);
  return {
    ...(from === undefined ? {} : { from }),
    ...(to ? { to } : {}),
    value: toHex(value),
    input: data ?? "0x",
    ...(gas === undefined ? {} : { gas: toHex(gas) }),
    ...(accessList?.length ? { accessList } : {}),
  };
}

/** The address of the signer; undefined if the signature is invalid. */
export function readSender(raw: string): string | undefined {
  try {
    const [signed, parsed] = parsedTransaction(raw);
    // An account of zkSync may be a contract, so the transaction contains its address.
    if (isZksyncKind(raw)) return parsed.from === undefined ? undefined : getAddress(parsed.from);
    const {
      r = "0x0",
      s = "0x0",
      v = 0n,
      yParity = v > 34n ? Number((v + 1n) % 2n) : Number(v) - 27,
    } = parsed;
    const hash = keccak256(unsignedBytes(signed, parsed.chainId));
    return recoverSigner(hash, { r: BigInt(r), s: BigInt(s), yParity });
  } catch {
    return undefined;
  }
}

/** The signed payload: the transaction without its signature (EIP-2718; EIP-155 for legacy transactions). */
function unsignedBytes(signed: Hex, chainId: number | undefined): Hex {
  const isTyped = /^0x0/i.test(signed);
  const fields = fromRlp(isTyped ? `0x${signed.slice(4)}` : signed, "hex") as RlpItem[];
  const own = fields.slice(0, -3);
  if (isTyped) return concat([signed.slice(0, 4) as Hex, toRlp(own)]);
  return toRlp(chainId === undefined ? own : [...own, toHex(chainId), "0x", "0x"]);
}

interface Parsed {
  readonly chainId?: number;
  readonly to?: string | null;
  readonly value?: bigint;
  readonly nonce?: number;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxFeePerBlobGas?: bigint;
  readonly blobVersionedHashes?: readonly string[];
  readonly authorizationList?: readonly unknown[];
  readonly data?: string;
  readonly accessList?: readonly unknown[];
  readonly r?: string;
  readonly s?: string;
  readonly v?: bigint;
  readonly yParity?: number;
  readonly from?: string;
  readonly customSignature?: string;
  readonly paymaster?: string;
}

/** Type 113, zkSync's own type (signed by EIP-712). */
function isZksyncKind(raw: string): boolean {
  return /^0x71/i.test(raw);
}

/** Gas of one blob (EIP-4844, GAS_PER_BLOB). */
const gasPerBlob = 131_072n;

function parsedTransaction(raw: string): [Hex, Parsed] {
  try {
    if (isZksyncKind(raw)) return [raw as Hex, parseEip712Transaction(raw as Hex) as unknown as Parsed];
    const signed = /^0x03/i.test(raw) ? withoutBlobs(raw as Hex) : (raw as Hex);
    return [signed, parseTransaction(signed) as unknown as Parsed];
  } catch (error) {
    throw new Error(`These bytes are not a signed transaction: ${firstLine(error)}`);
  }
}

/** The signed part, without blobs, commitments and proofs (EIP-4844 and EIP-7594, Networking). */
function withoutBlobs(raw: Hex): Hex {
  const [first] = fromRlp(`0x${raw.slice(4)}`, "hex") as readonly RlpItem[];
  return Array.isArray(first) ? concat(["0x03", toRlp(first)]) : raw;
}

type RlpItem = Hex | RlpItem[];
