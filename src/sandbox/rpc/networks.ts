import type { DialectId } from "../../api/dialect.ts";
import { type Network, networks } from "../../shared/rpc/networks.ts";

export type { Network } from "../../shared/rpc/networks.ts";

/** The networks of a dialect: 23 or 27. */
export function networksOf(dialect: DialectId): readonly Network[] {
  return networks.filter(({ veniceOnly }) => !veniceOnly || dialect === "venice");
}
