// Several reads in one eth_call, by the contract Multicall3, which is at one address on nearly all EVM chains.
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi, toHex } from "viem";
import { namehash, packetToBytes } from "viem/ens";
import { attempt } from "./decodedValues.ts";

interface ReadCall {
  readonly to: string;
  readonly data: string;
}

const batchAbi = parseAbi([
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) view returns ((bool success, bytes returnData)[])",
]);

/** The parameter of eth_call for all reads. */
export function encodeBatch(calls: readonly ReadCall[]): ReadCall {
  const args = calls.map(({ to, data }) => ({
    target: to as Hex,
    allowFailure: true,
    callData: data as Hex,
  }));
  return {
    to: "0xca11bde05977b3631167028862be2a173976ca11",
    data: encodeFunctionData({ abi: batchAbi, args: [args] }),
  };
}

/** The bytes that each read returned, and if it succeeded. Undefined if the node has no such contract. */
export function decodeBatch(
  data: unknown,
  count: number,
): readonly { readonly success: boolean; readonly returnData: string }[] | undefined {
  const found = attempt(() => decodeFunctionResult({ abi: batchAbi, data: data as Hex }));
  return found?.length === count ? found : undefined;
}

/** The Universal Resolver of ENS. */
const resolver = "0xeeeeeeee14d718c2b47d9923deab1335e144eeee";
const ensAbi = parseAbi([
  "function resolve(bytes name, bytes data) view returns (bytes result, address resolver)",
  "function addr(bytes32 node) view returns (address)",
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
}: {
  readonly success: boolean;
  readonly returnData: string;
}): { readonly address: string } | { readonly reason: string } {
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
