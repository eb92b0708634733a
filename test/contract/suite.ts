import { createApi } from "../../src/api/client.ts";
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

/** Values of one member that the service takes, and that it refuses with a 400 that names it (spec, the row's table). */
export interface Rule {
  readonly good: readonly unknown[];
  readonly bad: readonly unknown[];
  /** Members that the request needs beside it. */
  readonly beside?: Readonly<Record<string, unknown>>;
}

/** All cases of one row. */
export interface RowSuite {
  /** A small good input. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Only the venice dialect has the route (wire.md section 6). */
  readonly veniceOnly?: boolean;
  /** One entry for each member of the input. */
  readonly rules: Readonly<Record<string, Rule>>;
  /** Harmless and cheap on a live service too. */
  readonly everywhere: readonly CallCase[];
  /** For the sandbox, whose models and log are known. */
  readonly sandboxed: readonly CallCase<SandboxTarget>[];
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
