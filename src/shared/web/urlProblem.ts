import { shortened } from "../text/shortened.ts";
import { isBlockedSite } from "./blockedSites.ts";
import { isPrivateHost, isThisMachine } from "./privateHost.ts";

/** The reason that an address is not sent: it is invalid, not public, or its site is known to block robots. */
export interface UrlProblem {
  readonly kind: "invalid" | "private" | "blocked";
  readonly sentence: string;
}

/**
 * The reason that a page can't be requested; undefined if it can. No DNS lookup. `allowsThisMachine`: the service runs
 * on this machine and reaches its pages.
 */
export function urlProblem(text: string, { allowsThisMachine = false } = {}): UrlProblem | undefined {
  const shown = shortened(text, 100);
  if (!URL.canParse(text)) return { kind: "invalid", sentence: `“${shown}” is not a web address.` };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { kind: "invalid", sentence: `“${shown}” must begin with http:// or https://.` };
  if (url.username !== "" || url.password !== "") {
    const sentence = `The address at ${url.hostname} contains a user name or a password, which would be sent along. Remove it.`;
    return { kind: "private", sentence };
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  if (isThisMachine(host) && allowsThisMachine) return undefined;
  if (isPrivateHost(host))
    return { kind: "private", sentence: `${host} is not public: the service reads only public pages.` };
  if (isBlockedSite(host))
    return { kind: "blocked", sentence: `${host} blocks robots, so the service refuses its pages.` };
  return undefined;
}

/** The same for the service with this API root. A service on this machine reaches pages of this machine. */
export function urlProblemAt(root: string, url: string): UrlProblem | undefined {
  const host = new URL(root).hostname.replace(/^\[|\]$/g, "");
  return urlProblem(url, { allowsThisMachine: isThisMachine(host) });
}

/** As long as an address of a picture may be. */
const longestAddress = 4000;

/** The reason that the service with this root can't be sent the address of a picture (spec E5, E13), which it reads. */
export function pictureUrlProblemAt(root: string, url: string): string | undefined {
  if (url.length > longestAddress)
    return `An address has at most ${longestAddress} characters; this one has ${url.length}.`;
  const problem = urlProblemAt(root, url);
  // The sites that refuse robots do so for their pages.
  if (!problem || problem.kind === "blocked") return undefined;
  return problem.sentence.replace("public pages", "public pictures");
}
