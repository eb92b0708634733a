/** Kinds of look-ups that a result offers. */
export const rpcLookUps = ["address", "transaction", "block", "replay"] as const;
export type RpcLookUp = (typeof rpcLookUps)[number];

/** Messages of a view to the host. */
export type RpcOutputMessage =
  /** Adds a cell that looks up an address (20 bytes) or a hash (32 bytes), or replays a transaction with its trace. */
  | {
      readonly type: "lookUp";
      readonly runId: string;
      readonly network: string;
      readonly kind: RpcLookUp;
      readonly value: string;
    }
  /** Asks for the ABI of the contract at an address (20 bytes), whose data were not decoded. */
  | {
      readonly type: "getAbi";
      readonly runId: string;
      readonly network: string;
      readonly address: string;
    }
  /** Opens the whole result in an editor. */
  | { readonly type: "openResult"; readonly runId: string; readonly key: string }
  /** Opens a diff with the previous run. */
  | { readonly type: "compare"; readonly runId: string }
  /** Asks for a file and writes the rows of a table to it. `name` is the title of the table. */
  | { readonly type: "saveCsv"; readonly name: string; readonly csv: string }
  | { readonly type: "errorAction"; readonly runId: string; readonly action: string };
