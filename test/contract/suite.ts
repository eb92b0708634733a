import assert from "node:assert/strict";
import { createApi } from "../../src/api/client.ts";
import type { DialectId } from "../../src/api/dialect.ts";
import type { ApiError } from "../../src/api/errors.ts";
import { isApiError } from "../../src/api/errors.ts";
import { table } from "../../src/api/table.ts";
import { createHostTransport } from "../../src/api/transport/host.ts";
import { createUndiciTransport } from "../../src/api/transport/undici.ts";
import type { SandboxTarget, Target } from "./target.ts";

export type TableApi = ReturnType<typeof apiOf>;

export const transports = { host: createHostTransport, undici: () => createUndiciTransport() };
export type TransportName = keyof typeof transports;

/** A client of the target, new for each case: what it learnt of limits in one must not rule another. */
export function apiOf(
  target: Target,
  transport: ReturnType<(typeof transports)[TransportName]>,
  key = target.apiKey,
) {
  return createApi(table, transport, {
    baseUrl: target.baseUrl,
    apiKey: async () => key,
    dialect: target.dialect,
    timeouts: { headersMs: 60_000, idleMs: 60_000 },
    // Resends are told apart from first tries by counting; none has to wait.
    random: () => 0,
    now: target.now,
  });
}

/** What a case works with. */
export interface World<T extends Target = Target> {
  readonly target: T;
  readonly api: TableApi;
}

/** A good call of a row and what must come of it; run through each transport. */
export interface CallCase<T extends Target = Target> {
  readonly name: string;
  readonly run: (world: World<T>) => Promise<void>;
}

/** Values of one member that the service takes, and that it refuses by its name (spec, the row's table). */
export interface Rule {
  readonly good: readonly unknown[];
  /** The client refuses them too, before anything is sent. */
  readonly bad: readonly unknown[];
  /** Bad for what the service alone knows, its models and records: the client sends them. */
  readonly unfit?: readonly unknown[];
  /** Members that the request needs beside it. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** How the service refuses; default 400. */
  readonly status?: number;
  /** The name under which the service refuses it, where that is not the member's. */
  readonly named?: string;
  /** The member is the whole body: the service names what is wrong inside it. */
  readonly anyName?: true;
  /** The service takes no notice of a bad value: the client alone refuses it. */
  readonly unchecked?: true;
}
export type Rules = Readonly<Record<string, Rule>>;

/** What holds for members of a reply, each by its path: `data.0.date`. */
interface ReplyRules {
  /** May be null (spec, wire.md; or what we can do without). */
  readonly nullable: readonly string[];
  /** Without it the reply is refused, by this path. */
  readonly required: readonly string[];
  /** Lists in which a row that does not fit is left out; the others stay. */
  readonly tolerant: readonly string[];
}

export type Input = Readonly<Record<string, unknown>>;

/** All cases of one row. */
export interface RowSuite {
  /** A small good input, or how to come by one; a new one each time. */
  readonly sample: Input | ((target: SandboxTarget) => Promise<Input>);
  /** A call is much work: each goes through one transport only, and good values of all members are sent together. */
  readonly costly?: true;
  /** The one dialect that has the route (wire.md sections 2 and 6). */
  readonly only?: DialectId;
  /** One entry for each member of the input. */
  readonly rules: Rules | ((dialect: DialectId) => Rules);
  /** For rows whose reply is JSON, or events of it. */
  readonly reply?: ReplyRules;
  /** Harmless and cheap on a live service too. */
  readonly everywhere: readonly CallCase[];
  /** For the sandbox, whose models and log are known. */
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

/** The refusal of a call that the client stops itself: nothing reaches the service. */
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
