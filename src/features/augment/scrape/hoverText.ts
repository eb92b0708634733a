import { augmentation } from "../../../api/price.ts";
import { formatUsd } from "../../../shared/formatUsd.ts";
import { commands } from "../../../shared/ids.ts";

/** What pops up on an address, as Markdown: one link that reads the page, whatever the address holds. */
export function hoverText(url: string, isPlayMoney: boolean): string {
  // A parenthesis would end the link, and what follows it be read as Markdown.
  const target = encodeURIComponent(JSON.stringify([[url]]))
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
  return `[Read this page as markdown](command:${commands.scrapePage}?${target}) (${formatUsd(augmentation.usd, isPlayMoney)})`;
}
