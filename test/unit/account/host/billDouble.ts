// A bill in any currencies behind the client's interface, in memory.
import type { Api } from "../../../../src/api/call/client.ts";
import type { UsageRecord } from "../../../../src/api/endpoints/account/billing.ts";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import type { Table } from "../../../../src/api/table.ts";
import { dayFrom, dayMs, dayOf, daysBetween, dayText } from "../../../../src/shared/time/days.ts";

/** A charge of a bill in units of 1e-9 of its currency. */
export interface Charge {
  readonly atMs: number;
  readonly currency: string;
  readonly nano: number;
  readonly model?: string;
  readonly requestId?: string;
  /** Default: output. */
  readonly part?: "input" | "output";
  /** Id of the key that paid; null for the service's own web app. Default: `key-1`. */
  readonly keyId?: string | null;
}

function recordOf({
  atMs,
  currency,
  nano,
  model = "guide",
  requestId,
  part = "output",
}: Charge): UsageRecord {
  return {
    timestamp: new Date(atMs).toISOString(),
    sku: `${model}-llm-${part}-token`,
    pricePerUnitUsd: 1e-9,
    units: nano,
    amount: -nano / 1e9,
    currency,
    notes: "",
    inferenceDetails: requestId === undefined ? null : { requestId },
  };
}

/** Answers from these charges. `fails` throws in place of an answer, by the name of the call. */
export function billDouble(charges: readonly Charge[], fails: (call: string) => void = () => {}): Api<Table> {
  const sumOf = (some: readonly Charge[], currency: string) =>
    some.filter((one) => one.currency === currency).reduce((sum, { nano }) => sum + nano, 0) / 1e9;
  const billing = {
    async usage({ startDate = "", endDate = "" }, { onItem }: { onItem?: (item: unknown) => void } = {}) {
      fails("usage");
      const [from, to] = [Date.parse(startDate), Date.parse(endDate)];
      const found = charges
        .filter(({ atMs }) => atMs >= from && atMs < to)
        .toSorted((a, b) => a.atMs - b.atMs)
        .map(recordOf);
      for (const record of found) onItem?.(record);
      return { data: found, pagination: { limit: 500, page: 1, total: found.length, totalPages: 1 } };
    },
    async analytics({ startDate = "", endDate = "" }) {
      fails("analytics");
      const [from, to] = [dayFrom(startDate) ?? 0, dayFrom(endDate) ?? 0];
      const ofDay = (day: number) => charges.filter(({ atMs }) => dayOf(atMs) === day);
      const all = charges.filter(({ atMs }) => atMs >= from * dayMs && atMs < (to + 1) * dayMs);
      const unitsOf = (some: readonly Charge[]) => some.reduce((sum, { nano }) => sum + nano, 0);
      const totalsOf = (some: readonly Charge[]) => ({
        totalUsd: sumOf(some, "USD"),
        totalDiem: sumOf(some, "DIEM"),
        totalUnits: unitsOf(some),
      });
      const breakdownOf = (charged: readonly Charge[]) =>
        (["Input", "Output"] as const).map((type) => {
          const some = charged.filter(({ part = "output" }) => part === type.toLowerCase());
          return { type, usd: sumOf(some, "USD"), diem: sumOf(some, "DIEM"), units: unitsOf(some) };
        });
      const models = Map.groupBy(all, ({ model = "guide" }) => model);
      const keys = Map.groupBy(all, ({ keyId = "key-1" }) => keyId);
      return {
        lookback: "",
        byDate: daysBetween(from, to).map((day) => ({
          date: dayText(day),
          USD: sumOf(ofDay(day), "USD"),
          DIEM: sumOf(ofDay(day), "DIEM"),
        })),
        byModel: [...models].map(([modelName, some]) => ({
          ...{ modelName, unitType: "tokens", modelType: "LLM" },
          ...totalsOf(some),
          breakdown: breakdownOf(some),
        })),
        byKey: [...keys].map(([apiKeyId, some]) => ({
          apiKeyId,
          description: apiKeyId?.replace("-", " ") ?? "",
          ...totalsOf(some),
        })),
      };
    },
    async balance() {
      fails("balance");
      return { balances: { usd: 10, diem: 5 } };
    },
  };
  const account = {
    async rateLimits() {
      fails("rateLimits");
      return { data: { balances: { USD: 10, DIEM: 5 } } };
    },
  };
  /** Without a list, the keys are those that usage names. */
  const keys = {
    async list() {
      throw new ApiError("not-found", "No such route");
    },
    async read({ id }: { readonly id: string }) {
      fails("keys");
      return { data: { id, description: id.replace("-", " "), apiKeyType: "INFERENCE" } };
    },
  };
  return { billing, account, keys } as unknown as Api<Table>;
}
