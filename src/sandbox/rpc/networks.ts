import type { DialectId } from "../../api/dialect/dialect.ts";
import { type Network, networks } from "../../shared/rpc/networks.ts";

export type { Network } from "../../shared/rpc/networks.ts";

/** The networks of a dialect: 23 or 27. */
export function networksOf(dialect: DialectId): readonly Network[] {
  return networks.filter(({ veniceOnly }) => !veniceOnly || dialect === "venice");
}

/** The address of the token on all chains. Notebooks use this address on the main network, too. */
export const tokenAddress = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
