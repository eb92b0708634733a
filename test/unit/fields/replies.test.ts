import "../vscodeDouble.ts";
import { test } from "node:test";
import { runCheck } from "./check.ts";
import { checks } from "./checks/checks.ts";

for (const check of checks)
  test(`${check.view} shows the members of ${check.row}`, (t) => runCheck(check, t));
