// Calls of random kinds, as a window makes them and a service bills them.
import fc from "fast-check";
import type { Model } from "../../../../../src/api/endpoints/models.ts";
import type { ChargeFact, SpendSource } from "../../../../../src/api/money/charge.ts";
import { type PaidCall, upperUsd } from "../../../../../src/api/money/upperPrice.ts";
import type { Budgets } from "../../../../../src/platform/settings.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";

export const connections: readonly Connection[] = ["c-1", "c-2", "c-3"].map((id) => ({
  id,
  name: id,
  kind: "live",
  baseUrl: `https://${id}.example`,
  dialect: "standard",
}));

/** The clock of all windows stands still, so that no day ends among the calls. */
export const now = (): number => Date.parse("2026-03-15T12:00:00Z");

const usdPerCredit = [6.25e-7, 7e-7] as const;

const priced = (id: string, type: string, pricing: object): Model =>
  ({ id, type, model_spec: { pricing, availableContextTokens: 4000, maxCompletionTokens: 1000 } }) as Model;

export const models: readonly Model[] = [
  priced("m", "text", { input: { usd: 1, diem: 1 }, output: { usd: 10, diem: 10 } }),
  priced("n", "text", { input: { usd: 3, diem: 3 }, output: { usd: 15, diem: 15 } }),
  priced("free", "text", { input: { usd: 0, diem: 0 }, output: { usd: 0, diem: 0 } }),
  priced("img", "image", { generation: { usd: 0.02, diem: 0.02 } }),
  priced("tts", "tts", { input: { usd: 30, diem: 30 } }),
];

const placeNames = ["", "app", "web"] as const;
const kinds = [
  "tokens",
  "stated USD",
  "stated DIEM",
  "stated both",
  "free",
  "search",
  "image",
  "speech",
  "rpc",
] as const;
const ends = ["answered", "answered", "answered", "not billed", "maybe billed", "maybe not billed"] as const;

/** One call. `part` is the share of its upper bound that it costs, in thousandths. */
export const callSpec = fc.record({
  kind: fc.constantFrom(...kinds),
  end: fc.constantFrom(...ends),
  connection: fc.nat(2),
  size: fc.integer({ min: 1, max: 400 }),
  part: fc.integer({ min: 0, max: 1000 }),
  folder: fc.constantFrom(...placeNames),
  branch: fc.constantFrom("main", "other"),
  client: fc.constantFrom("chat", "agent", "mcp", "mcp:a", "completion"),
  task: fc.constantFrom("t1", "t2"),
  key: fc.constantFrom("", "aaaaaa", "bbbbbb"),
  /** The window is killed when the service has this call. */
  isFatal: fc.integer({ min: 0, max: 39 }).map((number) => number === 0),
});
export type CallSpec = typeof callSpec extends fc.Arbitrary<infer One> ? One : never;

/** USD that a task may cost, over all connections. */
export const taskCapUsd = 0.6;

/** Each part of the calls that a budget counts, with the test of a call. */
export const scopes = [
  { per: { folder: "app" }, limitUsd: 0.5, has: ({ folder }: CallSpec) => folder === "app" },
  {
    per: { branch: "main", folder: "web" },
    limitUsd: 0.3,
    has: ({ folder, branch }: CallSpec) => folder === "web" && branch === "main",
  },
  { per: { model: "m" }, limitUsd: 0.2, has: (spec: CallSpec) => modelOf(spec) === "m" },
  { per: { client: "agent" }, limitUsd: 0.25, has: ({ client }: CallSpec) => client === "agent" },
  { per: { client: "mcp:a" }, limitUsd: 0.2, has: ({ client }: CallSpec) => client === "mcp:a" },
  { per: { key: "bbbbbb" }, limitUsd: 0.4, has: ({ key }: CallSpec) => key === "bbbbbb" },
] as const;

export const dayUsd = 1;
export const monthUsd = 1.2;

