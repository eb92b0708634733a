import { Refusal } from "./refusal.ts";
import type { Handler } from "./state/state.ts";

/** A route that is not in the spec (wire.md section 6). The other dialect returns a 404. */
export function veniceOnly(handler: Handler): Handler {
  return (state, call) => {
    if (state.dialect.id !== "venice") throw new Refusal(404, `No route ${call.route.id}`);
    return handler(state, call);
  };
}
