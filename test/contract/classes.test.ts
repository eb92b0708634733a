// A second copy of what the spec and wire.md say of each row in addition to its members: key types, retry class, price
// and wallets. The other suites read these from the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rows } from "./suite/rowsOfTable.ts";

const flat = "request 0.01";
const expected: Readonly<Record<string, string>> = {
  "models.list": "GET /models public reading nothing",
  "models.read": "GET /models/{id} public reading nothing",
  "models.traits": "GET /models/traits public reading nothing",
  "models.compatibilityMapping": "GET /models/compatibility_mapping public reading nothing",
  "account.rateLimits": "GET /api_keys/rate_limits inference reading nothing",
  "account.rateLimitLog": "GET /api_keys/rate_limits/log inference reading nothing",
  "chat.complete": "POST /chat/completions inference unanswered tokens",
  "chat.stream": "POST /chat/completions inference unanswered tokens",
  "keys.create": "POST /api_keys admin billed nothing",
  "keys.read": "GET /api_keys/{id} admin reading nothing",
  "keys.list": "GET /api_keys admin reading nothing",
  "keys.update": "PATCH /api_keys admin reading nothing",
  "keys.revoke": "DELETE /api_keys admin reading nothing",
  "billing.usage": "GET /billing/usage admin reading nothing",
  "billing.usageCsv": "GET /billing/usage admin reading nothing",
  "billing.history": "GET /billing/usage-history admin reading nothing",
  "billing.historyCsv": "GET /billing/usage-history admin reading nothing",
  "billing.analytics": "GET /billing/usage-analytics admin reading nothing",
  "billing.balance": "GET /billing/balance admin reading nothing",
  "rpc.call": "POST /crypto/rpc/{network} inference keyed credits wallet",
  "rpc.networks": "GET /crypto/rpc/networks public reading nothing",
  "images.generate": "POST /images/generations or /image/generations inference billed image",
  "images.edit": "POST /image/edit inference billed image wallet",
  "images.multiEdit": "POST /image/multi-edit inference billed image wallet",
  "audio.speech": "POST /audio/speech inference billed characters wallet",
  "audio.createVoice": "POST /audio/voices inference billed nothing",
  "embeddings.create": "POST /embeddings inference billed inputTokens",
  "augment.search": `POST /augment/search inference billed ${flat}`,
  "augment.scrape": `POST /augment/scrape inference billed ${flat}`,
  "augment.parse": `POST /augment/text-parser inference billed ${flat}`,
  "augment.parseText": `POST /augment/text-parser inference billed ${flat}`,
  "wallet.balance": "GET /x402/balance/{address} wallet reading nothing wallet",
  "wallet.transactions": "GET /x402/transactions/{address} wallet reading nothing wallet",
};

test("every row has the class that the spec gives it", () => {
  const actual = [...rows].map(([name, { method, path, otherPath, auth, resend, price, wallet }]) => {
    const paths = otherPath ? `${path} or ${otherPath}` : path;
    const cost = price.by === "request" ? `${price.by} ${price.usd}` : price.by;
    return [name, `${method} ${paths} ${auth} ${resend} ${cost}${wallet ? " wallet" : ""}`] as const;
  });
  assert.deepEqual(Object.fromEntries(actual), expected);
});