export const budgets: Budgets = {
  dayUsd,
  monthUsd,
  hardStop: true,
  parts: {
    scoped: scopes.map(({ per, limitUsd }, index) => ({
      per,
      limitUsd,
      period: index % 2 === 0 ? "day" : "month",
      onReach: "stop",
    })),
    faults: [],
  },
};

function modelOf({ kind }: CallSpec): string | undefined {
  switch (kind) {
    case "tokens":
    case "stated DIEM":
      return "m";
    case "stated USD":
    case "stated both":
      return "n";
    case "free":
      return "free";
    case "image":
      return "img";
    case "speech":
      return "tts";
    default:
      return undefined;
  }
}

function sourceOf({ client, folder, branch, task }: CallSpec): SpendSource {
  const resource = JSON.stringify({ folder, branch });
  if (client === "agent") return { kind: "chat", resource, task: { id: task, round: 1, capUsd: taskCapUsd } };
  const [kind, own] = client.split(":") as [SpendSource["kind"], string?];
  return { kind, resource, ...(own === undefined ? {} : { client: own }) };
}

/** The call before it is sent. */
export function paidCallOf(spec: CallSpec): PaidCall {
  const { kind, size, key } = spec;
  const about = { source: sourceOf(spec), ...(key === "" ? {} : { keyEnding: key }) };
  const model = modelOf(spec);
  switch (kind) {
    case "search":
      return { endpoint: "augment.search", price: { by: "request", usd: 0.01 }, input: {}, ...about };
    case "rpc": {
      const body = { jsonrpc: "2.0", id: 1, method: "eth_call", params: [] };
      const input = { network: "ethereum-mainnet", body: Array.from({ length: size }, () => body) };
      return { endpoint: "rpc.call", price: { by: "credits" }, input, ...about };
    }
    case "image":
      return { endpoint: "images.generate", price: { by: "image" }, input: { model }, ...about };
    case "speech":
      return {
        endpoint: "audio.speech",
        price: { by: "characters" },
        input: { model, input: "x".repeat(size) },
        ...about,
      };
    default: {
      const messages = [{ role: "user", content: "Hi" }];
      const input = { model, messages, max_completion_tokens: size };
      return { endpoint: "chat.stream", price: { by: "tokens" }, input, ...about };
    }
  }
}

/** What the service says of its price, and millionths of a dollar or a DIEM that it bills. */
export interface Billed {
  readonly micros: number;
  readonly fact: ChargeFact;
  readonly model: string | undefined;
}

export function billOf(spec: CallSpec): Billed {
  const { kind, size, part } = spec;
  const upper = upperUsd(paidCallOf(spec), { models, usdPerCredit }) ?? 0;
  const share = Math.floor((Math.floor(upper * 1e6) * part) / 1000);
  const about = { model: modelOf(spec) };
  const stated = (cost: object): Billed => ({
    ...about,
    micros: share,
    fact: { by: "tokens", cost } as ChargeFact,
  });
  switch (kind) {
    case "tokens": {
      const completion = Math.floor((size * part) / 1000);
      const usage = { prompt_tokens: 2, completion_tokens: completion, total_tokens: completion + 2 };
      return { ...about, micros: 2 + completion * 10, fact: { by: "tokens", usage } };
    }
    case "free": {
      const usage = { prompt_tokens: size, completion_tokens: size, total_tokens: 2 * size };
      return { ...about, micros: 0, fact: { by: "tokens", usage } };
    }
    case "stated USD":
      return stated({ usd: share / 1e6 });
    case "stated DIEM":
      return stated({ usd: 0, diem: share / 1e6 });
    case "stated both":
      return stated({ usd: share / 1e6, diem: share / 1e6 });
    case "search":
      return { ...about, micros: 10_000, fact: { by: "request", usd: 0.01 } };
    case "image":
      return { ...about, micros: 20_000, fact: { by: "image", inputs: 1 } };
    case "speech":
      return { ...about, micros: size * 30, fact: { by: "characters", characters: size } };
    case "rpc":
      return {
        ...about,
        micros: share,
        fact: { by: "credits", credits: 1, usd: share / 1e6, replayed: false },
      };
  }
}
