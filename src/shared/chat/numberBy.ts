import * as z from "zod";
import type { NumberRule } from "./chatParameters.ts";

/** The schema of a number within the bounds of its parameter. */
export function numberBy(rule: NumberRule): z.ZodNumber {
  const bounded = z
    .number()
    .min(rule.min)
    .max(rule.max ?? Number.MAX_SAFE_INTEGER);
  return rule.isWhole ? bounded.int() : bounded;
}
