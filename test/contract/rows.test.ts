// Every row has a suite with rules for each member. Harmless cases also run against a live service.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type * as z from "zod";
import { type DialectId, dialects, isAbsent } from "../../src/api/dialect/dialect.ts";
import { type Endpoint, memberProblem, routeOf } from "../../src/api/endpoint.ts";
import { rowSuites } from "./rows/rows.ts";
import { suiteOf, withApi } from "./suite/describeRows.ts";
import { rows } from "./suite/rowsOfTable.ts";
import { wireRequestOf } from "./suite/signInKit.ts";
import { type Input, rulesOf, type TransportName, transports } from "./suite/suite.ts";
import { liveTargets, type Target } from "./suite/target.ts";
import { send } from "./suite/wire.ts";

/** Only the service knows good values of these, so the sample has them. */
const handedOut = new Set(["id", "cursor", "url"]);

/** The members that a dialect restricts or omits for a row. */
function restrictedMembers(dialect: DialectId, row: Endpoint): Readonly<Record<string, unknown>> {
  return dialects[dialect].rules[routeOf(row)]?.shape ?? {};
}

describe("the table", () => {
  test("every rule of a dialect names a member of a route", () => {
    for (const { rules } of Object.values(dialects)) {
      for (const [route, { shape }] of Object.entries(rules)) {
        const found = [...rows.values()].filter((row) => routeOf(row) === route);
        const members = found.flatMap(({ input }) =>
          "shape" in input ? Object.keys(input.shape as object) : [],
        );
        const known = new Set(found.length > 0 && members.length === 0 ? Object.keys(shape) : members);
        for (const member of Object.keys(shape)) assert.ok(known.has(member), `${route} ${member}`);
      }
    }
  });

  test("every row has a suite, and every suite a row", () => {
    assert.deepEqual(Object.keys(rowSuites).sort(), [...rows.keys()].sort());
  });

  for (const [name, row] of rows) {
    test(`${name}: each member of its input has a rule with good and bad values`, () => {
      const members = "shape" in row.input ? Object.keys(row.input.shape as object) : [];
      for (const dialect of ["standard", "venice"] as const) {
        const rules = Object.entries(rulesOf(suiteOf(name), dialect));
        assert.deepEqual(rules.map(([member]) => member).sort(), members.sort());
        for (const [member, { good, bad, unfit = [] }] of rules) {
          const isMissing = isAbsent(dialects[dialect], routeOf(row), member);
          assert.ok(good.length > 0 || handedOut.has(member) || isMissing, member);
          assert.ok(bad.length + unfit.length > 0, member);
        }
      }
    });

    test(`${name}: each rule of a dialect refuses a value that the row accepts`, () => {
      const schemas: Readonly<Record<string, z.ZodType>> =
        "shape" in row.input ? (row.input.shape as Record<string, z.ZodType>) : {};
      for (const { id, rules } of Object.values(dialects)) {
        // A route that the dialect does not have is never called.
        if (suiteOf(name).only && suiteOf(name).only !== id) continue;
        for (const member of Object.keys(restrictedMembers(id, row))) {
          const bad = rulesOf(suiteOf(name), id)[member]?.bad ?? assert.fail(member);
          const isAlone = (value: unknown) =>
            schemas[member]?.safeParse(value).success === true &&
            memberProblem(rules, routeOf(row), member, value) !== undefined;
          assert.ok(bad.some(isAlone), `${id} ${member}`);
        }
      }
    });

    test(`${name}: a JSON reply has rules for its required members`, () => {
      const isJson = row.decode === "json" || row.decode === "events";
      assert.equal(suiteOf(name).reply !== undefined, isJson);
    });
  }
});

for (const { name, open } of liveTargets) {
  describe(name, () => {
    let target: Target;
    before(async () => {
      target = await open();
    });
    beforeEach(() => target.settle());
    after(() => target.close());

    for (const [id, row] of rows) {
      const suite = suiteOf(id);
      describe(id, () => {
        for (const transport of Object.keys(transports) as TransportName[]) {
          for (const { name: does, run } of suite.everywhere) {
            test(`${does} (${transport})`, () => withApi(target, transport, (api) => run({ target, api })));
          }
        }
        // A route that this service lacks answers 404 to any key; a path member needs an existing id.
        if (row.auth === "public" || suite.only || typeof suite.sample === "function") return;
        const request = () => wireRequestOf(target, row, suite.sample as Input);
        test("an unknown key is refused", async () => {
          assert.equal((await send(target, { ...(await request()), key: "no-such-key-0000" })).status, 401);
        });
      });
    }
  });
}
