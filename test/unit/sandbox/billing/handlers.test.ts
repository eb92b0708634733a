// Keys and billing as the running sandbox serves them, in both dialects (spec E1, E6, E8, E12; wire.md section 6).
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestSandbox, type TestSandbox } from "../../../serviceKit/testSandbox.ts";
import { createClock, dayMs } from "../clock.ts";

const clock = createClock();
const running = new Map<"standard" | "venice", TestSandbox>();

before(async () => {
  for (const dialect of ["standard", "venice"] as const) {
    const history = { count: 1_234, days: 3 };
    running.set(dialect, await startTestSandbox({ dialect, clock: clock.now, limits: "none", history }));
  }
});
after(() => Promise.all([...running.values()].map((sandbox) => sandbox.close())));

interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly accept?: string;
}

async function ask(
  dialect: "standard" | "venice",
  path: string,
  { method = "GET", body, key, accept }: Ask = {},
) {
  const sandbox = running.get(dialect);
  assert.ok(sandbox);
  const response = await fetch(`${sandbox.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key ?? sandbox.apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(accept ? { accept } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

function newKey(dialect: "standard" | "venice", wanted: object = {}) {
  const body = { apiKeyType: "INFERENCE", description: "Tests", ...wanted };
  return ask(dialect, "/api_keys", { method: "POST", body });
}

describe("GET /billing/usage", () => {
  test("as JSON: page, totals, and a notice where needed", async () => {
    const { json } = await ask("standard", "/billing/usage?limit=500&page=3&sortOrder=asc");
    const { data, pagination, ...rest } = json();
    assert.equal(data.length, 234);
    assert.deepEqual(pagination, { limit: 500, page: 3, total: 1_234, totalPages: 3 });
    assert.deepEqual(rest, {});
    const diem = await ask("standard", "/billing/usage?currency=DIEM");
    assert.match(diem.json().warningMessage, /formerly VCU/);
  });

  test("as CSV: a header row on each page, the totals in headers", async () => {
    for (const [page, rows] of [
      [1, 500],
      [3, 234],
      [4, 0],
    ]) {
      const { text, headers } = await ask("standard", `/billing/usage?limit=500&page=${page}`, {
        accept: "text/csv",
      });
      assert.match(headers.get("content-type") ?? "", /^text\/csv/);
      assert.equal(text.split("\r\n").length, 1 + (rows ?? 0) + 1);
      assert.match(text, /^timestamp,sku,/);
      const pages = ["limit", "page", "total", "total-pages"].map((name) =>
        headers.get(`x-pagination-${name}`),
      );
      assert.deepEqual(pages, ["500", String(page), "1234", "3"]);
    }
  });

  test("is retired on venice, with its successor named", async () => {
    const { status, headers } = await ask("venice", "/billing/usage");
    assert.equal(status, 410);
    assert.equal(headers.get("link"), '</api/v1/billing/usage-history>; rel="successor-version"');
  });

  test("is for ADMIN keys", async () => {
    const key = running.get("standard")?.inferenceKey ?? "";
    const { status, json } = await ask("standard", "/billing/usage", { key });
    assert.equal(status, 401);
    assert.match(json().error, /Admin API key required/);
  });
});

describe("GET /billing/usage-history", () => {
  test("pages by cursor to the end, which is in a header for CSV", async () => {
    let path: string | undefined = "/billing/usage-history?pageSize=1000";
    const seen: number[] = [];
    for (let csv = true; path !== undefined; csv = !csv) {
      const { text, headers, json } = await ask("venice", path, csv ? { accept: "text/csv" } : {});
      seen.push(csv ? text.split("\r\n").length - 2 : json().data.length);
      const cursor: string | null = csv ? headers.get("x-next-cursor") : json().nextCursor;
      path = cursor === null ? undefined : `/billing/usage-history?cursor=${cursor}`;
    }
    assert.deepEqual(seen, [1_000, 234]);
  });

  test("refuses a filter beside the cursor, and invalid page sizes", async () => {
    const { json } = await ask("venice", "/billing/usage-history?pageSize=10");
    const { nextCursor } = json();
    for (const query of [`cursor=${nextCursor}&pageSize=10`, "pageSize=9", "pageSize=1001", "cursor=x"]) {
      assert.equal((await ask("venice", `/billing/usage-history?${query}`)).status, 400, query);
    }
  });
});

test("routes of venice only are not found in the other dialect", async () => {
  const { id } = (await newKey("standard")).json().data;
  const asked: readonly (readonly [path: string, ask: Ask])[] = [
    ["/billing/usage-history", {}],
    ["/billing/balance", {}],
    ["/api_keys", {}],
    ["/api_keys", { method: "PATCH", body: { id, description: "x" } }],
    [`/api_keys?id=${id}`, { method: "DELETE" }],
  ];
  for (const [path, how] of asked) assert.equal((await ask("standard", path, how)).status, 404, path);
  assert.equal((await ask("standard", `/api_keys/${id}`)).json().data.description, "Tests");
});

test("keys are listed, changed and revoked on venice", async () => {
  const { id, apiKey } = (await newKey("venice")).json().data;
  const change = { id, description: "Changed", limitPeriod: "MONTH", consumptionLimit: { usd: 3 } };
  assert.equal((await ask("venice", "/api_keys", { method: "PATCH", body: change })).json().success, true);
  const listed: { id: string; description: string }[] = (await ask("venice", "/api_keys")).json().data;
  assert.equal(listed.find((key) => key.id === id)?.description, "Changed");
  assert.equal((await ask("venice", "/api_keys/rate_limits", { key: apiKey })).status, 200);
  assert.equal((await ask("venice", `/api_keys?id=${id}`, { method: "DELETE" })).json().success, true);
  assert.equal((await ask("venice", "/api_keys/rate_limits", { key: apiKey })).status, 401);
  assert.equal((await ask("venice", `/api_keys/${id}`)).status, 404);
});

for (const dialect of ["standard", "venice"] as const) {
  test(`on ${dialect}, a chat is on the bill, reaches the key's limit of the day, and ends with the key`, async () => {
    const expiresAt = new Date(clock.now() + 2 * dayMs).toISOString();
    const { id, apiKey } = (await newKey(dialect, { consumptionLimit: { diem: 1e-9 }, expiresAt })).json()
      .data;
    const chat = () => {
      const body = { model: "echo", messages: [{ role: "user", content: "hello" }] };
      return ask(dialect, "/chat/completions", { method: "POST", key: apiKey, body });
    };
    assert.equal((await chat()).status, 200);
    const capped = await chat();
    assert.equal(capped.status, 402);
    assert.match(capped.json().error, /spend limit/);
    const { usage } = (await ask(dialect, `/api_keys/${id}`)).json().data;
    assert.match(usage.trailingSevenDays.diem, /^0\.\d*[1-9]$/);
    clock.advance(dayMs);
    assert.equal((await chat()).status, 200);
    const { data } = (await ask(dialect, `/api_keys/${id}`)).json();
    const analytics = (await ask(dialect, "/billing/usage-analytics?lookback=90d")).json();
    const row = analytics.byKey.find(({ apiKeyId }: { apiKeyId: string }) => apiKeyId === id);
    assert.equal(String(row.totalDiem), String(Number(data.usage.trailingSevenDays.diem)));
    clock.advance(dayMs);
    assert.equal((await chat()).status, 401);
  });
}
