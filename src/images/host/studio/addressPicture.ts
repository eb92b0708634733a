import {
  boundedFetch,
  FetchError,
  type FetchFault,
  type HostRule,
} from "../../../api/transport/boundedFetch.ts";
import { formatBytes } from "../../../shared/chat/chatAttachments.ts";
import { shortened } from "../../../shared/text/shortened.ts";

/** The picture at an address as this computer reads it, or why there is no preview. */
export type AddressPreview = { readonly data: Uint8Array } | { readonly note: string };

/** The last part of its path, else its host. */
export function nameOfAddress(address: string): string {
  const { hostname, pathname } = new URL(address);
  const last = pathname.split("/").findLast((part) => part !== "");
  return shortened(last ?? hostname, 100);
}

/** spec E5, E13. */
const maxBytes = 25 * 1024 * 1024;

/**
 * Reads the picture for a preview, without cookies or referrer. The service reads the address itself, so a host that this
 * computer must not or can't ask is a note, not an error. Never throws.
 */
export async function previewOf(address: string, mayAsk: HostRule): Promise<AddressPreview> {
  try {
    const bounds = { mayAsk, accept: "image/*", maxBytes, maxRedirects: 5, timeoutMs: 20_000 };
    const { status, bytes } = await boundedFetch(address, bounds);
    if (status < 200 || status > 299) return { note: `no preview: its server answered ${status}` };
    return bytes.byteLength > 0 ? { data: bytes } : { note: "no preview: its server sent nothing" };
  } catch (error) {
    return { note: `no preview: ${error instanceof FetchError ? reasons[error.fault] : unreached}` };
  }
}

const unreached = "its server can't be reached from here";
const notPublic = "its server is not public";
const reasons: Readonly<Record<FetchFault, string>> = {
  scheme: notPublic,
  credentials: notPublic,
  private: notPublic,
  blocked: notPublic,
  "other-origin": notPublic,
  "redirect-target": unreached,
  redirects: "it redirects too often",
  "too-large": `it has more than ${formatBytes(maxBytes)}`,
  late: "its server did not answer in time",
  unreachable: unreached,
};
