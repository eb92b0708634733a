import type { JSX } from "preact";
import type { RpcNetwork } from "../../shared/rpcOutput.ts";
import { cutFieldText } from "../fieldText.ts";

/** A network's name, and in words and colour whether money is real there. */
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
