import * as z from "zod";

/** The smallest Unix time in milliseconds; a smaller number is one in seconds (2001 to 33658). */
const leastMs = 1e12;
/** The last time of four digits in ISO 8601. */
const lastMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time as text: ISO 8601, as the spec has it, or a Unix time in seconds or milliseconds, which becomes that. */
export const Timestamp = z.union([z.string(), z.number().transform(toIso)]);

function toIso(time: number, context: z.RefinementCtx): string {
  const ms = Math.abs(time) >= leastMs ? time : time * 1000;
  if (ms >= 0 && ms <= lastMs) return new Date(ms).toISOString();
  context.addIssue({ code: "custom", message: "must be a time" });
  return z.NEVER;
}
