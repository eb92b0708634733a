import { badField } from "../refusal.ts";
import { DownloadError, download } from "../scrape/download.ts";
import { readImageText } from "./inputImage.ts";

/** Limits for fetching an input image. */
const fetchBounds = { maxBytes: 25 * 1024 * 1024, timeoutMs: 20_000, accept: "image/*" } as const;

/** The bytes of an image that was sent as base64, as a data URL or as a URL. Throws a 400 that names the field. */
export async function readTextImage(
  text: string,
  path: readonly (string | number)[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const source = readImageText(text, path);
  if ("bytes" in source) return source.bytes;
  try {
    return (await download(source.url, { ...fetchBounds, signal })).bytes;
  } catch (error) {
    throw error instanceof DownloadError
      ? badField(path, `The image can't be fetched: ${error.message}`)
      : error;
  }
}
