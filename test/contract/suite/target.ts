import { apiRoot } from "../../../src/api/call/client.ts";
import { type Dialect, type DialectId, dialectOf, dialects } from "../../../src/api/dialect/dialect.ts";
import { environment } from "../../../src/shared/names/ids.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";

/** A service under test. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly dialect: Dialect;
  /** The service's clock, Unix time in milliseconds. */
  readonly now: () => number;
  /** Resets all windows and budgets: the sandbox's clock jumps, a live service is waited for. */
  settle(): Promise<void>;
  /** Counts a failed request towards the live service's budget. */
  failed(): void;
  close(): Promise<void>;
}

/** The sandbox, with configurable faults and a readable request log. */
export interface SandboxTarget extends Target {
  readonly sandbox: TestSandbox;
}

const docs = [
  {
    title: "Harbour",
    text: "# Harbour\n\n<!-- ask: When does the ferry leave? -->\n\nBoats and berths.\n\n## Ferry\n\nThe ferry leaves at nine.\n\n## Lighthouse\n\nThe lighthouse ferry signal turns red at dusk.\n",
  },
];

/** Both dialects of the sandbox; always available. */
export const sandboxTargets = Object.values(dialects).map(({ id }) => ({
  name: `sandbox, ${id}`,
  dialect: id,
  open: () => openSandbox(id),
}));

const dayMs = 86_400_000;

export async function openSandbox(dialect: DialectId): Promise<SandboxTarget> {
  // The daily allocation renews at midnight (UTC), and the clock jumps by hours in one suite. The clock begins with
  // the day, so that no midnight falls between two reads of the balance.
  let aheadMs = -(Date.now() % dayMs);
  const clock = () => Date.now() + aheadMs;
  const sandbox = await startTestSandbox({
    dialect,
    pages: docs,
    clock,
    tokensPerSecond: Number.POSITIVE_INFINITY,
    balances: { usd: 1000, diemPerDay: 10 },
    walletUsd: 0,
    nodes: false,
    speechProgram: null,
  });
  return targetOf(sandbox, dialect, clock, () => {
    aheadMs += 61_000;
  });
}

/** A sandbox as a target; `settle` advances its clock by a minute. */
export function targetOf(
  sandbox: TestSandbox,
  dialect: DialectId,
  now: () => number,
  settle: () => void,
): SandboxTarget {
  return {
    sandbox,
    baseUrl: sandbox.baseUrl,
    apiKey: sandbox.apiKey,
    dialect: dialects[dialect],
    now,
    async settle() {
      settle();
      sandbox.setFaults([]);
    },
    failed() {},
    close: () => sandbox.close(),
  };
}

/** The service in the environment variables; empty without them. */
export const liveTargets = [process.env[environment.baseUrl] ?? ""].flatMap((baseUrl) => {
  const apiKey = process.env[environment.key];
  return baseUrl && apiKey
    ? [{ name: `live, ${new URL(baseUrl).host}`, open: () => openLive(baseUrl, apiKey) }]
    : [];
});

/** Stays below the 20 failures in 30 s after which a service blocks its caller (spec, Errors). */
const failuresPerWindow = 10;
const windowMs = 31_000;

async function openLive(given: string, apiKey: string): Promise<Target> {
  const baseUrl = apiRoot(given);
  let failures: number[] = [];
  return {
    baseUrl,
    apiKey,
    dialect: dialectOf("auto", baseUrl),
    now: Date.now,
    async settle() {
      failures = failures.filter((at) => Date.now() - at < windowMs);
      const [oldest] = failures;
      if (failures.length < failuresPerWindow || oldest === undefined) return;
      await new Promise((resolve) => setTimeout(resolve, oldest + windowMs - Date.now()));
    },
    failed() {
      failures.push(Date.now());
    },
    async close() {},
  };
}
