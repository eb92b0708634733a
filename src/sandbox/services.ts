import { completeChat } from "./chat/complete.ts";
import { rateLimitLog, rateLimits } from "./resources/account.ts";
import { listMapping, listModels, listTraits } from "./resources/models.ts";
import type { Services } from "./service.ts";
import { veniceOnly } from "./veniceOnly.ts";

/** Who serves which route; test/unit/sandbox/routes.test.ts holds this to the table. */
export function createServices(): Services {
  return {
    "GET /models": { handle: listModels },
    "GET /models/traits": { handle: listTraits },
    "GET /models/compatibility_mapping": { handle: listMapping },
    "GET /api_keys/rate_limits": { handle: rateLimits },
    "GET /api_keys/rate_limits/log": { handle: veniceOnly(rateLimitLog) },
    "POST /chat/completions": { handle: completeChat, modelType: "text" },
  };
}
