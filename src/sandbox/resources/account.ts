import { dayMs, dayOf } from "../../shared/time/days.ts";
import { nanoNumber } from "../billing/ledger/decimal.ts";
import { json } from "../http/reply.ts";
import type { Handler } from "../state/state.ts";

/** GET /api_keys/rate_limits (spec E14, wire.md section 6). */
export const rateLimits: Handler = ({ catalog, now, billing, keys }, { key }) => {
  const rows = catalog.models.map((model) => {
    const { requests, tokens } = catalog.limitOf(model);
    const perMinute = [{ amount: requests, type: "RPM" }];
    const both = tokens === undefined ? perMinute : [...perMinute, { amount: tokens, type: "TPM" }];
    return { apiModelId: model.id, rateLimits: both };
  });
  const { usd, diem } = billing.account.balances();
  const expiresAtMs = key && keys.expiresAtMs(key.id);
  return json({
    data: {
      accessPermitted: usd > 0 || diem > 0,
      apiTier: { id: "paid", isCharged: true },
      balances: { USD: nanoNumber(usd), DIEM: nanoNumber(diem) },
      keyExpiration: expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString(),
      // Epochs are UTC days (spec, limitPeriod).
      nextEpochBegins: new Date((dayOf(now()) + 1) * dayMs).toISOString(),
      rateLimits: rows,
    },
  });
};

/** GET /api_keys/rate_limits/log: the refusals of this key (wire.md section 6). */
export const rateLimitLog: Handler = ({ rates }, { key }) => {
  const data = rates.refused().flatMap(({ scope, type, atMs }) => {
    const [caller, ...subject] = scope.split(" ");
    if (caller !== key?.id) return [];
    return [
      {
        apiKeyId: caller,
        modelId: subject.join(" "),
        rateLimitTier: "paid",
        rateLimitType: type,
        timestamp: new Date(atMs).toISOString(),
      },
    ];
  });
  return json({ object: "list", data });
};
