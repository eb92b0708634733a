import type { Json, RpcDecoded, RpcOutput, RpcResult } from "../../output/rpcOutput.ts";

export interface ViewProps<Value extends Json> {
  readonly value: Value;
  /** Its path in the output, which identifies stored choices. */
  readonly path: string;
  /** Paths that have changed since the previous run. */
  readonly changed: ReadonlySet<string>;
  readonly decoded?: RpcDecoded | undefined;
  readonly authorities?: RpcResult["authorities"] | undefined;
}

export interface ResultProps extends ViewProps<Json> {
  readonly view: RpcResult["view"];
  readonly method: string;
  /** The view that the cell requests. */
  readonly wanted: RpcOutput["view"];
}
