import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPrivateHost } from "../../shared/privateHost.ts";
import { fileTypeOf } from "./attachments/fileType.ts";

/** A picture from the web, for a page that can reach no network: a data URL, or why there is none. */
export type RemoteImage = { readonly src: string } | { readonly problem: string };

/** What a picture may cost, and which hosts may be asked for one. */
interface PictureLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly mayAsk: (host: string) => Promise<boolean>;
}

const limitsOfAnswers: PictureLimits = { maxBytes: 8 * 1024 * 1024, timeoutMs: 20_000, mayAsk: isPublicHost };
const mostRedirects = 5;
const notPublic = "not loaded: its server is not a public one";

/**
 * Fetches a picture that a reader asked for, without cookies and without saying where it is shown. A model chose the
 * address, and this machine may reach what it may not: servers of its own network are not asked, whatever redirects to
 * them. What is no picture, too large or too late comes back as a sentence; it never throws.
 */
export async function fetchPicture(url: string, limits = limitsOfAnswers): Promise<RemoteImage> {
  try {
    const response = await follow(new URL(url), limits);
    if (!response) return { problem: notPublic };
    if (!response.ok) return { problem: `not loaded: the server answered ${response.status}` };
    const bytes = await readBounded(response, limits.maxBytes);
    if (!bytes) return { problem: `not loaded: it is larger than ${limits.maxBytes / 1024 / 1024} MB` };
    const mediaType = pictureType(bytes, response.headers.get("content-type") ?? "");
    if (mediaType === undefined) return { problem: "not loaded: it is no picture" };
    return { src: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return { problem: isLate ? "not loaded: no answer in time" : "not loaded: the server can't be reached" };
  }
}

/** Each step of a redirect is held to the same rule; undefined where one breaks it. */
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
  throw new Error("it redirects for ever");
}

/** A name that can't be looked up here may still be known to a proxy. */
async function isPublicHost(host: string): Promise<boolean> {
  if (isPrivateHost(host)) return false;
  const addresses = isIP(host) ? [] : await lookup(host, { all: true }).catch(() => []);
  return !addresses.some(({ address }) => isPrivateHost(address));
}

async function readBounded({ body }: Response, most: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop ends the request.
  for await (const piece of body ?? []) {
    length += piece.byteLength;
    if (length > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** By its first bytes, whatever its server says; only a drawing has none. In a picture it runs and fetches nothing. */
function pictureType(bytes: Uint8Array, contentType: string): string | undefined {
  const { kind, mediaType } = fileTypeOf("", bytes);
  if (kind === "image") return mediaType;
  return kind === "text" && /^image\/svg\+xml\b/i.test(contentType) ? "image/svg+xml" : undefined;
}
