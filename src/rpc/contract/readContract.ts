import { type Members, membersOf } from "../../shared/members.ts";
import { readAbiJson } from "../language/encode/abiJson.ts";

/** A verified contract of a service. All texts are foreign. */
export interface Contract {
  readonly name: string | undefined;
  readonly abi: readonly unknown[];
  /** The files of the source, that of the contract first. Empty if the service does not send them. */
  readonly sources: readonly SourceFile[];
  /** The contract that a proxy calls. */
  readonly implementation: string | undefined;
}

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a contract of version 2 of the Sourcify API, `metadata.json` of a Solidity compiler (the repository of version
 * 1), or an artifact or plain list with the ABI. Throws an Error with the reason if there is no ABI.
 */
export function readContract(value: unknown): Contract {
  const members = membersOf(value);
  const { output, settings, compilation, sources, proxyResolution, contractName } = members;
  const abi = Array.isArray(value) ? value : (members.abi ?? membersOf(output).abi);
  const read = readAbiJson(JSON.stringify(abi ?? null));
  if (!Array.isArray(abi) || "problem" in read) throw new Error("No ABI with functions or events was found");
  const [target] = Object.entries(membersOf(membersOf(settings).compilationTarget));
  const { name: compiled, fullyQualifiedName } = membersOf(compilation);
  const name = [compiled, target?.[1], contractName].find((one) => typeof one === "string");
  const [, file = target?.[0]] = /^(.*):[^:]*$/.exec(String(fullyQualifiedName)) ?? [];
  return {
    name: typeof name === "string" ? name : undefined,
    abi,
    sources: sourcesOf(sources, file),
    implementation: implementationOf(membersOf(proxyResolution)),
  };
}

/** A file name without ending: `FiatTokenV2_2`, else `0x833589fc`. */
export function abiFileName({ name = "" }: Pick<Contract, "name">, address: string): string {
  const plain = name.replace(/[^\w$]+/g, "_").slice(0, 80);
  // Names of devices on Windows can't be files.
  return /[A-Za-z]/.test(plain) && !/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(plain)
    ? plain
    : address.slice(0, 10);
}

const mostSources = 1_000;

function sourcesOf(sources: unknown, first: string | undefined): readonly SourceFile[] {
  const files = Object.entries(membersOf(sources))
    .slice(0, mostSources)
    .flatMap(([path, source]) => {
      const { content } = membersOf(source);
      return typeof content === "string" ? [{ path, text: content }] : [];
    });
  return [...files.filter(({ path }) => path === first), ...files.filter(({ path }) => path !== first)];
}

function implementationOf({ isProxy, implementations }: Members): string | undefined {
  if (isProxy !== true || !Array.isArray(implementations)) return undefined;
  const addresses = implementations.map((one) => membersOf(one).address).filter(isAddress);
  return addresses.length === 1 ? addresses[0] : undefined;
}

export function isAddress(text: unknown): text is string {
  return typeof text === "string" && /^0x[0-9a-f]{40}$/i.test(text);
}
