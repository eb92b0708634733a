import type * as z from "zod";
import type { CallPrice } from "./price.ts";

type HttpMethod = "GET" | "POST" | "PATCH" | "DELETE";

/** Who may call a row: anyone, any key, or a key of type ADMIN (spec, Authentication 3). */
type Auth = "public" | "inference" | "admin";

/**
 * When a failed request may be sent again on its own (wire.md section 8).
 * - `reading`: after any passing failure; nothing is charged.
 * - `unanswered`: before the first byte of an answer, when the service said 429, 500 or 503, or was never reached.
 * - `keyed`: after any passing failure, under one Idempotency-Key with the same bytes; without a key like `billed`.
 * - `billed`: only where the request never left, or was turned away with 429 or 503.
 */
export type Resend = "reading" | "unanswered" | "keyed" | "billed";

/**
 * How an input becomes a request, once path and header members are taken out: as query, as JSON object, as
 * multipart form (members that are an `Upload` become file parts), or `whole`: its member `body` is the JSON body.
 */
type Encoding = "query" | "json" | "multipart" | "whole";

/** How a reply becomes a value: one JSON value, server-sent events of JSON values, plain text, or bytes as they come. */
export type Decoding = "json" | "events" | "text" | "binary";

/**
 * One row of the API: all that the client, the sandbox, the contract suite and the price display know of a call.
 * `path` is relative to `{base_url}/api/v1`, with path members as `{name}`.
 */
export interface Endpoint<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  As extends Decoding = Decoding,
> {
  readonly method: HttpMethod;
  readonly path: `/${string}`;
  /** Another spelling of the path, tried when the first is not found (spec E11). */
  readonly otherPath?: `/${string}`;
  readonly auth: Auth;
  /** Whether a wallet may pay in place of a key (spec, Authentication 2). */
  readonly wallet?: boolean;
  readonly encode: Encoding;
  readonly input: Input;
  /** Members that every call sends, whatever its input. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Input members that travel as request headers: member → header name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Media types to ask for, where they differ from what `decode` implies. */
  readonly accept?: string;
  readonly decode: As;
  readonly output: Output;
  /** For JSON rows that reply with a long list: its member, and what each element is, which `output` says as well. */
  readonly items?: { readonly member: string; readonly schema: z.ZodType };
  /** For JSON rows that reply with one long text: its member. */
  readonly longText?: string;
  /** Whole numbers beyond 2^53, in the body and in the answer, are bigint: no digit of them is lost. */
  readonly exact?: boolean;
  readonly resend: Resend;
  /** What one call costs (spec: each endpoint's cost rule). */
  readonly price: CallPrice;
  /** For event rows: the one event that stands for a reply that came whole. */
  readonly eventOf?: (reply: unknown) => unknown;
  /** For event rows: true only for an event that `output` takes and changes nothing of; spares the commonest ones the schema. */
  readonly isPlain?: (event: unknown) => boolean;
}

/** A method and a path, `POST /api_keys`: what dialects have rules for, and services handlers. Rows may share one. */
export function routeOf({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/** Why a dialect's rules refuse the value of one member, as the rule; undefined where they take it. */
export function memberProblem(
  rules: Readonly<Record<string, z.ZodObject>>,
  route: string,
  member: string,
  value: unknown,
): string | undefined {
  const shape: Readonly<Record<string, z.ZodType>> = rules[route]?.shape ?? {};
  const schema = Object.hasOwn(shape, member) ? shape[member] : undefined;
  return schema?.safeParse(value).error?.issues[0]?.message;
}

/** Declares a row; the identity at run time, it keeps the row's own types. */
export function endpoint<
  const Input extends z.ZodType,
  const Output extends z.ZodType,
  const As extends Decoding,
>(row: Endpoint<Input, Output, As>): Endpoint<Input, Output, As> {
  return row;
}
