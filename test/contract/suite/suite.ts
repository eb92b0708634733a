import assert from "node:assert/strict";
import { type ClientOptions, createApi } from "../../../src/api/call/client.ts";
import type { DialectId } from "../../../src/api/dialect/dialect.ts";
import type { ApiError } from "../../../src/api/errors/errors.ts";
import { isApiError } from "../../../src/api/errors/errors.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import type { SandboxTarget, Target } from "./target.ts";

export type TableApi = ReturnType<typeof apiOf>;

export const transports = { host: createHostTransport, undici: () => createUndiciTransport() };
export type TransportName = keyof typeof transports;

/** A client of the target, new for each case, so that limits it has learned don't affect another. */
export function apiOf(
  target: Target,
  transport: ReturnType<(typeof transports)[TransportName]>,
  key = target.apiKey,
  walletSignIn: ClientOptions["walletSignIn"] = undefined,
) {
  return createApi(table, transport, {
    baseUrl: target.baseUrl,
    apiKey: async () => key,
    ...(walletSignIn ? { walletSignIn } : {}),
    dialect: target.dialect,
    timeouts: { headersMs: 60_000, idleMs: 60_000 },
    // Resends are counted, so they need no delay.
    random: () => 0,
    now: target.now,
  });
}

/** The environment of a case. */
export interface World<T extends Target = Target> {
  readonly target: T;
  readonly api: TableApi;
}

/** A good call of a row with its expected result; runs through each transport. */
export interface CallCase<T extends Target = Target> {
  readonly name: string;
  readonly run: (world: World<T>) => Promise<void>;
}

/** Values of one member that the service accepts, and that it refuses by its name (spec, the row's table). */
export interface Rule {
  readonly good: readonly unknown[];
  /** Also refused by the client, before anything is sent. */
  readonly bad: readonly unknown[];
  /** Bad only by the service's models and records, so the client sends them. */
  readonly unfit?: readonly unknown[];
  /** Other members that the request needs. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** HTTP status of the refusal; default 400. */
  readonly status?: number;
  /** The name in the refusal, if it is not the member's. */
  readonly named?: string;
  /** The member is the whole body: the service names members inside it. */
  readonly anyName?: true;
  /** The service ignores a bad value: only the client refuses it. */
  readonly unchecked?: true;
}
export type Rules = Readonly<Record<string, Rule>>;

/** Rules for members of a reply, by path: `data.0.date`. */
interface ReplyRules {
  /** May be null (spec, wire.md; or not needed by the client). */
  readonly nullable: readonly string[];
  /** Required: the error names this path. */
  readonly required: readonly string[];
  /** Lists from which an invalid row is left out; the others stay. */
  readonly tolerant: readonly string[];
}

export type Input = Readonly<Record<string, unknown>>;

/** All cases of one row. */
export interface RowSuite {
  /** A small good input, or a function that creates a new one each time. */
  readonly sample: Input | ((target: SandboxTarget) => Promise<Input>);
  /** Expensive call: each runs through one transport only, and good values of all members are combined. */
  readonly costly?: true;
  /** The one dialect that has the route (wire.md sections 2 and 6). */
  readonly only?: DialectId;
  /** One entry for each member of the input. */
  readonly rules: Rules | ((dialect: DialectId) => Rules);
  /** For rows whose reply is JSON, or a stream of it. */
  readonly reply?: ReplyRules;
  /** Harmless and cheap, so it also runs on a live service. */
  readonly everywhere: readonly CallCase[];
  /** Only for the sandbox, whose models and request log are known. */
  readonly sandboxed: readonly CallCase<SandboxTarget>[];
}

export async function sampleOf({ sample }: RowSuite, target: SandboxTarget): Promise<Input> {
  return typeof sample === "function" ? sample(target) : sample;
}

export function rulesOf({ rules }: RowSuite, dialect: DialectId): Rules {
  return typeof rules === "function" ? rules(dialect) : rules;
}

/** The ApiError that a call throws; anything else fails the case. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isApiError(thrown)) return thrown;
  throw thrown ?? new Error("the call did not fail");
}

/** The error of a call that the client refuses without sending anything. */
export async function unsentFailureOf(
  target: SandboxTarget,
  call: () => Promise<unknown>,
): Promise<ApiError> {
  const sent = target.sandbox.requestCount;
  const error = await failureOf(call());
  assert.equal(error.kind, "invalid-request");
  assert.equal(target.sandbox.requestCount, sent, "nothing was sent");
  return error;
}
