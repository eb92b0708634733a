import type { Hex } from "../../../../shared/rpc/hex.ts";
import { invalidParams, parameter, textParameter } from "../../simulated/parameters.ts";
import type { ChainBlock } from "../block.ts";
import type { Blockchain } from "../blockchain.ts";
import { lower } from "./quantity.ts";

type Params = readonly unknown[];

export function addressAt(params: Params, index: number): Hex {
  return lower(textParameter(params, index, /^0x[0-9a-f]{40}$/i, "an address"));
}

export function hashAt(params: Params, index: number): Hex {
  return lower(textParameter(params, index, /^0x[0-9a-f]{64}$/i, "a hash"));
}

export function bytesAt(params: Params, index: number): Hex {
  return lower(textParameter(params, index, /^0x([0-9a-f]{2})*$/i, "bytes"));
}

export function quantityAt(params: Params, index: number): number {
  return Number(textParameter(params, index, /^0x[0-9a-f]{1,13}$/i, "a quantity"));
}

/** The block of a tag or number. Undefined beyond the head. */
export function blockAt(chain: Blockchain, params: Params, index: number): ChainBlock | undefined {
  return blockNamed(chain, parameter(params, index));
}

/** The same for an optional parameter, whose default is the head. Throws if there is no such block. */
export function stateBlockAt(chain: Blockchain, params: Params, index: number): ChainBlock {
  const block = params.length > index ? blockNamed(chain, params[index]) : chain.head();
  if (block) return block;
  throw invalidParams(`BlockOutOfRangeError: block height is ${chain.head().number}`);
}

export function blockNamed(chain: Blockchain, name: unknown): ChainBlock | undefined {
  if (name === "latest" || name === "pending" || name === "safe" || name === "finalized") return chain.head();
  if (name === "earliest") return chain.block(0);
  if (typeof name === "string" && /^0x[0-9a-f]{1,13}$/i.test(name)) return chain.block(Number(name));
  if (typeof name === "object" && name !== null) {
    if ("blockHash" in name) return chain.blockOf(String(name.blockHash));
    if ("blockNumber" in name) return blockNamed(chain, name.blockNumber);
  }
  throw invalidParams("invalid params: a block number or tag expected");
}
