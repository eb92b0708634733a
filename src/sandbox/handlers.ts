import { completeChat } from "./chat/complete.ts";
import { rateLimits } from "./resources/account.ts";
import { listMapping, listModels, listTraits } from "./resources/models.ts";
import type { Handler } from "./state.ts";

/** Who serves which route; test/unit/sandboxRoutes.test.ts holds this to the table. */
export const handlers: Readonly<Record<string, Handler>> = {
  "GET /models": listModels,
  "GET /models/traits": listTraits,
  "GET /models/compatibility_mapping": listMapping,
  "GET /api_keys/rate_limits": rateLimits,
  "POST /chat/completions": completeChat,
};
