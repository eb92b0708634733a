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
  /** Asks for the whole result of a line, which is cut in the output. The host answers with an RpcWholeMessage. */
  | { readonly type: "getWhole"; readonly runId: string; readonly key: string }
  /** Opens a diff with the previous run. */
  | { readonly type: "compare"; readonly runId: string }
  /** Asks for a file and writes the rows of a table to it. `name` is the title of the table. */
  | { readonly type: "saveCsv"; readonly name: string; readonly csv: string; readonly extent: CsvExtent }
  | { readonly type: "errorAction"; readonly runId: string; readonly action: string };

/** Characters of a result as JSON that a view asks for. */
export const mostWhole = 32_000_000;

/** The whole result of a line, for the views that show it. */
export interface RpcWholeMessage {
  readonly type: "whole";
  readonly runId: string;
  readonly key: string;
  /** An RpcResult as JSON; empty if the run is no longer stored. */
  readonly result: string;
}

/** The part of a result that a CSV contains. The result may be cut for display. */
export interface CsvExtent {
  readonly rows: number;
  /** Rows of the result that are not in the table, so they were neither filtered nor written. */
  readonly cutRows: number;
  /** Written values that are not complete. */
  readonly cutValues: number;
}

/** Names the missing part of a CSV, as sentences after a space. Empty if the CSV is complete. */
export function missingInCsv({ cutRows, cutValues }: CsvExtent): string {
  const count = (number: number, noun: string) =>
    `${number.toLocaleString("en-US")} ${number === 1 ? noun : `${noun}s`}`;
  const missing = [
    ...(cutRows > 0 ? [`${count(cutRows, "more row")} of the result`] : []),
    ...(cutValues > 0 ? [`the end of ${count(cutValues, "long value")}`] : []),
  ];
  if (missing.length === 0) return "";
  return ` Not included: ${missing.join(", and ")}. "Open in full" shows the complete result.`;
}
