// A sandbox with direct access to its ledger: charges are added there and read back over HTTP.
import type { TestContext } from "node:test";
import { type Api, createApi, defaultTimeouts } from "../../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../../src/api/dialect/dialect.ts";
import { type Table, table } from "../../../../src/api/table.ts";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import type { Billing } from "../../../../src/sandbox/billing/billing.ts";
import {
  type Charge,
  chatCharge,
  requestCharge,
  rpcCharge,
  speechCharge,
} from "../../../../src/sandbox/billing/ledger/charge.ts";
import type { LedgerEntry } from "../../../../src/sandbox/billing/ledger/entry.ts";
import { routesOf } from "../../../../src/sandbox/http/routes.ts";
import { startServer } from "../../../../src/sandbox/http/server.ts";
import type { ApiKeyStore } from "../../../../src/sandbox/keys/apiKeyStore.ts";
import { createMedia } from "../../../../src/sandbox/media.ts";
import { openRpc } from "../../../../src/sandbox/rpc/openRpc.ts";
import { createServices } from "../../../../src/sandbox/services.ts";
import { createState } from "../../../../src/sandbox/state/createState.ts";
import type { Faults } from "../../../serviceKit/faults.ts";
import type { LoggedRequest } from "../../../serviceKit/requestLog.ts";
import { createTestHooks, type TestSandboxOptions } from "../../../serviceKit/testSandbox.ts";
import { type Clock, createClock, dayMs } from "../../sandbox/clock.ts";

export { dayMs } from "../../sandbox/clock.ts";

export interface Books {
  readonly clock: Clock;
  readonly billing: Billing;
  readonly keys: ApiKeyStore;
  /** With the ADMIN key, and with the INFERENCE key. */
  readonly admin: Api<Table>;
  readonly inference: Api<Table>;
  readonly baseUrl: string;
  readonly requests: readonly LoggedRequest[];
  setFaults(faults: Faults): void;
  /** All ledger entries, oldest first. */
  entries(): readonly LedgerEntry[];
}

export const start = "2026-08-15T10:00:00.000Z";

export async function openBooks(
  t: TestContext,
  dialect: DialectId = "standard",
  rest: TestSandboxOptions = {},
): Promise<Books> {
  const clock = createClock(start);
  const options: TestSandboxOptions = {
    dialect,
    clock: clock.now,
    limits: "none",
    nodes: false,
    seed: 7,
    balances: { usd: 100_000, diemPerDay: 2 },
    ...rest,
  };
  const secrets = { apiKey: "admin-key-canary", inferenceKey: "inference-key-canary" };
  const kit = createTestHooks(options);
  const wiring = { secrets, origin: () => "", tokensPerSecond: () => Number.POSITIVE_INFINITY };
  const state = createState(options, [], wiring, kit.hooks);
  const { rpc, close } = await openRpc(options, state);
  const media = createMedia({ dialect, library: state.library, ids: state.ids, speechProgram: undefined });
  const controller = {
    state,
    services: createServices({ ...state, rpc, media, authors: kit.hooks.authors }),
    routes: routesOf(table, false),
  };
  const server = await startServer(controller, 0, kit.hooks);
  t.after(async () => {
    kit.log.close();
    await server.close();
    await close();
  });
  const baseUrl = `http://127.0.0.1:${server.port}/api/v1`;
  const clientOf = (key: string) =>
    createApi(table, createHostTransport(), {
      baseUrl,
      apiKey: async () => key,
      dialect: dialects[dialect],
      timeouts: defaultTimeouts,
      random: () => 0,
    });
  return {
    clock,
    billing: state.billing,
    keys: state.keys,
    admin: clientOf(secrets.apiKey),
    inference: clientOf(secrets.inferenceKey),
    baseUrl,
    requests: kit.log.requests,
    setFaults: kit.setFaults,
    entries: () => [...state.billing.ledger.select({})],
  };
}

/** Reproducible random numbers. */
function randomOf(seed: number): (below: number) => number {
  let bits = seed >>> 0;
  return (below) => {
    bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
    return Math.floor((bits / 2 ** 32) * below);
  };
}

/** Adds random calls over the days from `start` on; the clock is at the last one afterwards. */
export function spendAtRandom(books: Books, calls: number, days: number, keyIds: readonly string[]): void {
  const roll = randomOf(11);
  const step = Math.floor((days * dayMs) / calls);
  for (let call = 0; call < calls; call++) {
    books.clock.advance(step);
    const keyId = keyIds[roll(keyIds.length + 1)] ?? null;
    books.billing.charge(randomCharge(roll, keyId, `req-${call}`));
  }
}

function randomCharge(roll: (below: number) => number, keyId: string | null, requestId: string): Charge {
  const spent = { keyId, requestId, executionMs: 20 + roll(9000) };
  switch (roll(5)) {
    case 0:
      return requestCharge({
        keyId,
        name: (["search", "scrape", "text-parser"] as const)[roll(3)] ?? "search",
        usd: 0.01,
      });
    case 1:
      return rpcCharge({ keyId, network: "base-mainnet", credits: 5 + roll(8000), usdPerCredit: 6.25e-7 });
    case 2:
      return speechCharge({ ...spent, model: "speaker", characters: 1 + roll(4096), usdPerMillion: 3.5 });
    default: {
      const promptTokens = 1 + roll(90_000);
      return chatCharge({
        ...spent,
        model: ["guide", "thinker", "__proto__"][roll(3)] ?? "guide",
        price: { input: 0.2, output: 0.815, cacheInput: 0.0375 },
        promptTokens,
        cachedTokens: roll(promptTokens),
        completionTokens: 1 + roll(4000),
      });
    }
  }
}

/** A reply with records, in which the time of one is a number, as some services write it. */
export const withNumericTime = (index: number) => (reply: unknown) => {
  const { data, ...rest } = reply as { readonly data: readonly { readonly timestamp: string }[] };
  return {
    ...rest,
    data: data.map((record, at) =>
      at === index ? { ...record, timestamp: Date.parse(record.timestamp) } : record,
    ),
  };
};
