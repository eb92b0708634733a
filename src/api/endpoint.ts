import type * as z from "zod";
import type { CallPrice } from "./money/price.ts";
import type { EventShaper } from "./stream/eventShaper.ts";

type HttpMethod = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * Required credential of a row: none, any key, a key of type ADMIN (spec, Authentication 3), or a wallet alone
 * (api-missing.md, Wallet).
 */
type Auth = "public" | "inference" | "admin" | "wallet";

/**
 * Rule for automatic retries (wire.md section 8).
 * - `reading`: after any transient failure; the call is free.
 * - `unanswered`: before the first byte of an answer, after 429, 500 or 503, or if the service was not reached.
 * - `keyed`: after any transient failure, with one Idempotency-Key and the same bytes; without a key like `billed`.
 * - `billed`: only if the request was never sent, or was refused with 429 or 503.
 */
export type Resend = "reading" | "unanswered" | "keyed" | "billed";

/**
 * Encoding of an input after path and header members are removed: as query, as JSON object, as multipart form (members
 * that are an `Upload` become file parts), or `whole`: its member `body` is the JSON body.
 */
type Encoding = "query" | "json" | "multipart" | "whole";

/** Decoding of a reply: one JSON value, server-sent events of JSON values, plain text, or raw bytes. */
export type Decoding = "json" | "events" | "text" | "binary";

/**
 * One row of the API, which the client, the sandbox, the contract suite and the price display use. `path` is relative
 * to `{base_url}/api/v1`, with parameters as `{name}`.
 */
export interface Endpoint<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  As extends Decoding = Decoding,
> {
  readonly method: HttpMethod;
  readonly path: `/${string}`;
  /** Alternative path, tried after a 404 (spec E11). */
  readonly otherPath?: `/${string}`;
  readonly auth: Auth;
  /** What the service calls the route: it may change without notice (spec, Versioning). Absent: it is stable. */
  readonly status?: "beta" | "experimental";
  /** True if a wallet can pay instead of a key (spec, Authentication 2). */
  readonly wallet?: boolean;
  readonly encode: Encoding;
  readonly input: Input;
  /** True if the reply is a secret, such as a new key: no record of the call keeps it. */
  readonly hasSecretReply?: true;
  /** Constant members of every call. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** Input members that are sent as request headers: member → header name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Accept header, if it differs from the default of `decode`. */
  readonly accept?: string;
  readonly decode: As;
  readonly output: Output;
  /** For JSON rows with a long list: its member, and the schema of its elements, which `output` contains as well. */
  readonly items?: { readonly member: string; readonly schema: z.ZodType };
  /** For JSON rows with one long text: its member. */
  readonly longText?: string;
  /** True if integers beyond 2^53 in request and reply are bigint, so that no digit is lost. */
  readonly exact?: boolean;
  readonly resend: Resend;
  /** Price of one call (spec: cost rule of each endpoint). */
  readonly price: CallPrice;
  /** For event rows: converts a complete reply to one event. */
  readonly eventOf?: (reply: unknown) => unknown;
  /**
   * For event rows: true only for an event that `output` accepts unchanged. The most frequent events skip the schema.
   */
  readonly isPlain?: (event: unknown) => boolean;
  /** For event rows: changes the validated events of one stream. */
  readonly shaper?: () => EventShaper<z.output<Output>>;
}

/** ` (experimental at the service)`, to follow the name of what uses the row; empty for a stable one. */
export function statusText({ status }: Pick<Endpoint, "status">): string {
  return status === undefined ? "" : ` (${status} at the service)`;
}

/** Method and path, `POST /api_keys`: the key of a dialect's rules and of a service's handlers. Rows may share one. */
export function routeOf({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/** The rule of a dialect that the value of a member violates; undefined if it is valid. */
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

/** Declares a row. Returns its argument with the row's own types. */
export function endpoint<
  const Input extends z.ZodType,
  const Output extends z.ZodType,
  const As extends Decoding,
>(row: Endpoint<Input, Output, As>): Endpoint<Input, Output, As> {
  return row;
}
