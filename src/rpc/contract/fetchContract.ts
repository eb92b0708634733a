import { isTooDeep } from "../../api/call/body/readText.ts";
import { boundedFetch, FetchError, type Fetched, originOfStart } from "../../api/transport/boundedFetch.ts";
import type { Transport } from "../../api/transport/transport.ts";
import { membersOf } from "../../shared/members.ts";
import { settings } from "../../shared/names/ids.ts";
import { visibleLine } from "../../shared/text/html/visibleText.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { isThisMachine } from "../../shared/web/privateHost.ts";
import { type Contract, readContract } from "./readContract.ts";

/** A service that knows the ABIs of contracts. */
export interface ContractService {
  /** With its port. */
  readonly host: string;
  readonly urlOf: (place: ContractPlace) => URL;
}

export interface ContractPlace {
  readonly chainId: number;
  /** 20 bytes in hex. */
  readonly address: string;
}

/** The service of the setting; undefined if it is off, else it or the rule that the setting breaks. */
export function readContractService(
  template: string,
): ContractService | { readonly problem: string } | undefined {
  const text = template.trim();
  if (text === "") return undefined;
  const urlOf = ({ chainId, address }: ContractPlace) =>
    new URL(text.replaceAll("{chainId}", String(chainId)).replaceAll("{address}", address));
  const broken = (rule: string) => ({ problem: `The setting ${settings.rpcAbiSource} ${rule}.` });
  if (!text.includes("{chainId}") || !text.includes("{address}"))
    return broken("must contain {chainId} and {address}");
  try {
    const url = urlOf({ chainId: 1, address: "0x1" });
    const { host } = urlOf({ chainId: 2, address: "0x2" });
    if (url.host !== host) return broken("must have {chainId} and {address} behind the host");
    const isLocal = url.protocol === "http:" && isThisMachine(hostnameOf(url));
    if (url.protocol !== "https:" && !isLocal) return broken("must begin with https://");
    if (url.username !== "" || url.password !== "") return broken("must not contain a user or a password");
    return { host, urlOf };
  } catch {
    return broken(
      `is not a URL such as https://example.com/server/v2/contract/{chainId}/{address}?fields=abi`,
    );
  }
}

function hostnameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}

const limits = { bytes: 10_000_000, timeoutMs: 20_000 } as const;
const maxRedirects = 3;

/**
 * Asks a service for a contract. No key and no cookie is sent. Redirects are followed on the same host only, because the
 * user agreed to that host. Throws an Error with a sentence for the user, or the reason of `signal`.
 */
export async function fetchContract(
  transport: Pick<Transport, "send">,
  service: ContractService,
  place: ContractPlace,
  signal: AbortSignal,
  { bytes: maxBytes, timeoutMs } = limits as { readonly bytes: number; readonly timeoutMs: number },
): Promise<Contract> {
  try {
    const fetched = await boundedFetch(service.urlOf(place), {
      ...{ accept: "application/json", maxBytes, maxRedirects, timeoutMs, signal, readsFailures: true },
      mayAsk: originOfStart,
      send: (request) => transport.send(request),
    });
    return contractIn(fetched, maxBytes);
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`${service.host}: ${reasonOf(error, { maxBytes, timeoutMs })}`);
  }
}

function contractIn({ status, bytes }: Fetched, maxBytes: number): Contract {
  const text = new TextDecoder().decode(bytes);
  if (status === 404) throw new Refusal("has no verified contract at this address on this chain");
  if (status === 429) throw new Refusal("has had too many requests. Try again later");
  if (status !== 200) throw new Refusal(`answered with HTTP ${status}${messageIn(text)}`);
  if (isTooDeep(text)) throw new Refusal(tooMuch(maxBytes));
  return readContract(JSON.parse(text));
}

/** An answer without a contract. */
class Refusal extends Error {}

function tooMuch(maxBytes: number): string {
  return `sent more than ${maxBytes / 1_000_000} MB, or too deep JSON`;
}

function reasonOf(error: unknown, { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number }): string {
  if (error instanceof FetchError) return faultWords(error, maxBytes, timeoutMs);
  if (error instanceof Refusal) return `the service ${error.message}.`;
  if (error instanceof SyntaxError) return "the answer is not JSON. Check the address in the setting.";
  return error instanceof Error ? `${error.message}.` : "the service can't be reached.";
}

function faultWords({ fault, url, code, message }: FetchError, maxBytes: number, timeoutMs: number): string {
  switch (fault) {
    case "late":
      return `no answer within ${timeoutMs / 1000} seconds. Try again later.`;
    case "too-large":
      return `the service ${tooMuch(maxBytes)}.`;
    case "redirect-target":
      return "the service redirects to another place: not a URL.";
    case "redirects":
      return `the service ${message}.`;
    case "unreachable":
      return `the service can't be reached (${code ?? message}). Check the network and the setting.`;
    default:
      return `the service redirects to another place: ${url.host.slice(0, 100) || url.protocol}.`;
  }
}

/** The words of the service for a failure. */
function messageIn(text: string): string {
  const { message } = membersOf(parseJson(text));
  return typeof message === "string" ? `: ${visibleLine(message).slice(0, 200)}` : "";
}
