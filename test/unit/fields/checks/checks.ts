import type { Check } from "../check.ts";
import { accountChecks } from "./accountChecks.ts";
import { imageChecks } from "./imageChecks.ts";
import { webChecks } from "./webChecks.ts";

/** Views without a page. */
export const checks: readonly Check[] = [...accountChecks, ...imageChecks, ...webChecks];
