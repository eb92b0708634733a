import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { WireError } from "../formats/agentFormat.ts";

/**
 * Why a request is refused by its head alone, before its body is read; undefined if it may come from a program of this
 * machine. A page in a browser can reach this address, too: by its own name (DNS rebinding), or with a post that needs no
 * permission. Browsers name the page in `Origin` or `Sec-Fetch-Site`, and can't set `Host`.
 */
export function refusedHead(
  { method = "GET", headers, rawHeaders }: IncomingMessage,
  port: number,
): WireError | undefined {
  if (countOf("host", rawHeaders) !== 1 || !hostsAt(port).includes(headers.host ?? ""))
    return forbidden(
      `The Host header has to be 127.0.0.1:${port}. Set the base URL to http://127.0.0.1:${port}/v1.`,
    );
  if (headers.origin !== undefined || isFromPage(headers))
    return forbidden("Web pages can't use this address. Use a program that runs on this machine.");
  if (countOf("authorization", rawHeaders) > 1 || countOf("x-api-key", rawHeaders) > 1)
    return forbidden("The request has more than one token. Send one.");
  if (method !== "POST") return undefined;
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? ""))
    return { status: 415, sentence: "The Content-Type header has to be application/json." };
  return headers["content-encoding"] === undefined || headers["content-encoding"] === "identity"
    ? undefined
    : {
        status: 415,
        sentence: "The body must not be compressed. Turn off the compression of requests in this client.",
      };
}

/** Node's own `fetch` sends other `Sec-Fetch` headers, but none that names a site. */
function isFromPage(headers: IncomingHttpHeaders): boolean {
  return headers["sec-fetch-site"] !== undefined || headers.referer !== undefined;
}

function hostsAt(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}

function forbidden(sentence: string): WireError {
  return { status: 403, sentence };
}

/** The token of a request, as `Authorization: Bearer` or `x-api-key`; undefined if there is none, or if both differ. */
export function tokenOf({ headers }: Pick<IncomingMessage, "headers">): string | undefined {
  const [, bearer] = /^Bearer ([\w-]{20,200})$/i.exec(headers.authorization ?? "") ?? [];
  const given = headers["x-api-key"];
  const key = typeof given === "string" && /^[\w-]{20,200}$/.test(given) ? given : undefined;
  if (headers.authorization !== undefined && given !== undefined && bearer !== key) return undefined;
  return bearer ?? key;
}
