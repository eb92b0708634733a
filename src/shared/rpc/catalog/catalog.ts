import { networks as knownNetworks, type NetworkFamily } from "../networks.ts";
import type { RpcResultView } from "../resultView.ts";
import { evmMethods } from "./evmMethods.ts";
import { solanaMethods, starknetMethods, zksyncMethods } from "./otherMethods.ts";

/** Types of parameters, for completion, checks and encoding. */
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
  /** The type of the result, which selects its view. */
  readonly result: RpcResultView;
  readonly summary: string;
  /** Changes the chain, which can't be undone. */
  readonly writes: boolean;
  /** `evm` for methods of all EVM nodes. */
  readonly family: "evm" | NetworkFamily;
}

const families: ReadonlyMap<string, NetworkFamily> = new Map<string, NetworkFamily>([
  ["zks", "zksync"],
  ["linea", "linea"],
  ["bor", "polygon"],
  ["arbtrace", "arbitrum"],
  ["starknet", "starknet"],
]);

/**
 * Matches names of methods that submit something, or that set the state of a node, for methods without a description.
 */
const submitting =
  /(?:[sS]end|[sS]ubmit|[bB]roadcast)(?![a-z])|(?:add|cancel|replace)\w*(?:Transaction|Operation)|_(?:execute|set|clear|newPayload|forkchoiceUpdated)(?![a-z])/;
/** Nodes for tests, whose state is set as part of a test. */
const ofTestNode = /^(?:anvil|hardhat|evm|tenderly|devnet|config)_(?!send)/;

/**
 * What a call of a method does: it is described as reading; it is described as submitting something, or named so; or
 * neither. Case and spaces count, as they do for nodes.
 */
export type MethodEffect = "reads" | "submits" | "unknown";

export function effectOf(method: string): MethodEffect {
  const known = byName.get(method);
  if (known) return known.writes ? "submits" : "reads";
  return submitting.test(method) && !ofTestNode.test(method) ? "submits" : "unknown";
}

/** True if a method may change a chain: it needs a confirmation and is never retried automatically. */
export function writesToChain(method: string): boolean {
  return effectOf(method) === "submits";
}

/** The described method whose name differs only in case and in spaces around it. */
export function methodSpelled(name: string): Method | undefined {
  const spelled = name.trim().toLowerCase();
  return catalog.find((method) => method.name.toLowerCase() === spelled);
}

/** All described methods. A service may support others. */
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

/** The family of a method, from its name. */
export function familyOf(method: string): Method["family"] {
  const [namespace] = method.split("_", 1);
  const own = families.get(namespace ?? "");
  return own ?? (/^[a-z]+[A-Z]/.test(method) && !method.includes("_") ? "solana" : "evm");
}

/** True if networks of this family may support the method. An unsupported method is billed as an error (spec E3). */
export function isServedBy(method: string, network: NetworkFamily): boolean {
  const family = familyOf(method);
  return family === "evm" ? network !== "starknet" && network !== "solana" : family === network;
}

/** The family of a network; of an unknown network, from the first word of its slug. */
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
