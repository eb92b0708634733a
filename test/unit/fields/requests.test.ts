import "../vscodeDouble.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { membersOf } from "../../../src/shared/members.ts";
import { commandRuns } from "./commandRuns.ts";
import { runRpc } from "./runRpc.ts";
import { rows, serviceOf } from "./service.ts";
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

/** The answer to any call. */
const answered = { "rpc.call": { jsonrpc: "2.0", id: 1, result: "0x1" } };

for (const { row, path, place } of allPlaces)
  if ("cell" in place)
    test(`a cell sets ${path} of ${row}: ${place.cell.replaceAll("\n", " ⏎ ")}`, async () => {
      const { api, sent } = serviceOf(answered);
      await runRpc(api, place.cell);
      const { url = "", headers = {}, body = "" } = sent.find(({ method }) => method === "POST") ?? {};
      const [inPath = path] = rows[row].path.includes(`{${path}}`) ? url.split("/").slice(-1) : [];
      const value = headers[path] ?? valueAt(JSON.parse(String(body)), path) ?? inPath;
      const [first] = [value].flat();
      assert.ok(place.cell.includes(String(first)), `${value} was sent`);
    });

/** The value of the first element that has one. */
function valueAt(body: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => membersOf(Array.isArray(value) ? value[0] : value)[name], body);
}
