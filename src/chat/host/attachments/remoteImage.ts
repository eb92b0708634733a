import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPrivateHost } from "../../../shared/web/privateHost.ts";
import { fileTypeOf } from "./fileType.ts";

/** A remote image fetched by the host for the sandboxed webview: a data URL, or the reason of the failure. */
export type RemoteImage = { readonly src: string } | { readonly problem: string };

/** Limits of a fetch, and the hosts that may be contacted. */
interface PictureLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly mayAsk: (host: string) => Promise<boolean>;
}

const limitsOfAnswers: PictureLimits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 20_000, mayAsk: isPublicHost };
const mostRedirects = 5;
const notPublic = "not loaded: its server is not public";

/**
 * Fetches a remote image that the user asked for, without cookies or referrer. The model chose the address, and this
 * machine can reach hosts that the model must not: hosts of private networks are never contacted, also after a
 * redirect. A response that is no image, too large or too late becomes a sentence; this never throws.
 */
export async function fetchPicture(url: string, limits = limitsOfAnswers): Promise<RemoteImage> {
  try {
    const response = await follow(new URL(url), limits);
    if (!response) return { problem: notPublic };
    if (!response.ok) return { problem: `not loaded: the server answered ${response.status}` };
    const bytes = await readBounded(response, limits.maxBytes);
    if (!bytes) return { problem: `not loaded: it is larger than ${limits.maxBytes / 1024 / 1024} MB` };
    const mediaType = pictureType(bytes, response.headers.get("content-type") ?? "");
    if (mediaType === undefined) return { problem: "not loaded: it is not an image" };
    return { src: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { problem: isLate ? "not loaded: no answer in time" : "not loaded: the server can't be reached" };
  }
}

/** Checks each redirect against the same rule; undefined if one breaks it. */
async function follow(start: URL, { timeoutMs, mayAsk }: PictureLimits): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  let at = start;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    if (!/^https?:$/.test(at.protocol) || !(await mayAsk(at.hostname.replace(/^\[|\]$|\.$/g, ""))))
      return undefined;
    const response = await fetch(at, {
      signal,
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      headers: { accept: "image/*" },
    });
    const target = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || target === null) return response;
    await response.body?.cancel();
    at = new URL(target, at);
  }
  throw new Error("too many redirects");
}

/** A name that can't be resolved here may still be resolved by a proxy. */
async function isPublicHost(host: string): Promise<boolean> {
  if (isPrivateHost(host)) return false;
  const addresses = isIP(host) ? [] : await lookup(host, { all: true }).catch(() => []);
  return !addresses.some(({ address }) => isPrivateHost(address));
}

async function readBounded({ body }: Response, most: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop aborts the request.
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Detected by the first bytes, not by the header; only SVG has no signature. Inside `img`, SVG runs no script. */
function pictureType(bytes: Uint8Array, contentType: string): string | undefined {
  const { kind, mediaType } = fileTypeOf("", bytes);
  if (kind === "image") return mediaType;
  return kind === "text" && /^image\/svg\+xml\b/i.test(contentType) ? "image/svg+xml" : undefined;
}
