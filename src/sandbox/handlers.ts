import { completeChat } from "./chat/complete.ts";
import { Refusal } from "./refusal.ts";
import { rateLimitLog, rateLimits } from "./resources/account.ts";
import { listMapping, listModels, listTraits } from "./resources/models.ts";
import type { Handler } from "./state.ts";

/** Who serves which route; test/unit/sandboxRoutes.test.ts holds this to the table. */
export const handlers: Readonly<Record<string, Handler>> = {
  "GET /models": listModels,
  "GET /models/traits": listTraits,
  "GET /models/compatibility_mapping": listMapping,
  "GET /api_keys/rate_limits": rateLimits,
  "GET /api_keys/rate_limits/log": veniceOnly(rateLimitLog),
  "POST /chat/completions": completeChat,
};

/** Routes that the spec does not have (wire.md section 6). */
function veniceOnly(handler: Handler): Handler {
  return (state, call) => {
    if (state.dialect.id !== "venice") throw new Refusal(404, `No route ${call.route.id}`);
    return handler(state, call);
  };
}
