import type { JSX } from "preact";
import type { RpcNetwork } from "../../output/rpcOutput.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";

/** The name of a network. Its text and colour show if it is a main network. */
export function NetworkBadge({ network }: { readonly network: RpcNetwork }): JSX.Element {
  const { slug, isMainnet } = network;
  const kind = isMainnet ? "mainnet" : slug === "local" ? "local" : "testnet";
  return (
    <span class={`network ${kind}`}>
      {cutFieldText(slug, 60)}
      {slug.includes(kind) || <span class="network-kind"> {kind}</span>}
    </span>
  );
}
