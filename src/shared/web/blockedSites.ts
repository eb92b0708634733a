/** Sites that block robots, so their pages are refused at once (spec E4 names social networks and forums as examples). */
export const blockedSites = [
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
] as const;

const names = new Set<string>(blockedSites);

/** True for such a site and its subdomains. */
export function isBlockedSite(host: string): boolean {
  const labels = host.replace(/\.$/, "").split(".");
  return labels.some((_, index) => names.has(labels.slice(index).join(".")));
}
