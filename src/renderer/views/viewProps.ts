import type { Json, RpcDecoded } from "../../shared/rpcOutput.ts";

export interface ViewProps<Value extends Json> {
  readonly value: Value;
  /** Where it stands in its output. */
  readonly path: string;
  /** Paths that differ from the run before. */
  readonly changed: ReadonlySet<string>;
  readonly decoded?: RpcDecoded | undefined;
}
