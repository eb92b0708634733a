import type { Client } from "../session/session.ts";

/** The input of a tool. `checkToolInput` compares it with the schema. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** JSON schema of an input: an object without further members. */
// An alias, because an interface is not assignable to a record.
export type ToolSchema = {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
};

/** A part of a result, bounded: a text by `maxTextLength`, bytes by `maxPartBytes`. */
export type ToolContent =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image" | "audio"; readonly mime: string; readonly bytes: Uint8Array };

/** Facts for the confirmation of a call. */
export interface ToolQuestion {
  /** `Search the web for “x”`. Quotes the input, so show it with visible control characters and as plain text. */
  readonly summary: string;
  /** USD of the call: 0 if it is free, undefined if the service lists no price. The sandbox charges play money. */
  readonly usd: number | undefined;
  /**
   * `never`: cheap or free reading, for which only the setting `always` of inference.account.askPrice asks. `price`: as that
   * setting and the approved prices say. `always`: each call needs the user's consent, whatever was approved before.
   */
  readonly asks: "never" | "price" | "always";
  /** Lines below the question: who receives the data, and the decoded transaction. */
  readonly details: readonly string[];
  /** The label of the confirming button. */
  readonly button: string;
}

/**
 * A tool of the service for agents. A caller checks the input with `checkToolInput`, calls `prepare`, gets the user's
 * consent, and then calls `run` with the same input. Errors become text with `toolErrorText`.
 */
export interface ServiceTool {
  /** `inference_search_web`. */
  readonly name: string;
  readonly title: string;
  /** For the model: the shape and units of the result, limits, and the price. */
  readonly description: string;
  /** For the user, in lists of tools. */
  readonly userDescription: string;
  readonly parameters: ToolSchema;
  /** False if a call may change something outside of this machine, or saves a file on it. */
  readonly isReadOnly: boolean;
  /** Sends no billed request. Throws Refusal for an input that can't be sent, ApiError if the service can't be asked. */
  prepare(input: ToolInput, client: Client, signal: AbortSignal): Promise<ToolQuestion>;
  /** Throws Refusal or ApiError. A call that may have been billed is not sent again. */
  run(input: ToolInput, client: Client, signal: AbortSignal): Promise<readonly ToolContent[]>;
}

/** Characters of a text part. The rest is read with `inference_read_more`. */
export const maxTextLength = 20_000;
/** Bytes of an image or audio part. A larger result is in a file only. */
export const maxPartBytes = 5_000_000;

/** A member of the input as text; empty if it is no text. */
export function inputText(input: ToolInput, name: string): string {
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  return typeof value === "string" ? value : "";
}

/** Schema of an input. Members that are not listed as optional are required. */
export function toolSchema(
  properties: ToolSchema["properties"],
  optional: readonly string[] = [],
): ToolSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}
