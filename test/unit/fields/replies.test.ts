import "../vscodeDouble.ts";
import { test } from "node:test";
import { runCheck, titleOf } from "./check.ts";
import { checks } from "./checks/checks.ts";

for (const check of checks) test(titleOf(check), (t) => runCheck(check, t));
