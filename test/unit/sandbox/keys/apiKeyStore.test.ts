// Keys of the sandbox: spec E6, E12 and the key record; wire.md section 6 for venice's additions.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toNano } from "../../../../src/sandbox/billing/ledger/decimal.ts";
import { DailyKeySpend, type KeyTotals } from "../../../../src/sandbox/billing/ledger/keySpend.ts";
import { createApiKeyStore, type KeyRequest } from "../../../../src/sandbox/keys/apiKeyStore.ts";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { createIds } from "../../../../src/sandbox/state/ids.ts";
import { createClock, dayMs, minuteMs } from "../clock.ts";

interface Created {
  readonly id: string;
  readonly apiKey: string;
  readonly [member: string]: unknown;
}

const admin = { id: "admin", secret: "sandbox-admin-1", type: "ADMIN", description: "Admin" } as const;
const plain: KeyRequest = { apiKeyType: "INFERENCE", description: "Tests" };

function open(date?: string) {
  const clock = createClock(date);
  const spend = new DailyKeySpend();
  const book = createApiKeyStore({
    now: clock.now,
    ids: createIds(1),
    spentSince: (keyId, day) => spend.since(keyId, day),
    lastChargeMs: (keyId) => spend.lastAtMs(keyId),
    keys: [admin],
  });
  return {
    clock,
    book,
    create: (wanted: Partial<KeyRequest> = {}) => book.create({ ...plain, ...wanted }) as Created,
    spend: (keyId: string, currency: keyof KeyTotals, amount: number) =>
      spend.add(keyId, clock.now(), currency, toNano(amount)),
  };
}

function refused(status: number, message?: RegExp) {
  return (error: unknown) =>
    error instanceof Refusal && error.status === status && (message?.test(error.message) ?? true);
}

describe("a new key", () => {
  test("shows its secret once, and the requested properties", () => {
    const { create, book } = open();
    const created = create({
      consumptionLimit: { usd: 12.5 },
      limitPeriod: "MONTH",
      expiresAt: "2027-01-01T00:00:00Z",
    });
    const { apiKey, id, ...rest } = created;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(rest, {
      apiKeyType: "INFERENCE",
      description: "Tests",
      consumptionLimit: { usd: 12.5, diem: null },
      limitPeriod: "MONTH",
      expiresAt: "2027-01-01T00:00:00.000Z",
    });
    const read = book.read(id);
    assert.ok(!JSON.stringify(read).includes(apiKey));
    assert.deepEqual(read, {
      id,
      apiKeyType: "INFERENCE",
      description: "Tests",
      consumptionLimits: { usd: 12.5, diem: null },
      limitPeriod: "MONTH",
      createdAt: "2026-08-15T10:00:00.000Z",
      expiresAt: "2027-01-01T00:00:00.000Z",
      lastUsedAt: null,
      last6Chars: apiKey.slice(-6),
      usage: { trailingSevenDays: { usd: "0", vcu: "0", diem: "0" } },
    });
  });

  test("counts by the day and never expires by default", () => {
    const created = open().create();
    assert.equal(created.limitPeriod, "EPOCH");
    assert.equal(created.expiresAt, "");
  });

  test("is found by its secret only, with its type", () => {
    const { create, book, clock } = open();
    const { id, apiKey } = create({ apiKeyType: "ADMIN" });
    clock.advance(5_000);
    assert.deepEqual(book.find(apiKey), { id, secret: apiKey, type: "ADMIN" });
    assert.equal((book.read(id) as Created).lastUsedAt, "2026-08-15T10:00:05.000Z");
    assert.equal(book.find(`${apiKey}x`), undefined);
    assert.equal(book.find(""), undefined);
    assert.deepEqual(book.find(admin.secret), { id: admin.id, secret: admin.secret, type: "ADMIN" });
  });

  test("keeps the deprecated vcu as such, beside diem", () => {
    const { create, book } = open();
    const vcu = create({ consumptionLimit: { vcu: 3 } });
    assert.deepEqual(vcu.consumptionLimit, { usd: null, diem: null, vcu: 3 });
    assert.deepEqual((book.read(vcu.id) as Created).consumptionLimits, { usd: null, diem: null, vcu: 3 });
    const { consumptionLimit } = create({ consumptionLimit: { vcu: 3, diem: 4 } });
    assert.deepEqual(consumptionLimit, { usd: null, diem: 4, vcu: 3 });
    book.update({ id: vcu.id, consumptionLimit: { usd: 1 } });
    assert.deepEqual((book.read(vcu.id) as Created).consumptionLimits, { usd: 1, diem: null, vcu: 3 });
  });

  test("does not expire in the past: a 400 that names the field, and no key", () => {
    const { create, book } = open();
    const isRefused = (error: unknown) =>
      refused(400, /must be in the future/)(error) &&
      (error as Refusal).details.issues?.[0]?.path[0] === "expiresAt";
    const count = book.list().length;
    for (const expiresAt of ["2026-08-15T10:00:00Z", "2026-08-15", "2020-01-01T00:00:00+02:00"])
      assert.throws(() => create({ expiresAt }), isRefused, expiresAt);
    assert.equal(book.list().length, count);
    const { id } = create({ expiresAt: "2026-08-15T10:00:00.001Z" });
    assert.throws(() => book.update({ id, expiresAt: "2026-08-15T09:59:59Z" }), isRefused);
  });
});

