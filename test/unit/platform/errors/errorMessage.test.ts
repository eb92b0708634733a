import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError, errorKinds, type NetworkReason } from "../../../../src/api/errors/errors.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";

const reasons: Readonly<Record<NetworkReason, RegExp>> = {
  "name-not-found": /could not be found.*Check the base URL/,
  refused: /refused.*Check the base URL/,
  unreachable: /can't be reached.*Check the network/,
  proxy: /proxy.*can't be used: boom.*Check the proxy.*HTTPS_PROXY/,
  certificate: /certificate.*nothing was sent.*install its root certificate/,
  tls: /No encrypted connection.*nothing was sent.*Check the base URL/,
  reset: /was lost.*Try again/,
  "plain-http": /without TLS.*nothing was sent.*http:\/\//,
  "tls-needed": /expects HTTPS.*https:\/\//,
  "http2-only": /only HTTP\/2.*Allow HTTP\/1\.1/,
  challenge: /checks visitors.*Try another network/,
  portal: /asks you to sign in.*in your browser/,
  redirect: /redirects.*Enter the final address as the base URL/,
  other: /failed: boom.*Try again/,
};

describe("explain", () => {
  for (const kind of errorKinds) {
    it(`describes ${kind} with its cause and a next step`, () => {
      const { sentence } = explain(new ApiError(kind, "boom.", { status: 418 }), { service: "api.example" });
      const [cause, ...steps] = sentence.split(/(?<=[.;]) /);
      assert.ok(cause && steps.length >= 1, sentence);
      assert.match(sentence, /^[A-Z].*\.$|^api\.example .*\.$/);
      assert.doesNotMatch(sentence, /undefined|\.\.| {2}/);
    });
  }

  it("makes no links of a service's text: a link could run a command of the editor", () => {
    // The editor's own pattern (vs/base/common/linkedText.ts).
    const link = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
    const text = "[Sign in again](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22x%22%7D)";
    assert.match(text, link);
    for (const kind of errorKinds) {
      const { sentence } = explain(new ApiError(kind, text, { status: 418 }), { service: text });
      assert.doesNotMatch(sentence, link);
    }
    for (const reason of Object.keys(reasons)) {
      const error = new ApiError("network", text, { reason: reason as NetworkReason, code: text });
      assert.doesNotMatch(explain(error, { service: text }).sentence, link);
    }
    assert.doesNotMatch(explain(new Error(text), { service: "x" }).sentence, link);
  });

  for (const [reason, expected] of Object.entries(reasons)) {
    it(`describes the network reason ${reason}`, () => {
      const error = new ApiError("network", "boom", { reason: reason as NetworkReason });
      const { sentence, actions } = explain(error, { service: "api.example" });
      assert.match(sentence, expected);
      assert.match(sentence, /api\.example/);
      assert.ok(actions.length > 0);
    });
  }

  it("returns a wait as a time, so that a view can count down", () => {
    const limited = explain(new ApiError("rate-limited", "slow down", { status: 429, retryAtMs: 1234 }), {
      service: "x",
    });
    assert.equal(limited.retryAtMs, 1234);
    assert.match(limited.sentence, /after the wait/);
    const down = new ApiError("unavailable", "down", { status: 503, retryAtMs: 1234 });
    assert.equal(explain(down, { service: "x" }).retryAtMs, undefined);
    const vague = explain(new ApiError("rate-limited", "slow down", { status: 429 }), { service: "x" });
    assert.equal(vague.retryAtMs, undefined);
    assert.match(vague.sentence, /Wait a few minutes/);
  });

  it("distinguishes a refused key from a missing one", () => {
    const refused = explain(new ApiError("unauthorized", "bad", { status: 401 }), { service: "x" });
    assert.match(refused.sentence, /^x does not accept this key/);
    const missing = explain(new ApiError("unauthorized", "no connection is set up"), { service: "x" });
    assert.match(missing.sentence, /^No connection is set up\. Set a key/);
    assert.deepEqual(
      missing.actions.map(({ id }) => id),
      ["setKey", "switchConnection", "useSandbox"],
    );
  });

  it("distinguishes an empty account, key limit and wallet", () => {
    const of = (source: "account" | "key-limit" | "wallet") =>
      explain(new ApiError("payment-required", "low", { status: 402, source }), { service: "x" }).sentence;
    assert.match(of("account"), /Top up the balance/);
    assert.match(of("key-limit"), /spending limit/);
    assert.match(of("wallet"), /wallet balance is too low/);
  });

  it("does not suggest the sandbox to a user of the sandbox", () => {
    const error = new ApiError("unavailable", "the sandbox did not start", { mayHaveArrived: false });
    const { actions } = explain(error, { service: "Sandbox", kind: "sandbox" });
    assert.deepEqual(
      actions.map(({ id }) => id),
      ["retry", "diagnose", "showLog"],
    );
  });

  it("limits long and multi-line messages of the service to one sentence", () => {
    const { sentence } = explain(new ApiError("unavailable", `a\n${"b".repeat(900)}`, { status: 503 }), {
      service: "x",
    });
    assert.ok(sentence.length < 450);
    assert.doesNotMatch(sentence, /\n/);
  });

  it("describes an error that is not an ApiError as an internal error", () => {
    const { sentence, actions } = explain(new TypeError("x is not a function"), { service: "x" });
    assert.match(sentence, /Something in this extension went wrong: x is not a function\. Try again/);
    assert.deepEqual(
      actions.map(({ id }) => id),
      ["retry", "showLog"],
    );
  });
});
