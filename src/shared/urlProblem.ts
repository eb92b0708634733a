import { isPrivateHost, isThisMachine } from "./privateHost.ts";

/** Why an address is not sent: it is none, it is not public, or its site is known to turn robots away. */
export interface UrlProblem {
  readonly kind: "invalid" | "private" | "blocked";
  readonly sentence: string;
}

/** Sites that are refused at once (spec E4: social networks and forums are given as examples). */
const blockedSites = new Set([
  "bsky.app",
  "discord.com",
  "facebook.com",
  "instagram.com",
  "linkedin.com",
  "pinterest.com",
  "quora.com",
  "reddit.com",
  "snapchat.com",
  "threads.com",
  "threads.net",
  "tiktok.com",
  "tumblr.com",
  "twitter.com",
  "weibo.com",
  "x.com",
]);
/**
 * Why a page may not be asked for; undefined for one that may. Nothing is looked up. `allowsThisMachine`: the service
 * runs on this machine itself and reaches its pages.
 */
export function urlProblem(text: string, { allowsThisMachine = false } = {}): UrlProblem | undefined {
  const shown = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  if (!URL.canParse(text)) return { kind: "invalid", sentence: `“${shown}” is no web address.` };
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return { kind: "invalid", sentence: `“${shown}” is neither http nor https.` };
  if (url.username !== "" || url.password !== "") {
    const sentence = `The address at ${url.hostname} holds a user name or a password, which would be sent along. Take it out.`;
    return { kind: "private", sentence };
  }
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  if (isThisMachine(host) && allowsThisMachine) return undefined;
  if (isPrivateHost(host))
    return { kind: "private", sentence: `${host} is not public: the service reads public pages only.` };
  if (isBlocked(host))
    return { kind: "blocked", sentence: `${host} turns robots away, so the service refuses its pages.` };
  return undefined;
}

/** The same for the service whose API has this root: one on this machine reaches its pages. */
export function urlProblemAt(root: string, url: string): UrlProblem | undefined {
  const host = new URL(root).hostname.replace(/^\[|\]$/g, "");
  return urlProblem(url, { allowsThisMachine: isThisMachine(host) });
}

function isBlocked(host: string): boolean {
  const labels = host.split(".");
  return labels.some((_, index) => blockedSites.has(labels.slice(index).join(".")));
}
