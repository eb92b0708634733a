import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { priceOf, usdText } from "../../../../src/rpc/output/usdText.ts";
import { CreditPrice, mostPrice, priceRange } from "../../../../src/rpc/run/plan/money.ts";

const standard = dialects.standard.usdPerCredit;

test("the value of credits in USD is not rounded to zero (spec E3, billing rule 4)", () => {
  assert.equal(usdText(20 * 6.25e-7), "0.0000125");
  assert.equal(usdText(25 * 6.25e-7), "0.0000156");
  assert.equal(usdText(80 * 6.25e-7), "0.00005");
  assert.equal(usdText(0), "0");
  assert.equal(usdText(1.25), "1.25");
  assert.equal(usdText(1234.5), "1234.5");
  assert.equal(priceRange(20, standard), "≈ $0.0000125 to $0.000014");
  assert.equal(priceRange(0, standard), "≈ $0");
});

test("the sandbox's money is called play money in every price", () => {
  const unit = { isPlayMoney: true };
  assert.equal(priceOf(0.0000125, unit), "$0.0000125 play money");
  assert.equal(priceRange(20, standard, unit), "≈ $0.0000125 to $0.000014 play money");
  assert.equal(mostPrice(20, standard, unit), "$0.000014 play money");
});

test("an account that pays in DIEM has its prices in DIEM", () => {
  const unit = { isPlayMoney: true, isDiem: true };
  assert.equal(priceOf(0.0000125, { isDiem: true }), "0.0000125 DIEM");
  assert.equal(priceRange(20, standard, unit), "≈ 0.0000125 to 0.000014 DIEM play money");
  assert.equal(priceRange(20, dialects.venice.usdPerCredit, unit), "≈ 0.000014 DIEM play money");
  assert.equal(mostPrice(20, standard, unit), "0.000014 DIEM play money");
});

test("the price of a credit follows the dialect: set, detected by the address, or learnt", () => {
  const listeners: Record<string, ((event: unknown) => void) | undefined> = {};
  const on = (name: string) => (listener: (event: never) => unknown) => {
    listeners[name] = listener as (event: unknown) => void;
    return { dispose: () => delete listeners[name] };
  };
  const connection = (
    dialect: "auto" | "standard" | "venice",
    baseUrl: string,
    kind: "live" | "sandbox" = "live",
  ) => ({
    ...{ id: "a", name: "a", kind, baseUrl, dialect },
  });
  const session = {
    active: connection("auto", "https://example.com") as ReturnType<typeof connection> | undefined,
    onDidReceive: on("heard"),
    onDidChangeActive: on("active"),
    onDidSpend: on("spent"),
  };
  const price = new CreditPrice(session, () => "venice");
  const most = () => priceRange(20, price.now());
  const [range, one] = ["≈ $0.0000125 to $0.000014", "≈ $0.000014"];
  assert.equal(most(), range);
  listeners.heard?.({ connection: session.active, event: { type: "dialect", dialect: dialects.venice } });
  assert.equal(most(), one);
  assert.equal(mostPrice(20, price.now()), "$0.000014");
  listeners.heard?.({ connection: { id: "b" }, event: { type: "dialect", dialect: dialects.standard } });
  assert.deepEqual(price.unit, { isPlayMoney: false, isDiem: false });
  listeners.spent?.({ connection: { id: "b" }, totals: { paidIn: "DIEM" } });
  assert.equal(price.unit.isDiem, false, "what pays for another connection");
  listeners.spent?.({ connection: session.active, totals: { paidIn: "DIEM" } });
  assert.equal(price.unit.isDiem, true);
  listeners.spent?.({ connection: session.active, totals: {} });
  assert.equal(most(), one, "what another connection learnt is not this one's");
  listeners.active?.(undefined);
  assert.equal(most(), range);
  session.active = connection("venice", "https://example.com");
  assert.equal(most(), one);
  session.active = connection("standard", "https://example.com");
  assert.equal(most(), range);
  session.active = connection("auto", "", "sandbox");
  assert.deepEqual(price.unit, { isPlayMoney: true, isDiem: false });
  assert.equal(most(), one);
  session.active = undefined;
  assert.equal(most(), range);
  price.dispose();
  assert.deepEqual(listeners, {});
});
