import {
  boundedFetch,
  FetchError,
  type FetchFault,
  type HostRule,
  publicHosts,
} from "../../../../api/transport/boundedFetch.ts";
import { fileTypeOf } from "./fileType.ts";

/** A remote image fetched by the host for the sandboxed webview: a data URL, or the reason of the failure. */
export type RemoteImage = { readonly src: string } | { readonly problem: string };

/** Limits of a fetch, and the hosts that may be contacted. */
interface PictureLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly mayAsk: HostRule;
}

const limitsOfAnswers: PictureLimits = {
  maxBytes: 8 * 1024 * 1024,
  timeoutMs: 20_000,
  mayAsk: publicHosts,
};
const unreached = "the server can't be reached";
const notPublic = "its server is not public";

/**
 * Fetches a remote image that the user asked for, without cookies or referrer. The model chose the address, and this
 * machine can reach hosts that the model must not: hosts of private networks are never contacted, also after a
 * redirect. A response that is no image, too large or too late becomes a sentence; this never throws.
 */
export async function fetchPicture(url: string, limits = limitsOfAnswers): Promise<RemoteImage> {
  const problem = (reason: string) => ({ problem: `not loaded: ${reason}` });
  try {
    const bounds = { ...limits, accept: "image/*", maxRedirects: 5 };
    const { status, headers, bytes } = await boundedFetch(url, bounds);
    if (status < 200 || status > 299) return problem(`the server answered ${status}`);
    const mediaType = pictureType(bytes, headers.get("content-type") ?? "");
    if (mediaType === undefined) return problem("it is not an image");
    return { src: `data:${mediaType};base64,${Buffer.from(bytes).toString("base64")}` };
  } catch (error) {
    if (!(error instanceof FetchError)) return problem(unreached);
    if (error.fault === "too-large") return problem(`it is larger than ${limits.maxBytes / 1024 / 1024} MB`);
    return problem(reasons[error.fault]);
  }
}

const reasons: Readonly<Record<Exclude<FetchFault, "too-large">, string>> = {
  scheme: notPublic,
  credentials: unreached,
  private: notPublic,
  blocked: notPublic,
  "other-origin": notPublic,
  "redirect-target": unreached,
  redirects: unreached,
  late: "no answer in time",
  unreachable: unreached,
};

/** Detected by the first bytes, not by the header; only SVG has no signature. Inside `img`, SVG runs no script. */
function pictureType(bytes: Uint8Array, contentType: string): string | undefined {
  const { kind, mediaType } = fileTypeOf("", bytes);
  if (kind === "image") return mediaType;
  return kind === "text" && /^image\/svg\+xml\b/i.test(contentType) ? "image/svg+xml" : undefined;
}
