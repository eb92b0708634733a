import { Refusal } from "./refusal.ts";
import type { Handler } from "./state.ts";

/** A route that the spec does not have (wire.md section 6): elsewhere it is not found. */
export function veniceOnly(handler: Handler): Handler {
  return (state, call) => {
    if (state.dialect.id !== "venice") throw new Refusal(404, `No route ${call.route.id}`);
    return handler(state, call);
  };
}
