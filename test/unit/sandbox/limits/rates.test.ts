// The sandbox's windows to the millisecond: rates of a minute, failures of 30 seconds (spec, Limits and Errors).
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFailureBudget } from "../../../../src/sandbox/limits/failures.ts";
import { createRates } from "../../../../src/sandbox/limits/rates.ts";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";

function clockAt(start: number) {
  let ms = start;
  return {
    now: () => ms,
    pass(by: number) {
      ms += by;
    },
  };
}

function isRefused(run: () => void): boolean {
  try {
    run();
    return false;
  } catch (error) {
    assert.ok(error instanceof Refusal && error.status === 429);
    return true;
  }
}

for (const [dialect, budget] of [
  ["standard", 20],
  ["venice", 50],
] as const) {
  test(`${dialect}: ${budget} failures within 30 seconds block further requests for 30 seconds`, () => {
    const clock = clockAt(1_000_000);
    const failures = createFailureBudget(dialect, clock.now);
    const isClosed = () => isRefused(() => failures.check("ann"));
    for (let count = 0; count < budget; count++) failures.count("ann", 400);
    assert.equal(failures.left("ann").failures, 0);
    assert.equal(failures.left("ann").resetsAtMs, 1_030_000);
    clock.pass(29_999);
    assert.equal(isClosed(), false);
    failures.count("ann", 429);
    failures.count("ann", 200);
    assert.equal(isClosed(), false, "neither counts");
    failures.count("ann", 500);
    assert.equal(isClosed(), true);
    assert.equal(
      isRefused(() => failures.check("ben")),
      false,
    );
    clock.pass(29_999);
    assert.equal(isClosed(), true);
    clock.pass(1);
    assert.equal(isClosed(), false);
    assert.equal(failures.left("ann").failures, budget, "it begins anew");
  });

  test(`${dialect}: failures of more than 30 seconds ago do not count`, () => {
    const clock = clockAt(1_000_000);
    const failures = createFailureBudget(dialect, clock.now);
    for (let count = 0; count < budget; count++) failures.count("ann", 400);
    clock.pass(30_000);
    failures.count("ann", 400);
    assert.equal(
      isRefused(() => failures.check("ann")),
      false,
    );
    assert.equal(failures.left("ann").failures, budget - 1);
  });
}

test("a window of requests and tokens lasts a minute from its first request", () => {
  const clock = clockAt(5_000);
  const rates = createRates(clock.now, true);
  const limit = { requests: 2, tokens: 100 };
  rates.take("ann echo", limit);
  assert.equal(rates.read("ann echo", limit).resetsAtMs, 65_000);
  clock.pass(59_999);
  rates.take("ann echo", limit);
  assert.equal(
    isRefused(() => rates.take("ann echo", limit)),
    true,
  );
  assert.equal(
    isRefused(() => rates.take("ann long", limit)),
    false,
  );
  clock.pass(1);
  rates.take("ann echo", limit);
  rates.spend("ann echo", 99);
  assert.equal(
    isRefused(() => rates.take("ann echo", limit)),
    false,
  );
  rates.spend("ann echo", 1);
  clock.pass(1000);
  assert.equal(rates.read("ann echo", limit).tokensLeft, 0);
  assert.deepEqual(
    rates.refused().map(({ scope, type }) => [scope, type]),
    [["ann echo", "RPM"]],
  );
});

test("rates that are not enforced are not counted", () => {
  const rates = createRates(() => 0, false);
  for (let count = 0; count < 5; count++) rates.take("ann", { requests: 2 });
  assert.equal(rates.read("ann", { requests: 7 }).requestsLeft, 7);
});

test("the request log contains no credential, and at most 500 requests", async (t) => {
  const sandbox = await startTestSandbox({ limits: "none", nodes: false });
  t.after(() => sandbox.close());
  const headers = {
    authorization: `Bearer ${sandbox.apiKey}`,
    "X-Sign-In-With-X": "canary-wallet-one",
    "SIGN-IN-WITH-X": "canary-wallet-two",
    cookie: "canary=cookie",
  };
  for (let count = 0; count < 510; count++)
    await (await fetch(`${sandbox.baseUrl}/models`, { headers })).text();
  assert.equal(sandbox.requests.length, 500);
  assert.equal(sandbox.requestCount, 510);
  const reported = JSON.stringify(sandbox.requests);
  assert.ok(!reported.includes(sandbox.apiKey) && !reported.includes("canary"));
});
