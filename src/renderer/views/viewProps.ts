import type { Json, RpcDecoded } from "../../shared/rpcOutput.ts";

export interface ViewProps<Value extends Json> {
  readonly value: Value;
  /** Its path in the output, which identifies stored choices. */
  readonly path: string;
  /** Paths that have changed since the previous run. */
  readonly changed: ReadonlySet<string>;
  readonly decoded?: RpcDecoded | undefined;
}
