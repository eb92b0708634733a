import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { usdAmount, usdText } from "../../../../src/rpc/output/usdText.ts";
import { CreditPrice, usdMost, usdRange } from "../../../../src/rpc/run/plan/money.ts";

const standard = dialects.standard.usdPerCredit;

test("the value of credits in USD is not rounded to zero (spec E3, billing rule 4)", () => {
  assert.equal(usdText(20 * 6.25e-7), "0.0000125");
  assert.equal(usdText(25 * 6.25e-7), "0.0000156");
  assert.equal(usdText(80 * 6.25e-7), "0.00005");
  assert.equal(usdText(0), "0");
  assert.equal(usdText(1.25), "1.25");
  assert.equal(usdText(1234.5), "1234.5");
  assert.equal(usdRange(20, standard), "≈ 0.0000125 to 0.000014 USD");
  assert.equal(usdRange(0, standard), "≈ 0 USD");
});

test("the sandbox's money is called play money in every price", () => {
  assert.equal(usdAmount(0.0000125, true), "0.0000125 USD play money");
  assert.equal(usdRange(20, standard, true), "≈ 0.0000125 to 0.000014 USD play money");
  assert.equal(usdMost(20, standard, true), "0.000014 USD play money");
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
  };
  const price = new CreditPrice(session, () => "venice");
  const most = () => usdRange(20, price.now());
  const [range, one] = ["≈ 0.0000125 to 0.000014 USD", "≈ 0.000014 USD"];
  assert.equal(most(), range);
  listeners.heard?.({ connection: session.active, event: { type: "dialect", dialect: dialects.venice } });
  assert.equal(most(), one);
  assert.equal(usdMost(20, price.now()), "0.000014 USD");
  listeners.heard?.({ connection: { id: "b" }, event: { type: "dialect", dialect: dialects.standard } });
  assert.equal(price.isPlayMoney, false);
  assert.equal(most(), one, "what another connection learnt is not this one's");
  listeners.active?.(undefined);
  assert.equal(most(), range);
  session.active = connection("venice", "https://example.com");
  assert.equal(most(), one);
  session.active = connection("standard", "https://example.com");
  assert.equal(most(), range);
  session.active = connection("auto", "", "sandbox");
  assert.equal(price.isPlayMoney, true);
  assert.equal(most(), one);
  session.active = undefined;
  assert.equal(most(), range);
  price.dispose();
  assert.deepEqual(listeners, {});
});
