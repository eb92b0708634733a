// Several reads in one eth_call, by the contract Multicall3, which is at one address on nearly all EVM chains.
import {
  decodeAbiParameters,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  parseAbi,
  toHex,
} from "viem";
import { namehash, packetToBytes } from "viem/ens";
import { attempt } from "./decode/decodedValues.ts";

interface ReadCall {
  readonly to: string;
  readonly data: string;
}

const batchAbi = parseAbi([
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])",
]);

/** The parameter of eth_call for all reads. */
export function encodeBatch(calls: readonly ReadCall[], network: string): ReadCall {
  const args = calls.map(({ to, data }) => ({
    target: to as Hex,
    allowFailure: true,
    callData: data as Hex,
  }));
  return {
    to: network.startsWith("zksync-")
      ? "0xf9cda624fbc7e059355ce98a31693d299facd963"
      : "0xca11bde05977b3631167028862be2a173976ca11",
    data: encodeFunctionData({ abi: batchAbi, args: [args] }),
  };
}

interface Reply {
  readonly success: boolean;
  readonly returnData: string;
}

/** The bytes that each read returned, and if it succeeded. Undefined if the node has no such contract. */
export function decodeBatch(data: unknown, count: number): readonly Reply[] | undefined {
  const found = attempt(() => decodeFunctionResult({ abi: batchAbi, data: data as Hex }));
  return found?.length === count ? found : undefined;
}

/** The Universal Resolver of ENS. */
const resolver = "0xeeeeeeee14d718c2b47d9923deab1335e144eeee";
const ensAbi = parseAbi([
  "function resolve(bytes name, bytes data) view returns (bytes result, address resolver)",
  "function addr(bytes32 node) view returns (address)",
  "function reverse(bytes account, uint256 coinType) view returns (string name, address resolver, address reverseResolver)",
]);

/** The read of the address of a normalized name. */
export function encodeResolve(name: string): ReadCall {
  const data = encodeFunctionData({ abi: ensAbi, functionName: "addr", args: [namehash(name)] });
  const args = [toHex(packetToBytes(name)), data] as const;
  return { to: resolver, data: encodeFunctionData({ abi: ensAbi, functionName: "resolve", args }) };
}

const offchainLookup = "0x556f1830";

/** The address with its checksum, or why there is none. */
export function decodeResolve({
  success,
  returnData,
}: Reply): { readonly address: string } | { readonly reason: string } {
  if (returnData.startsWith(offchainLookup))
    return { reason: "its address is kept outside of the chain (CCIP read), which is not asked" };
  if (success && returnData === "0x") return { reason: "there is no ENS at this node" };
  const address =
    success &&
    attempt(() => {
      const [result] = decodeFunctionResult({
        abi: ensAbi,
        functionName: "resolve",
        data: returnData as Hex,
      });
      return decodeFunctionResult({ abi: ensAbi, functionName: "addr", data: result });
    });
  return address && !/^0x0+$/.test(address) ? { address } : { reason: "it has no address" };
}

/** The number of Ethereum among coins (SLIP-44). */
const coinType = 60n;

/** The read of the name of an address. The resolver reverts if the name does not lead back to the address. */
export function encodeReverse(address: string): ReadCall {
  const args = [address as Hex, coinType] as const;
  return { to: resolver, data: encodeFunctionData({ abi: ensAbi, functionName: "reverse", args }) };
}

/** The name as it is stored; undefined without one. */
export function decodeReverse({ success, returnData }: Reply): string | undefined {
  const data = returnData as Hex;
  const found =
    success && attempt(() => decodeFunctionResult({ abi: ensAbi, functionName: "reverse", data }));
  return found ? found[0] : undefined;
}

/** The reads of `symbol()` and `decimals()`. */
export function encodeToken(address: string): readonly [ReadCall, ReadCall] {
  return [
    { to: address, data: "0x95d89b41" },
    { to: address, data: "0x313ce567" },
  ];
}

/** Larger ones would hide each amount of 256 bits behind zeros. */
const mostDecimals = 77;
/** Code points of a symbol. */
const longestSymbol = 12;

/** Symbol and decimals; undefined if a contract has none. A symbol is short, and has no control characters. */
export function decodeToken(
  symbol: Reply,
  decimals: Reply,
): { readonly symbol: string; readonly decimals: number } | undefined {
  if (!symbol.success || !/^0x[0-9a-f]{64}$/i.test(decimals.returnData)) return undefined;
  const places = BigInt(decimals.returnData);
  const data = symbol.returnData as Hex;
  // Some older tokens return 32 bytes.
  const stored =
    data.length === 66
      ? attempt(() => hexToString(data, { size: 32 }))
      : attempt(() => decodeAbiParameters([{ type: "string" }], data)[0]);
  const all = [
    ...(stored ?? "")
      .slice(0, 1_000)
      .replace(/[\p{C}\p{M}\p{Z}]+/gu, " ")
      .trim(),
  ];
  const text = all.length > longestSymbol ? `${all.slice(0, longestSymbol).join("")}…` : all.join("");
  return decimals.success && text !== "" && places <= mostDecimals
    ? { symbol: text, decimals: Number(places) }
    : undefined;
}
