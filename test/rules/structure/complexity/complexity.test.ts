import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../../tools/paths.ts";
import { textOf, trackedFiles } from "../../tracked.ts";
import { type Complexity, complexFunctions, complexOfProject, departures } from "./complexity.ts";

const folder = "test/rules/structure/complexity";

test("no function has a cognitive complexity above 15, but for the baseline, which only shrinks", () => {
  const baseline: Complexity = JSON.parse(readFileSync(join(root, folder, "baseline.json"), "utf8"));
  assert.deepEqual(departures(complexOfProject(), baseline), []);
});

test("no comment takes a function out of the count", () => {
  const files = trackedFiles().filter((path) => /^(src|test)\/.*\.tsx?$/.test(path));
  const silent = files.filter((path) =>
    textOf(path)?.includes(`biome-${"ignore"} lint/complexity/noExcessive`),
  );
  assert.deepEqual(
    silent.filter((path) => !path.startsWith(folder)),
    [],
  );
});

test("a function that is new, grown, shrunk or gone differs from the baseline", () => {
  const baseline = { "a.ts": { grown: 20, shrunk: 20, gone: 16, same: 18 }, "gone.ts": { gone: 17 } };
  const now = { "a.ts": { grown: 21, shrunk: 19, same: 18, made: 16 }, "b.ts": { made: 30 } };
  assert.deepEqual(departures(now, baseline), [
    "a.ts: grown has grown from 20 to 21: divide it into named steps",
    "a.ts: shrunk has shrunk from 20 to 19: write that into the baseline",
    "a.ts: made has a cognitive complexity of 16: divide it into named steps",
    "a.ts: gone is no longer above 15: remove it from the baseline",
    "b.ts: made has a cognitive complexity of 30: divide it into named steps",
    "gone.ts: gone is no longer above 15: remove it from the baseline",
  ]);
});

test("names the function of each score, whatever its form", () => {
  assert.deepEqual(complexFunctions([`${folder}/fixtures/forms.ts`]), {
    [`${folder}/fixtures/forms.ts`]: { declared: 16, assigned: 16, "#own": 16, method: 16, map: 21 },
  });
});
