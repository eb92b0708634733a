import "../vscodeDouble.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { membersOf } from "../../../src/shared/members.ts";
import { commandRuns } from "./commandRuns.ts";
import { allPlaces } from "./table/fieldTable.ts";

const steps = allPlaces.flatMap(({ row, side, path, place }) =>
  side === "request" && "command" in place && place.step !== undefined
    ? [{ row, path, command: place.command, step: place.step }]
    : [],
);

for (const { row, path, command, step } of steps) {
  const run = commandRuns[command];
  test(`${command} sets ${path} of ${row}`, async (t) => {
    assert.ok(run, `there is no run of ${command}`);
    const { shown, body } = await run(t, step);
    assert.ok(
      shown.some((text) => text.startsWith(step)),
      `it does not ask "${step}", but: ${shown.join("\n")}`,
    );
    assert.notEqual(valueAt(body, path), undefined, `it sent ${JSON.stringify(body)}`);
  });
}

/** The value of the first element that has one. */
function valueAt(body: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => membersOf(Array.isArray(value) ? value[0] : value)[name], body);
}
