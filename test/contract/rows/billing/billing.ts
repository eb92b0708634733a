import assert from "node:assert/strict";
import { toBytes } from "../../../../src/api/binary.ts";
import { type CallCase, type RowSuite, unsentFailureOf, type World } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { send } from "../../suite/wire.ts";
import { charged, question } from "./charged.ts";
import { csvRows } from "./csv.ts";

/** Runs `spend` in a separate period and returns its range. */
async function during(target: SandboxTarget, spend: () => Promise<unknown>) {
  await target.settle();
  const start = new Date(target.now()).toISOString();
  await spend();
  await target.settle();
  return { start, end: new Date(target.now()).toISOString() };
}

async function chats({ api }: World, count: number): Promise<void> {
  for (let done = 0; done < count; done++) await api.chat.complete(question);
}

const currency = { good: ["USD", "VCU", "DIEM", "BUNDLED_CREDITS"], bad: ["EUR", "usd", ""] };
const dateTime = {
  good: ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z", "2026-01-01T00:00:00+02:00"],
  bad: ["yesterday", "2026-13-01T00:00:00Z", "1790000000"],
};
const usageRules = {
  currency,
  startDate: dateTime,
  endDate: dateTime,
  limit: { good: [1, 200, 500], bad: [0, 501, -1, 1.5, "many"] },
  page: { good: [1, 2, 1_000_000], bad: [0, -1, 1.5, "last"] },
  sortOrder: { good: ["asc", "desc"], bad: ["ASC", "newest"] },
};
/** Venice only, as in its public file (wire.md sections 6 and 11). */
const utc = {
  good: ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z"],
  bad: [...dateTime.bad, "2026-01-01T00:00:00+02:00"],
};
const historyRules = {
  startTimestamp: utc,
  endTimestamp: utc,
  currency: { good: ["USD", "DIEM", "BUNDLED_CREDITS"], bad: ["EUR", "usd", "", "VCU"] },
  pageSize: { good: [10, 1000], bad: [9, 1001, 10.5, "many"] },
  cursor: { good: [], bad: ["", "no such cursor", "a".repeat(513)], unfit: ["no-such-cursor"] },
};
const record = {
  nullable: [
    ...["notes", "inferenceDetails", "inferenceDetails.requestId", "inferenceDetails.promptTokens"],
    ...["inferenceDetails.completionTokens", "inferenceDetails.inferenceExecutionTime"],
  ].map((path) => `data.0.${path}`),
  // An invalid row fails the page, so that no money is left out silently.
  required: [
    ...["data", "data.0"],
    ...["timestamp", "sku", "pricePerUnitUsd", "units", "amount", "currency"].map((path) => `data.0.${path}`),
  ],
};

/** GET /billing/usage (spec E8). */
export const usage: RowSuite = {
  sample: charged,
  only: "standard",
  rules: usageRules,
  reply: {
    nullable: record.nullable,
    required: [
      ...record.required,
      ...["pagination", "pagination.limit", "pagination.page", "pagination.total", "pagination.totalPages"],
    ],
    tolerant: [],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "returns disjoint pages in either order, with their total",
      async run(world) {
        const { target, api } = world;
        const { start, end } = await during(target, () => chats(world, 3));
        const of = (page: number, sortOrder: "asc" | "desc") =>
          api.billing.usage({ startDate: start, endDate: end, limit: 4, page, sortOrder });
        const pages = [await of(1, "asc"), await of(2, "asc"), await of(3, "asc")];
        assert.deepEqual(
          pages.map(({ data }) => data.length),
          [4, 2, 0],
        );
        for (const [index, { pagination }] of pages.entries()) {
          assert.deepEqual(pagination, { limit: 4, page: index + 1, total: 6, totalPages: 2 });
        }
        const ascending = pages.flatMap(({ data }) => data);
        const descending = [...(await of(1, "desc")).data, ...(await of(2, "desc")).data];
        assert.deepEqual(descending, ascending.toReversed());
        const times = ascending.map(({ timestamp }) => Date.parse(timestamp));
        assert.deepEqual(times, times.toSorted());
      },
    },
    {
      name: "returns the newest 200 by default",
      async run({ api, target }) {
        await charged(target);
        const { data, pagination } = await api.billing.usage({});
        assert.deepEqual([pagination.limit, pagination.page], [200, 1]);
        const [newest] = (await api.billing.usage({ sortOrder: "desc", limit: 1 })).data;
        assert.deepEqual(data[0], newest);
      },
    },
    {
      name: "includes the start and excludes the end",
      async run(world) {
        const { target, api } = world;
        const { start, end } = await during(target, () => chats(world, 1));
        const [{ timestamp } = assert.fail()] = (await api.billing.usage({ startDate: start, endDate: end }))
          .data;
        const count = async (startDate: string, endDate: string) =>
          (await api.billing.usage({ startDate, endDate })).pagination.total;
        assert.ok((await count(timestamp, end)) > 0);
        assert.equal(await count(start, timestamp), 0);
      },
    },
    warning(({ api }, of) => api.billing.usage({ currency: of })),
  ],
};

