import { isMembers } from "../../../shared/members.ts";
import { methodOf } from "../../../shared/rpc/catalog/catalog.ts";
import { coinOf } from "../../../shared/rpc/networks.ts";
import type { ChainCall, DecodedReply } from "../../../tools/chain/chainHelp.ts";
import type { Evm } from "../../evm/evm.ts";
import { scaled } from "../../output/scaled.ts";
import { callText } from "../write/writeFacts.ts";

/** Values that are decoded, and those that are looked at: a trace can have a million. */
const mostDecoded = 200;
const mostVisited = 20_000;
const deepest = 12;
/** Signers that are recovered, which takes some milliseconds each. */
const mostAuthorities = 20;

/** A JSON-RPC quantity, shorter than addresses and hashes. */
const quantity = /^0x(?:0|[1-9a-f][0-9a-f]{0,31})$/i;
/** Names of bytes, which may look like a number. */
const bytes =
  /^(data|extraData|input|output|init|code|returnValue|logsBloom|signature|salt|topics|storageKeys)$/i;
const gasPrices = /gasPrice$|PerGas$|baseFee$/i;
const amounts = /^(value|balance|l1Fee|fee|amount)$/;
const times = /^(timestamp|blockTimestamp)$/;
const lastSecond = 253_402_300_799n;

/** What well-known functions return. */
const returns: Readonly<Record<string, string>> = {
  name: "string",
  symbol: "string",
  decimals: "uint8",
  totalSupply: "uint256",
  balanceOf: "uint256",
  allowance: "uint256",
  owner: "address",
  ownerOf: "address",
};

/**
 * What is known of the values of a reply, by their paths: quantities as decimals with their unit, times, logs, calldata,
 * results of well-known functions and the reason of a revert. Values of no known form are left out.
 */
export function decodeReply(evm: Evm, call: ChainCall, reply: unknown): DecodedReply {
  if (!isMembers(reply)) return {};
  const decoder = new ReplyDecoder(evm, call);
  const { result, error } = reply;
  decoder.root(result);
  if (isMembers(error)) decoder.revert(error.data);
  return decoder.decoded();
}

class ReplyDecoder {
  readonly #evm: Evm;
  readonly #call: ChainCall;
  readonly #found = new Map<string, string>();
  #visited = 0;
  #leftOut = 0;
  #recovered = 0;

  constructor(evm: Evm, call: ChainCall) {
    this.#evm = evm;
    this.#call = call;
  }

  decoded(): DecodedReply {
    const more = this.#leftOut > 0 ? { "…": `at least ${this.#leftOut} more values were not decoded` } : {};
    return { ...Object.fromEntries(this.#found), ...more };
  }

  root(result: unknown): void {
    const { method } = this.#call;
    const view = methodOf(method)?.result;
    if (typeof result !== "string") this.#walk("result", "", result, 0);
    else if (method === "eth_call") this.#returned(result);
    else if (quantity.test(result) && (view === "wei" || view === "quantity" || view === "number"))
      this.#amount(BigInt(result), view === "wei");
  }

  #amount(value: bigint, isWei: boolean): void {
    if (gasPrices.test(this.#call.method)) this.#put("result", gweiText(value));
    else this.#put("result", isWei ? this.#coins(value) : String(value));
  }

  /** A node sends the revert data as text, or in an object. */
  revert(data: unknown): void {
    const text = isMembers(data) ? data.data : data;
    const revert = typeof text === "string" ? this.#evm.decodeRevert(text, []) : undefined;
    if (!revert) return;
    this.#put(
      "error.data",
      revert.reason === undefined ? callText(revert) : `${callText(revert)}: ${revert.reason}`,
    );
  }

  #returned(result: string): void {
    const [asked] = this.#call.params;
    const { data, input = data } = isMembers(asked) ? asked : {};
    const called = typeof input === "string" ? this.#evm.decodeCalldata(input, []) : undefined;
    const type = called?.likely === undefined ? returns[called?.name ?? ""] : undefined;
    const values = type
      ? this.#evm.decodeCallResult(`${called?.name}() returns (${type})`, result)
      : undefined;
    if (called && values)
      this.#put("result", callText({ name: called.name, values }).slice(called.name.length));
    else if (/^0x[0-9a-f]{64}$/i.test(result)) this.#put("result", `as uint256: ${BigInt(result)}`);
  }

  #walk(path: string, name: string, value: unknown, depth: number): void {
    this.#visited += 1;
    if (this.#visited > mostVisited || depth > deepest) return;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) this.#walk(`${path}[${index}]`, name, one, depth + 1);
    } else if (isMembers(value)) this.#members(path, value, depth);
    else if (typeof value === "string" && quantity.test(value) && !bytes.test(name))
      this.#put(path, this.#quantityText(name, BigInt(value)));
  }

  #members(path: string, value: Readonly<Record<string, unknown>>, depth: number): void {
    const { topics, data, input } = value;
    if (
      Array.isArray(topics) &&
      typeof data === "string" &&
      topics.every((topic) => typeof topic === "string")
    ) {
      const event = this.#evm.decodeLog({ topics, data }, []);
      if (event) this.#put(path, callText(event));
    }
    const called = typeof input === "string" ? this.#evm.decodeCalldata(input, []) : undefined;
    if (called) this.#put(`${path}.input`, callText(called));
    if (Array.isArray(value.authorizationList)) this.#authorities(path, value.authorizationList);
    for (const [name, one] of Object.entries(value)) this.#walk(`${path}.${name}`, name, one, depth + 1);
  }

  /** The accounts that signed authorizations (EIP-7702), which the reply itself does not have. */
  #authorities(path: string, list: readonly unknown[]): void {
    for (const [index, one] of list.slice(0, mostAuthorities - this.#recovered).entries()) {
      this.#recovered += 1;
      const { authority = "the signature is not valid" } = this.#evm.readAuthorization(one) ?? {};
      this.#put(`${path}.authorizationList[${index}].authority`, authority);
    }
  }

  #quantityText(name: string, value: bigint): string {
    if (times.test(name) && value <= lastSecond) return new Date(Number(value) * 1000).toISOString();
    if (gasPrices.test(name)) return gweiText(value);
    return amounts.test(name) ? this.#coins(value) : String(value);
  }

  #coins(wei: bigint): string {
    return `${wei} wei = ${scaled(wei, 18)} ${coinOf(this.#call.network)}`;
  }

  #put(path: string, text: string): void {
    if (this.#found.size < mostDecoded) this.#found.set(path, text);
    else this.#leftOut += 1;
  }
}

function gweiText(wei: bigint): string {
  return `${wei} wei = ${scaled(wei, 9)} gwei`;
}
