import { fileTypeOf } from "./attachments/fileType.ts";

/** A picture from the web, for a page that can reach no network: a data URL, or why there is none. */
export type FarPicture = { readonly src: string } | { readonly problem: string };

/** Bytes of the largest picture that is drawn in an answer. */
const maxBytes = 8 * 1024 * 1024;
const timeoutMs = 20_000;

/**
 * Fetches a picture that a reader asked for, without cookies and without saying where it is shown. What is no picture,
 * too large or too late comes back as a sentence; it never throws.
 */
export async function fetchPicture(url: string, limits = { maxBytes, timeoutMs }): Promise<FarPicture> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(limits.timeoutMs),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      headers: { accept: "image/*" },
    });
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