/** GET /billing/usage as CSV. */
export const usageCsv: RowSuite = {
  sample: charged,
  only: "standard",
  rules: usageRules,
  everywhere: [],
  sandboxed: [
    {
      name: "contains the same as the JSON page, with pagination in headers",
      async run(world) {
        const { target, api } = world;
        const { start, end } = await during(target, () => chats(world, 2));
        const query = { startDate: start, endDate: end, limit: 3, page: 1 };
        const json = await api.billing.usage(query);
        const reply = await api.billing.usageCsv(query);
        assert.equal(reply.contentType, "text/csv");
        const names = ["limit", "page", "total", "total-pages"].map((name) =>
          reply.headers.get(`x-pagination-${name}`),
        );
        assert.deepEqual(names, ["3", "1", "4", "2"]);
        assert.deepEqual(csvRows(Buffer.from(await toBytes(reply)).toString()), json.data);
      },
    },
    accepts("/billing/usage"),
  ],
};

/** GET /billing/usage-history (wire.md section 6). */
export const history: RowSuite = {
  sample: charged,
  only: "venice",
  rules: historyRules,
  reply: { nullable: [...record.nullable, "nextCursor"], required: record.required, tolerant: [] },
  everywhere: [],
  sandboxed: [
    {
      name: "pages oldest first by cursor; the last page has none",
      async run(world) {
        const { target, api } = world;
        const { start, end } = await during(target, () => chats(world, 13));
        const first = await api.billing.history({ startTimestamp: start, endTimestamp: end, pageSize: 10 });
        assert.equal(first.data.length, 10);
        const second = await api.billing.history({ cursor: first.nextCursor ?? "" });
        const third = await api.billing.history({ cursor: second.nextCursor ?? "" });
        assert.deepEqual([second.data.length, third.data.length, third.nextCursor], [10, 6, null]);
        const all = [first, second, third].flatMap(({ data }) => data);
        const times = all.map(({ timestamp }) => Date.parse(timestamp));
        assert.deepEqual(times, times.toSorted());
        assert.equal(new Set(all.map(({ inferenceDetails }) => inferenceDetails?.requestId)).size, 13);
      },
    },
    {
      name: "accepts a cursor without filters only",
      async run(world) {
        const { target, api } = world;
        const { start, end } = await during(target, () => chats(world, 6));
        const { nextCursor } = await api.billing.history({
          startTimestamp: start,
          endTimestamp: end,
          pageSize: 10,
        });
        const cursor = nextCursor ?? assert.fail("no second page");
        for (const filter of [{ pageSize: 10 }, { currency: "DIEM" }, { startTimestamp: start }] as const) {
          const query = new URLSearchParams({ cursor, ...filter } as Record<string, string>);
          const reply = await send(target, { path: `/billing/usage-history?${query}` });
          assert.equal(reply.status, 400, String(query));
          const error = await unsentFailureOf(target, () => api.billing.history({ cursor, ...filter }));
          assert.equal(error.kind, "invalid-request");
          assert.deepEqual(error.details.issues?.[0]?.field, "cursor");
        }
      },
    },
    {
      name: "distinguishes DIEM from the former VCU, which is no longer used",
      async run({ api, target }) {
        const messageOf = async (currency: "USD" | "DIEM") =>
          (await api.billing.history({ currency })).warningMessage ?? "";
        assert.equal(await messageOf("USD"), "");
        assert.match(await messageOf("DIEM"), /VCU/);
        const error = await unsentFailureOf(target, () => api.billing.history({ currency: "VCU" }));
        assert.match(error.message, /^currency: one of USD, DIEM, BUNDLED_CREDITS/);
      },
    },
  ],
};

/** GET /billing/usage-history as CSV. */
export const historyCsv: RowSuite = {
  sample: charged,
  only: "venice",
  rules: historyRules,
  everywhere: [],
  sandboxed: [
    {
      name: "contains the same as the JSON pages, with the next cursor in a header",
      async run(world) {
        const { target, api } = world;
        const { start, end } = await during(target, () => chats(world, 6));
        const query = { startTimestamp: start, endTimestamp: end, pageSize: 10 };
        const first = await api.billing.historyCsv(query);
        const cursor = first.headers.get("x-next-cursor") ?? "";
        const second = await api.billing.historyCsv({ cursor });
        assert.equal(second.headers.get("x-next-cursor"), null);
        const texts = [await toBytes(first), await toBytes(second)].map((bytes) =>
          Buffer.from(bytes).toString(),
        );
        const whole = await api.billing.history({ ...query, pageSize: 1000 });
        assert.deepEqual(texts.flatMap(csvRows), whole.data);
      },
    },
    accepts("/billing/usage-history"),
  ],
};

/** spec, warningMessage. */
function warning(
  read: (
    world: World<SandboxTarget>,
    currency: "USD" | "DIEM" | "VCU",
  ) => Promise<{ warningMessage?: string | null | undefined }>,
): CallCase<SandboxTarget> {
  return {
    name: "distinguishes DIEM from the former VCU",
    async run(world) {
      const messageOf = async (of: "USD" | "DIEM" | "VCU") => (await read(world, of)).warningMessage ?? "";
      assert.equal(await messageOf("USD"), "");
      const [diem, vcu] = [await messageOf("DIEM"), await messageOf("VCU")];
      assert.match(diem, /VCU/);
      assert.match(vcu, /VCU/);
      assert.notEqual(diem, vcu);
    },
  };
}

/** spec E8, Accept. */
function accepts(path: string): CallCase<SandboxTarget> {
  return {
    name: "returns CSV only on request",
    async run({ target }) {
      const typeFor = async (accept: string) =>
        (await send(target, { path, headers: { accept } })).headers.get("content-type")?.split(";")[0];
      assert.equal(await typeFor("text/csv"), "text/csv");
      assert.equal(await typeFor("*/*"), "application/json");
      assert.equal(await typeFor("application/json"), "application/json");
      assert.equal(await typeFor("application/json, text/csv"), "application/json");
    },
  };
}
