import type * as z from "zod";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Who may call a row: anyone, any key, or a key of type ADMIN (spec, Authentication 3). */
export type Auth = "public" | "inference" | "admin";

/**
 * When a failed request may be sent again on its own (wire.md section 8).
 * - `reading`: after any passing failure; nothing is charged.
 * - `unanswered`: before the first byte of an answer, when the service said 429, 500 or 503, or was never reached.
 * - `keyed`: after any passing failure, under one Idempotency-Key with the same bytes.
 * - `billed`: only where the request never left, or was turned away with 429 or 503.
 */
export type Resend = "reading" | "unanswered" | "keyed" | "billed";

/** How an input becomes a request: its members in the query, or as a JSON body. Path members are taken out first. */
export type Encoding = "query" | "json";

/** How a reply becomes a value: one JSON value, or server-sent events of JSON values. */
export type Decoding = "json" | "events";

/**
 * One row of the API: all that the client, the sandbox, the contract suite and the price display know of a call.
 * `path` is relative to `{base_url}`, with path members as `{name}`.
 */
export interface Endpoint<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  As extends Decoding = Decoding,
> {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly auth: Auth;
  readonly encode: Encoding;
  readonly input: Input;
  readonly decode: As;
  readonly output: Output;
  readonly resend: Resend;
  /** For event rows: the one event that stands for a reply that came whole. */
  readonly eventOf?: (reply: unknown) => unknown;
}

/** Declares a row; the identity at run time, it keeps the row's own types. */
export function endpoint<
  const Input extends z.ZodType,
  const Output extends z.ZodType,
  const As extends Decoding,
>(row: Endpoint<Input, Output, As>): Endpoint<Input, Output, As> {
  return row;
}
