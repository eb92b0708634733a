import {
  boundedFetch,
  FetchError,
  type FetchFault,
  plainHost,
  publicHostsAndThisMachine,
  type Verdict,
} from "../../api/transport/boundedFetch.ts";
import { isBlockedSite } from "../../shared/web/blockedSites.ts";

/** The content of a URL. */
export interface Download {
  /** The final URL after redirects. */
  readonly url: string;
  /** Media type and parameters in lower case. Empty if the server sends none. */
  readonly contentType: string;
  /** The header `Refresh`, which sends a browser on. Empty without it. */
  readonly refresh: string;
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

/** Fetches an http(s) URL. Throws DownloadError, or the signal's reason. */
export async function download(address: string, options: DownloadOptions): Promise<Download> {
  const bounds = { ...options, userAgent: "inference-workbench-sandbox", maxRedirects: 5, mayAsk };
  const { url, status, headers, bytes } = await boundedFetch(address, bounds).catch((error: unknown) => {
    throw error instanceof FetchError ? toDownloadError(error) : error;
  });
  if (status < 200 || status > 299) throw new DownloadError("unreachable", `${url.host} answered ${status}`);
  const header = (name: string) => headers.get(name) ?? "";
  return {
    url: url.href,
    contentType: header("content-type").toLowerCase(),
    refresh: header("refresh"),
    bytes,
  };
}

/** The sandbox counts as public on its own machine: it is tested with pages there. */
function mayAsk(url: URL): Verdict | Promise<Verdict> {
  return isBlockedSite(plainHost(url)) ? "blocked" : publicHostsAndThisMachine(url);
}

function toDownloadError({ fault, url, message }: FetchError): DownloadError {
  const kind = faults[fault];
  if (fault === "scheme" || fault === "too-large") return new DownloadError(kind, message);
  if (kind !== "unreachable") return new DownloadError(kind, `${url.hostname} ${message}`);
  const isSilent = fault === "late" || fault === "unreachable";
  return new DownloadError(kind, `${url.host} ${isSilent ? "could not be reached: " : ""}${message}`);
}

const faults: Readonly<Record<FetchFault, DownloadFault>> = {
  scheme: "private",
  credentials: "private",
  private: "private",
  "other-origin": "private",
  blocked: "blocked",
  "redirect-target": "unreachable",
  redirects: "unreachable",
  late: "unreachable",
  unreachable: "unreachable",
  "too-large": "too-large",
};
