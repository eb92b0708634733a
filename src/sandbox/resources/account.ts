import { json } from "../http/reply.ts";
import type { Handler } from "../state.ts";

/** What everybody starts with; nothing is taken from it yet. */
export const balances = { USD: 25, DIEM: 10 };

/** GET /api_keys/rate_limits (spec E14, wire.md section 6). */
export const rateLimits: Handler = ({ catalog, now }) => {
  const rows = catalog.models.map((model) => {
    const { requests, tokens } = catalog.limitOf(model);
    const perMinute = [{ amount: requests, type: "RPM" }];
    const both = tokens === undefined ? perMinute : [...perMinute, { amount: tokens, type: "TPM" }];
    return { apiModelId: model.id, rateLimits: both };
  });
  return json({
    data: {
      accessPermitted: true,
      apiTier: { id: "paid", isCharged: true },
      balances,
      keyExpiration: null,
      nextEpochBegins: nextMidnight(now()),
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

/** Epochs are UTC days (spec, limitPeriod). */
function nextMidnight(nowMs: number): string {
  const dayMs = 86_400_000;
  return new Date(Math.floor(nowMs / dayMs) * dayMs + dayMs).toISOString();
}
