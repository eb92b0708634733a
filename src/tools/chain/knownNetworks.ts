import { Refusal } from "../../platform/errors/refusal.ts";
import type { Client } from "../../session/session.ts";
import { localNetwork, networks } from "../../shared/rpc/networks.ts";
import { visibleLine } from "../../shared/text/html/visibleText.ts";
import { similar } from "../../shared/text/similar.ts";

/** Names that a refusal lists. */
const mostListed = 60;
const longestName = 64;

/**
 * Throws Refusal with the known names, those that are close first, if no network has this one. Asks the service only for a
 * name that this extension does not know; if it does not say what it offers, the service decides about the call.
 */
export async function checkNetwork(
  name: string,
  { api, dialect }: Pick<Client, "api" | "dialect">,
  hasLocalNode: boolean,
  signal: AbortSignal,
): Promise<void> {
  const listed = networks
    .filter(({ veniceOnly }) => !veniceOnly || dialect.id === "venice")
    .map(({ slug }) => slug);
  if (listed.includes(name)) return;
  const offered = await api.rpc.networks({}, { signal }).catch(() => undefined);
  if (name !== localNetwork && (!offered || offered.networks.includes(name))) return;
  const local = hasLocalNode ? [localNetwork] : [];
  throw new Refusal(unknownText(name, [...(offered?.networks ?? listed), ...local]));
}

function unknownText(name: string, known: readonly string[]): string {
  const close = closeTo(name, known);
  const all = [...close, ...known.filter((one) => !close.includes(one))].map((one) =>
    visibleLine(one.slice(0, longestName)),
  );
  const shown = all.slice(0, mostListed).join(", ");
  const more = all.length > mostListed ? `, and ${all.length - mostListed} more` : "";
  const meant = close.length > 0 ? ` Did you mean ${close[0]}?` : "";
  const reason = name === localNetwork ? "No node of this machine is set up" : `There is no network ${name}`;
  return `${reason}, so nothing was sent or billed.${meant} Known networks: ${shown}${more}.`;
}

/** Misspelled names, then those that share a word with it: `ethereum`, `sepolia`. */
function closeTo(name: string, known: readonly string[]): readonly string[] {
  const words = new Set(name.split("-").filter((word) => word.length > 2));
  const sharing = known
    .map((one) => ({ one, count: one.split("-").filter((word) => words.has(word)).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ one }) => one);
  return [...new Set([...similar(name, known), ...sharing])].slice(0, 8);
}
