import type { Hex } from "../../../shared/rpc/hex.ts";
import { toQuantity } from "../../../shared/rpc/hex.ts";
import { ChainFault } from "../chain.ts";
import { invalidParams } from "../simulated/parameters.ts";
import type { ChainTransaction } from "./block.ts";
import type { Blockchain } from "./blockchain.ts";
import { fees, plainGas } from "./fees.ts";
import {
  getContractAddress,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
} from "./values/crypto.ts";
import { lower } from "./values/quantity.ts";

type Parsed = ReturnType<typeof parseTransaction>;

const types: Readonly<Record<string, Hex>> = {
  legacy: "0x0",
  eip2930: "0x1",
  eip1559: "0x2",
  eip4844: "0x3",
  eip7702: "0x4",
};

/** eth_sendRawTransaction: checks the transaction as a node does, mines it, and returns its hash. */
export async function submit(chain: Blockchain, raw: Hex): Promise<Hex> {
  const { parsed, from } = await read(raw);
  const transaction = toTransaction(chain, raw, parsed, from);
  check(chain, transaction, parsed);
  chain.mine(transaction);
  return transaction.hash;
}

async function read(raw: Hex): Promise<{ parsed: Parsed; from: Hex }> {
  try {
    const serializedTransaction = raw as TransactionSerialized;
    const parsed = parseTransaction(serializedTransaction);
    return { parsed, from: lower(await recoverTransactionAddress({ serializedTransaction })) };
  } catch {
    throw invalidParams("Failed to decode transaction");
  }
}

/** The messages and codes of a real node. */
function check(chain: Blockchain, transaction: ChainTransaction, { chainId }: Parsed): void {
  const { from, nonce, value, gas, gasPrice } = transaction;
  const refuse = (message: string, code = -32003) => new ChainFault(code, message);
  if (chainId !== undefined && chainId !== chain.chainId) throw refuse("invalid chain id for signer");
  if (nonce < chain.nonce(from)) throw refuse("nonce too low");
  if (nonce > chain.nonce(from)) throw refuse("nonce too high");
  if (gas < transaction.gasUsed) throw refuse("intrinsic gas too low", -32000);
  if (value + gas * gasPrice > chain.balance(from))
    throw refuse("Insufficient funds for gas * price + value");
}

function toTransaction(chain: Blockchain, raw: Hex, parsed: Parsed, from: Hex): ChainTransaction {
  const { nonce = 0, value = 0n, gas = 0n, data: input = "0x", r = "0x0", s = "0x0", v, yParity } = parsed;
  const to = parsed.to ? lower(parsed.to) : null;
  const log = to === chain.token.address ? chain.token.transferOf(from, input) : undefined;
  return {
    hash: keccak256(raw),
    type: types[parsed.type ?? "legacy"] ?? "0x0",
    from,
    to,
    value,
    nonce,
    gas,
    gasUsed: plainGas(input),
    gasPrice: parsed.gasPrice ?? fees.gasPrice,
    extra: extraOf(parsed),
    input,
    signature: { r, s, v: toQuantity((parsed.type === "legacy" ? v : yParity) ?? 0) },
    contractAddress: to === null ? lower(getContractAddress({ from, nonce: BigInt(nonce) })) : null,
    logs: log ? [log] : [],
  };
}

function extraOf(parsed: Parsed): Record<string, unknown> {
  const { type, maxFeePerGas, maxPriorityFeePerGas, accessList, authorizationList } = parsed;
  return {
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: toQuantity(maxFeePerGas) }),
    ...(maxPriorityFeePerGas === undefined ? {} : { maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas) }),
    ...(type === "legacy" ? {} : { accessList: accessList ?? [] }),
    ...(type === "eip7702" ? { authorizationList: (authorizationList ?? []).map(toAuthorization) } : {}),
  };
}

/** An authorization (EIP-7702) as a node writes it. */
function toAuthorization({
  chainId,
  address,
  nonce,
  yParity,
  r,
  s,
}: NonNullable<Parsed["authorizationList"]>[number]): Record<string, unknown> {
  const numbers = {
    chainId: toQuantity(chainId),
    nonce: toQuantity(nonce),
    yParity: toQuantity(yParity ?? 0),
  };
  return { ...numbers, address: lower(address), r, s };
}
