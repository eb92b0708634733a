import { isBlockedSite } from "../../shared/web/blockedSites.ts";
import { resolvesToPrivateHost } from "./hosts.ts";

/** The content of a URL. */
export interface Download {
  /** The final URL after redirects. */
  readonly url: string;
  /** Media type and parameters in lower case. Empty if the server sends none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface DownloadOptions {
  readonly accept: string;
  readonly maxBytes: number;
  /** For the whole download, with redirects. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A download failed: the URL is blocked, unreachable or too large. */
export type DownloadFault = "blocked" | "private" | "unreachable" | "too-large";

export class DownloadError extends Error {
  override readonly name = "DownloadError";
  readonly fault: DownloadFault;

  constructor(fault: DownloadFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

const mostRedirects = 5;

/** Fetches an http(s) URL. Throws DownloadError, or the signal's reason. */
export async function download(url: string, options: DownloadOptions): Promise<Download> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = AbortSignal.any([options.signal, timeout]);
  try {
    const { response, at } = await follow(new URL(url), options.accept, signal);
    const contentType = (response.headers.get("content-type") ?? "").toLowerCase();
    return { url: at.href, contentType, bytes: await readBounded(response, options.maxBytes) };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof DownloadError) throw error;
    const reason = timeout.aborted ? `no answer within ${options.timeoutMs / 1000} s` : causeOf(error);
    throw new DownloadError("unreachable", `${new URL(url).host} could not be reached: ${reason}`);
  }
}

/** Each redirect is checked like the first URL. */
async function follow(
  start: URL,
  accept: string,
  signal: AbortSignal,
): Promise<{ response: Response; at: URL }> {
  let at = start;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    await checkTarget(at);
    signal.throwIfAborted();
    const headers = { accept, "user-agent": "inference-workbench-sandbox" };
    const response = await fetch(at, { headers, signal, redirect: "manual" });
    const target = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || target === null)
      return { response: stored(response, at), at };
    await response.body?.cancel();
    if (!URL.canParse(target, at.href))
      throw new DownloadError("unreachable", `${at.host} redirects to an invalid URL`);
    at = new URL(target, at);
  }
  throw new DownloadError("unreachable", `${start.host} redirects more than ${mostRedirects} times`);
}

function stored(response: Response, at: URL): Response {
  if (response.ok) return response;
  void response.body?.cancel();
  throw new DownloadError("unreachable", `${at.host} answered ${response.status}`);
}

async function checkTarget(url: URL): Promise<void> {
  if (!/^https?:$/.test(url.protocol))
    throw new DownloadError("private", `${url.protocol} is neither http nor https`);
  if (isBlockedSite(url.hostname)) throw new DownloadError("blocked", `${url.hostname} blocks bots`);
  if (await resolvesToPrivateHost(url.hostname))
    throw new DownloadError("private", `${url.hostname} is not public`);
}

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (size > maxBytes) throw new DownloadError("too-large", `it has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** fetch has the reason in `cause`. */
function causeOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}
