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
import { recoverSigner } from "./recoverSigner.ts";
import { firstLine } from "./signatures.ts";

/** A signed transaction as its bytes say it. */
export interface RawTransaction {
  /** As the chain will know it, computed here; undefined for zkSync's own kind, whose hash only the chain tells. */
  readonly hash: string | undefined;
  /** Who pays the fee in place of the sender (zkSync). */
  readonly paymaster?: string;
  /** Undefined for a signature that holds on every chain. */
  readonly chainId: number | undefined;
  /** Undefined where it makes a contract. */
  readonly to: string | undefined;
  /** In the chain's coin, exact. */
  readonly value: string;
  readonly valueWei: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  /** The most that gas may cost, in the chain's coin; undefined where the bytes name no price. */
  readonly maxFee: string | undefined;
  /** The most for one unit of gas, in gwei. */
  readonly maxFeePerGas: string | undefined;
  /** Blobs that travel with it (EIP-4844); what they may cost is part of `maxFee`. */
  readonly blobs: number;
  readonly data: string;
  readonly dataBytes: number;
}

/** Reads the bytes that eth_sendRawTransaction takes. Throws a sentence where they are no signed transaction. */
export function readTransaction(raw: string): RawTransaction {
  const [signed, parsed] = parsedTransaction(raw);
  const isZksync = isZksyncKind(raw);
  const price = parsed.maxFeePerGas ?? parsed.gasPrice;
  const gas = parsed.gas ?? 0n;
  const blobs = parsed.blobVersionedHashes?.length ?? 0;
  const blobFee = BigInt(blobs) * gasPerBlob * (parsed.maxFeePerBlobGas ?? 0n);
  const signature = [parsed.r, parsed.customSignature].find((one) => one !== undefined && one !== "0x");
  if (signature === undefined) throw new Error("This transaction is not signed");
  return {
    hash: isZksync ? undefined : keccak256(signed),
    ...(parsed.paymaster ? { paymaster: parsed.paymaster } : {}),
    chainId: parsed.chainId,
    to: parsed.to ?? undefined,
    value: formatEther(parsed.value ?? 0n),
    valueWei: parsed.value ?? 0n,
    nonce: parsed.nonce ?? 0,
    gas,
    maxFee: price === undefined ? undefined : formatEther(price * gas + blobFee),
    maxFeePerGas: price === undefined ? undefined : formatGwei(price),
    blobs,
    data: parsed.data ?? "0x",
    dataBytes: parsed.data ? (parsed.data.length - 2) / 2 : 0,
  };
}

/** Who signed it; undefined where the signature names nobody. */
export function readSender(raw: string): string | undefined {
  try {
    const [signed, parsed] = parsedTransaction(raw);
    // An account of zkSync may be a contract: the transaction names it, whoever signed.
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
  readonly data?: string;
  readonly r?: string;
  readonly s?: string;
  readonly v?: bigint;
  readonly yParity?: number;
  readonly from?: string;
  readonly customSignature?: string;
  readonly paymaster?: string;
}

/** Type 113, which zkSync alone has (EIP-712 as it signs it). */
function isZksyncKind(raw: string): boolean {
  return /^0x71/i.test(raw);
}

/** Of one blob (EIP-4844, GAS_PER_BLOB). */
const gasPerBlob = 131_072n;

function parsedTransaction(raw: string): [Hex, Parsed] {
  try {
    if (isZksyncKind(raw)) return [raw as Hex, parseEip712Transaction(raw as Hex) as unknown as Parsed];
    const signed = /^0x03/i.test(raw) ? withoutBlobs(raw as Hex) : (raw as Hex);
    return [signed, parseTransaction(signed) as unknown as Parsed];
  } catch (error) {
    throw new Error(`These bytes are no signed transaction: ${firstLine(error)}`);
  }
}

/** What is signed, and what the hash is of: blobs, commitments and proofs stand beside it (EIP-4844 and EIP-7594, Networking). */
function withoutBlobs(raw: Hex): Hex {
  const [first] = fromRlp(`0x${raw.slice(4)}`, "hex") as readonly RlpItem[];
  return Array.isArray(first) ? concat(["0x03", toRlp(first)]) : raw;
}

type RlpItem = Hex | RlpItem[];
