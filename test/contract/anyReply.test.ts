// Any JSON in place of any reply, under any status, results in a value or an ApiError: no crash, no hang.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { isApiError } from "../../src/api/errors/errors.ts";
import { randomCases } from "../runner/cases.ts";
import { rowSuites } from "./rows/rows.ts";
import { callOf, readToEnd } from "./suite/callOf.ts";
import { valueAt, withValueAt } from "./suite/replies.ts";
import { rows } from "./suite/rowsOfTable.ts";
import { apiOfRow } from "./suite/signInKit.ts";
import { sampleOf, transports } from "./suite/suite.ts";
import { type SandboxTarget, sandboxTargets } from "./suite/target.ts";

const status = fc.oneof(
  fc.constant(200),
  fc.constantFrom(201, 400, 401, 402, 403, 404, 410, 413, 422, 429, 500, 502, 503, 504),
);
/** Members that error bodies and replies are read by; generated often, at any depth. */
const { any } = fc.letrec<{ any: unknown; object: Record<string, unknown> }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
    fc.array(tie("any"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(
    fc.oneof(
      fc.constantFrom(
        ...["error", "message", "details", "issues", "path", "_errors", "customMessage", "data", "choices"],
        ...["delta", "message", "tool_calls", "usage", "id", "result", "networks", "topUpInstructions"],
        ...["pagination", "cost", "service_parameters", "venice_parameters", "__proto__", "constructor"],
      ),
      fc.string(),
    ),
    tie("any"),
    { maxKeys: 4 },
  ),
}));

const runs = 60;
/** Rows whose reply needs work before it can be edited. */
const fewRuns = 15;
/** Timeout of a call that hangs; none of these waits for anything. */
const patienceMs = 120_000;

for (const { name, dialect, open } of sandboxTargets) {
  describe(`any reply, ${name}`, () => {
    let target: SandboxTarget;
    const transport = transports.host();
    before(async () => {
      target = await open();
    });
    beforeEach(() => target.settle());
    after(async () => {
      await target.close();
      await transport.close();
    });

    /** True for a value or an ApiError. */
    async function endsAsExpected(id: string, input: unknown): Promise<void> {
      const signal = AbortSignal.timeout(patienceMs);
      try {
        await readToEnd(
          await callOf(apiOfRow(target, transport, rows.get(id) ?? assert.fail(id)), id)(input),
        );
      } catch (error) {
        assert.ok(isApiError(error), `not an ApiError: ${(error as Error)?.stack ?? error}`);
        assert.ok((error.details.raw?.length ?? 0) <= 65_536);
      }
      assert.ok(!signal.aborted, "it took too long");
    }

    for (const [id, row] of rows) {
      const suite = rowSuites[id] ?? assert.fail(id);
      if (suite.only && suite.only !== dialect) continue;

      test(`${id}: any JSON in place of its reply`, async () => {
        const input = await sampleOf(suite, target);
        await fc.assert(
          fc.asyncProperty(any, status, async (body, code) => {
            await target.settle();
            // Makes waits for a rate-limit window end at once.
            const headers = { "retry-after": "0" };
            target.sandbox.setFaults([{ kind: "status", status: code, body, headers }]);
            await endsAsExpected(id, input);
          }),
          { numRuns: randomCases(runs) },
        );
      });

      test(`${id}: any JSON in place of any of its members`, async () => {
        const { reply } = suite;
        const paths = [...(reply?.nullable ?? []), ...(reply?.required ?? []), ...(reply?.tolerant ?? [])];
        if (paths.length === 0) return;
        const input = await sampleOf(suite, target);
        await fc.assert(
          fc.asyncProperty(any, fc.constantFrom(...paths), async (value, path) => {
            await target.settle();
            const edit = (whole: unknown) =>
              valueAt(whole, path) === undefined ? whole : withValueAt(whole, path, value);
            target.sandbox.setFaults([
              { kind: "edit", edit },
              { kind: "edit-events", edit },
            ]);
            await endsAsExpected(id, input);
          }),
          { numRuns: randomCases(isWork(row) ? fewRuns : runs) },
        );
      });
    }
  });
}

function isWork({ price }: Endpoint): boolean {
  return price.by === "image" || price.by === "characters" || price.by === "request";
}
