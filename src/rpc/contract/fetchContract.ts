import { isTooDeep, readText } from "../../api/call/readText.ts";
import type { Transport } from "../../api/transport/transport.ts";
import { settings } from "../../shared/ids.ts";
import { visibleLine } from "../../shared/text/visibleText.ts";
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
const mostRedirects = 3;

/**
 * Asks a service for a contract. No key and no cookie is sent. Throws an Error with a sentence for the user, or the
 * reason of `signal`.
 */
export async function fetchContract(
  transport: Pick<Transport, "send">,
  service: ContractService,
  place: ContractPlace,
  signal: AbortSignal,
  { bytes, timeoutMs } = limits as { readonly bytes: number; readonly timeoutMs: number },
): Promise<Contract> {
  const { host } = service;
  const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const { status, text, isCut } = await follow(transport, service.urlOf(place), ending, bytes);
    if (status === 404) throw new Refusal("has no verified contract at this address on this chain");
    if (status === 429) throw new Refusal("has had too many requests. Try again later");
    if (status !== 200) throw new Refusal(`answered with HTTP ${status}${messageIn(text)}`);
    if (isCut || isTooDeep(text))
      throw new Refusal(`sent more than ${bytes / 1_000_000} MB, or too deep JSON`);
    return readContract(JSON.parse(text));
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`${host}: ${reasonOf(error, timeoutMs, ending)}`);
  }
}

/** An answer without a contract. */
class Refusal extends Error {}

function reasonOf(error: unknown, timeoutMs: number, ending: AbortSignal): string {
  if (error instanceof Refusal) return `the service ${error.message}.`;
  if (ending.aborted) return `no answer within ${timeoutMs / 1000} seconds. Try again later.`;
  if (error instanceof SyntaxError) return "the answer is not JSON. Check the address in the setting.";
  if (!(error instanceof Error)) return "the service can't be reached.";
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  const isUnreached = error instanceof TypeError;
  return isUnreached
    ? `the service can't be reached${typeof code === "string" ? ` (${code})` : ""}. Check the network and the setting.`
    : `${error.message}.`;
}

/** Follows redirects on the same host only, because the user agreed to that host. */
async function follow(
  transport: Pick<Transport, "send">,
  start: URL,
  signal: AbortSignal,
  bytes: number,
): Promise<{ readonly status: number; readonly text: string; readonly isCut: boolean }> {
  let at = start;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const request = { method: "GET", url: at.href, headers: { accept: "application/json" }, signal };
    const { status, headers, body } = await transport.send(request);
    const target = status >= 300 && status < 400 ? headers.get("location") : null;
    const read = await readText(body, target === null ? bytes : 1, () => {});
    if (target === null) return { status, ...read };
    const next = URL.canParse(target, at.href) ? new URL(target, at) : undefined;
    if (next?.origin !== start.origin)
      throw new Refusal(`redirects to another place: ${next?.host.slice(0, 100) || "not a URL"}`);
    at = next;
  }
  throw new Refusal(`redirects more than ${mostRedirects} times`);
}

/** The words of the service for a failure. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === "string" ? `: ${visibleLine(message).slice(0, 200)}` : "";
  } catch {
    return "";
  }
}