test("a key with a charge was used, also if that was before the sandbox started", () => {
  const { create, book, spend, clock } = open();
  const { id, apiKey } = create();
  const lastUsed = () => (book.read(id) as Created).lastUsedAt;
  assert.equal(lastUsed(), null);
  spend(id, "USD", 1);
  assert.equal(lastUsed(), "2026-08-15T10:00:00.000Z");
  clock.advance(5_000);
  book.find(apiKey);
  assert.equal(lastUsed(), "2026-08-15T10:00:05.000Z");
});

describe("limits on creating keys", () => {
  test("20 in a minute", () => {
    const { create, clock } = open();
    for (let n = 0; n < 20; n++) create();
    assert.throws(() => create(), refused(429, /20 requests per minute/));
    clock.advance(minuteMs);
    create();
  });

  test("500 active keys; revoked and expired ones do not count", () => {
    const { create, book, clock } = open();
    const spare = create();
    // One exists from the start.
    for (let n = 0; n < 498; n++) {
      if (n % 19 === 0) clock.advance(minuteMs);
      create(n === 0 ? { expiresAt: "2026-08-20T00:00:00Z" } : {});
    }
    clock.advance(minuteMs);
    assert.throws(() => create(), refused(400, /500 active/));
    book.revoke(spare.id);
    create();
    assert.throws(() => create(), refused(400));
    clock.set("2026-08-20T00:00:00Z");
    create();
  });
});

