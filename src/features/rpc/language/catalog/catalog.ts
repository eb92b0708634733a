import { networks as knownNetworks, type NetworkFamily } from "../../../../shared/rpc/networks.ts";
import type { RpcResultView } from "../../../../shared/rpcOutput.ts";
import { evmMethods } from "./evmMethods.ts";
import { solanaMethods, starknetMethods, zksyncMethods } from "./otherMethods.ts";

/** What a parameter takes; completion, checks and encodingProblems go by it. */
export const paramTypes = [
  "address",
  "hash",
  "data",
  "quantity",
  "block",
  "boolean",
  "call",
  "filter",
  "slots",
  "percentiles",
  "traceTypes",
  "tracer",
  "starkBlock",
  "felt",
  "number",
  "string",
  "json",
] as const;
export type ParamType = (typeof paramTypes)[number];

export interface Param {
  readonly name: string;
  readonly type: ParamType;
  readonly optional: boolean;
}

export interface Method {
  readonly name: string;
  readonly params: readonly Param[];
  /** What comes back; the view is chosen by it. */
  readonly result: RpcResultView;
  readonly summary: string;
  /** It changes the chain, and can't be taken back. */
  readonly writes: boolean;
  /** `evm` for what any EVM node has. */
  readonly family: "evm" | NetworkFamily;
}

const families: ReadonlyMap<string, NetworkFamily> = new Map<string, NetworkFamily>([
  ["zks", "zksync"],
  ["linea", "linea"],
  ["bor", "polygon"],
  ["arbtrace", "arbitrum"],
  ["starknet", "starknet"],
]);

/** Words in the name of a method that hands something in, for those that nobody described. */
const writing =
  /(?:[sS]end|[sS]ubmit|[bB]roadcast)(?![a-z])|(?:add|cancel|replace)\w*(?:Transaction|Operation)/;

/** Whether a method may change a chain: it is asked about, and never sent again on its own. */
export function writesToChain(method: string): boolean {
  return byName.get(method)?.writes ?? writing.test(method);
}

/** Every method that is described here; a service may take others. */
export const catalog: readonly Method[] = [
  ...readMethods(evmMethods),
  ...readMethods(zksyncMethods),
  ...readMethods(starknetMethods),
  ...readMethods(solanaMethods),
];
const byName: ReadonlyMap<string, Method> = new Map(catalog.map((method) => [method.name, method]));

export function methodOf(name: string): Method | undefined {
  return byName.get(name);
}

/** The family that a method belongs to by its name. */
export function familyOf(method: string): Method["family"] {
  const [namespace] = method.split("_", 1);
  const own = families.get(namespace ?? "");
  return own ?? (/^[a-z]+[A-Z]/.test(method) && !method.includes("_") ? "solana" : "evm");
}

/** Whether a network of this family can know the method; a wrong one is billed as an error (spec E3). */
export function isServedBy(method: string, network: NetworkFamily): boolean {
  const family = familyOf(method);
  return family === "evm" ? network !== "starknet" && network !== "solana" : family === network;
}

/** The family of a network; of one that nobody told us about, by the first word of its slug. */
export function networkFamily(slug: string): NetworkFamily | undefined {
  return (
    knownNetworks.find((network) => network.slug === slug)?.family ??
    knownNetworks.find(({ family }) => slug.startsWith(`${family}-`))?.family
  );
}

function readMethods(text: string): Method[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [, name = "", params = "", result = "", mark, summary = ""] =
        /^(\w+)\((.*?)\) (\w+)( writes)? — (.*)$/.exec(line) ?? [];
      const view = result as RpcResultView;
      return {
        name,
        params: readParams(params),
        result: view,
        writes: mark !== undefined,
        summary,
        family: familyOf(name),
      };
    });
}

function readParams(text: string): Param[] {
  if (text === "") return [];
  return text.split(", ").map((param) => {
    const [, name = "", optional, type] = /^(\w+)(\??): (\w+)$/.exec(param) ?? [];
    return { name, type: type as ParamType, optional: optional === "?" };
  });
}
