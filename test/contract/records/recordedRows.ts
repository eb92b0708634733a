// Each row of the client, called on a sandbox by a client that records.
import assert from "node:assert/strict";
import { createApi } from "../../../src/api/call/client.ts";
import type { Called } from "../../../src/api/call/record/callRecorder.ts";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { table } from "../../../src/api/table.ts";
import type { Transport } from "../../../src/api/transport/transport.ts";
import { rowSuites } from "../rows/rows.ts";
import { callOf, readToEnd } from "../suite/callOf.ts";
import { rows } from "../suite/rowsOfTable.ts";
import { signIn } from "../suite/signInKit.ts";
import { type Input, sampleOf } from "../suite/suite.ts";
import type { SandboxTarget } from "../suite/target.ts";

/** The rows of the target's dialect. */
export function rowsFor({
  dialect,
}: Pick<SandboxTarget, "dialect">): readonly (readonly [string, Endpoint])[] {
  return [...rows].filter(([id]) => {
    const { only } = rowSuites[id] ?? assert.fail(id);
    return only === undefined || only === dialect.id;
  });
}

interface RecordedCall {
  readonly input: Input;
  /** Undefined if the call failed. */
  readonly value: unknown;
  readonly called: Called;
}

/** Calls a row with its sample. `onSigned` gets each sign-in of a wallet. */
export async function callRecorded(
  target: SandboxTarget,
  transport: Transport,
  [id, row]: readonly [string, Endpoint],
  onSigned: (signed: string) => void = () => {},
): Promise<RecordedCall> {
  await target.settle();
  const recorded = Promise.withResolvers<Called>();
  const walletSignIn = async () => {
    const signed = await signIn(target);
    onSigned(signed);
    return signed;
  };
  const api = createApi(table, transport, {
    baseUrl: target.baseUrl,
    apiKey: async () => target.apiKey,
    ...(row.auth === "wallet" ? { walletSignIn } : {}),
    dialect: target.dialect,
    timeouts: { headersMs: 60_000, idleMs: 60_000 },
    random: () => 0,
    now: target.now,
    isRecorded: () => true,
    observe: (event) => event.type === "called" && recorded.resolve(event),
  });
  const input = await sampleOf(rowSuites[id] ?? assert.fail(id), target);
  const value = await callOf(api, id)(input).then(readToEnd, () => undefined);
  return { input, value, called: await recorded.promise };
}