describe("the limit of a key", () => {
  test("EPOCH resets at the next UTC day", () => {
    const { create, book, spend, clock } = open("2026-08-15T23:59:59.000Z");
    const { id } = create({ consumptionLimit: { usd: 1 } });
    spend(id, "USD", 0.999999999);
    book.checkLimit(id);
    spend(id, "USD", 0.000000001);
    assert.throws(() => book.checkLimit(id), refused(402, /spend limit.*1 USD.*2026-08-16T00:00:00\.000Z/));
    clock.advance(1_000);
    book.checkLimit(id);
  });

  test("in VCU counts DIEM, too, which is its new name", () => {
    const { create, book, spend } = open();
    const { id } = create({ consumptionLimit: { vcu: 2 } });
    spend(id, "DIEM", 1.5);
    spend(id, "USD", 9);
    book.checkLimit(id);
    spend(id, "VCU", 0.5);
    assert.throws(() => book.checkLimit(id), refused(402, /2 VCU/));
  });

  test("MONTH resets on the first of the next UTC month", () => {
    const { create, book, spend, clock } = open("2026-12-01T00:00:00.000Z");
    const { id } = create({ consumptionLimit: { diem: 2 }, limitPeriod: "MONTH" });
    spend(id, "DIEM", 1);
    clock.set("2026-12-31T23:59:59.999Z");
    book.checkLimit(id);
    spend(id, "DIEM", 1);
    assert.throws(() => book.checkLimit(id), refused(402, /2 DIEM.*2027-01-01T00:00:00\.000Z/));
    clock.advance(1);
    book.checkLimit(id);
  });

  test("LIFETIME never resets", () => {
    const { create, book, spend, clock } = open();
    const { id } = create({ consumptionLimit: { usd: 1 }, limitPeriod: "LIFETIME" });
    spend(id, "USD", 0.5);
    clock.advance(400 * dayMs);
    spend(id, "USD", 0.5);
    clock.advance(4_000 * dayMs);
    assert.throws(() => book.checkLimit(id), refused(402));
  });

  test("counts its own currency and its own key", () => {
    const { create, book, spend } = open();
    const { id } = create({ consumptionLimit: { usd: 1 } });
    spend(id, "DIEM", 50);
    spend(admin.id, "USD", 50);
    book.checkLimit(id);
    book.checkLimit(admin.id);
  });

  test("of zero refuses at once", () => {
    const { create, book } = open();
    assert.throws(() => book.checkLimit(create({ consumptionLimit: { diem: 0 } }).id), refused(402));
  });
});

test("a key ends at the instant of its expiry", () => {
  const { create, book, clock } = open();
  const { id, apiKey } = create({ expiresAt: "2026-08-15T10:00:01Z" });
  clock.advance(999);
  assert.equal(book.find(apiKey)?.id, id);
  assert.equal(book.expiresAtMs(id), clock.now() + 1);
  clock.advance(1);
  assert.equal(book.find(apiKey), undefined);
  book.read(id);
});

test("the seven days' usage is today and the six days before, as decimal text", () => {
  const { create, book, spend, clock } = open("2026-08-01T12:00:00Z");
  const { id } = create();
  const usage = () => (book.read(id) as { usage: object }).usage;
  spend(id, "USD", 0.000000001);
  spend(id, "DIEM", 2.5);
  clock.set("2026-08-07T23:59:59Z");
  spend(id, "USD", 1);
  assert.deepEqual(usage(), { trailingSevenDays: { usd: "1.000000001", vcu: "0", diem: "2.5" } });
  clock.advance(1_000);
  assert.deepEqual(usage(), { trailingSevenDays: { usd: "1", vcu: "0", diem: "0" } });
});

describe("changing keys", () => {
  test("changes the named fields only", () => {
    const { create, book } = open();
    const { id } = create({ consumptionLimit: { usd: 1, diem: 2 }, expiresAt: "2027-01-01" });
    book.update({ id, description: "New" });
    const stored = book.read(id) as Created;
    assert.equal(stored.description, "New");
    assert.deepEqual(stored.consumptionLimits, { usd: 1, diem: 2 });
    assert.equal(stored.expiresAt, "2027-01-01T00:00:00.000Z");
    book.update({ id, consumptionLimit: { usd: null }, limitPeriod: "LIFETIME", expiresAt: "" });
    const changed = book.read(id) as Created;
    assert.deepEqual(changed.consumptionLimits, { usd: null, diem: 2 });
    assert.equal(changed.limitPeriod, "LIFETIME");
    assert.equal(changed.expiresAt, null);
  });

  test("a revoked key is deleted, except for its name on the bill", () => {
    const { create, book } = open();
    const { id, apiKey } = create();
    assert.equal(book.list().length, 2);
    book.revoke(id);
    assert.equal(book.find(apiKey), undefined);
    assert.equal(book.list().length, 1);
    assert.equal(book.describe(id), "Tests");
    for (const act of [() => book.read(id), () => book.revoke(id), () => book.update({ id })]) {
      assert.throws(act, refused(404));
    }
  });
});
