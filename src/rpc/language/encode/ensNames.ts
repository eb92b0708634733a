import { localNetwork } from "../../../shared/rpc/networks.ts";
import { shortened } from "../../../shared/text/shortened.ts";

/** True for networks with the Ethereum Name Service. A node on this machine may be a fork of one. */
export function hasEns(network: string): boolean {
  return network === localNetwork || network.startsWith("ethereum-");
}

const longestName = 255;

/**
 * The normalized form of an ENS name (ENSIP-15), as far as it has the characters of ASCII; undefined for a text that is
 * no name. Other characters need tables of 30 KB, so they are a problem.
 */
export function readEnsName(
  text: string,
): { readonly name: string } | { readonly problem: string } | undefined {
  if (!/\.[a-z]{2,}$/i.test(text)) return undefined;
  const shown = shortened(text, 60);
  if (text.length > longestName)
    return { problem: `An ENS name has at most ${longestName} characters, but ${shown} has ${text.length}` };
  const name = text.toLowerCase();
  if (!/^[a-z0-9_$.-]+$/.test(name))
    return {
      problem: `The ENS name ${shown} has characters other than a-z, 0-9, -, _ and $, which are not supported. Write its address`,
    };
  const isValid = name
    .split(".")
    .every((label) => /^_*[a-z0-9$-]+$|^_+$/.test(label) && label.slice(2, 4) !== "--");
  return isValid ? { name } : { problem: `${shown} is not a valid ENS name (ENSIP-15)` };
}
