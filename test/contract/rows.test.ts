import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { toWire } from "../../src/api/dialect.ts";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { callOf, readToEnd } from "./callOf.ts";
import { derivedCases } from "./derived.ts";
import { replyCases } from "./replyCases.ts";
import { rowSuites } from "./rows/rows.ts";
import { rows } from "./rowsOfTable.ts";
import {
  apiOf,
  failureOf,
  type Input,
  type RowSuite,
  type Rule,
  rulesOf,
  sampleOf,
  type TransportName,
  transports,
} from "./suite.ts";
import { liveTargets, type SandboxTarget, sandboxTargets, type Target } from "./target.ts";
import { toWireRequest } from "./toWireRequest.ts";
import { fieldsNamed, send } from "./wire.ts";

/** Good values of these come from the service alone: they stand in the sample. */
const handedOut = new Set(["id", "cursor"]);

describe("the table", () => {
  test("every row has a suite, and every suite a row", () => {
    assert.deepEqual(Object.keys(rowSuites).sort(), [...rows.keys()].sort());
  });

  for (const [name, row] of rows) {
    test(`${name}: each member of its input has a rule, with values on both sides of it`, () => {
      const members = "shape" in row.input ? Object.keys(row.input.shape as object) : [];
      for (const dialect of ["standard", "venice"] as const) {
        const rules = Object.entries(rulesOf(suiteOf(name), dialect));
        assert.deepEqual(rules.map(([member]) => member).sort(), members.sort());
        for (const [member, { good, bad }] of rules) {
          assert.ok(good.length > 0 || handedOut.has(member), member);
          assert.ok(bad.length > 0, member);
        }
      }
    });

    test(`${name}: what its reply must hold is said, if it is JSON`, () => {
      const isJson = row.decode === "json" || row.decode === "events";
      assert.equal(suiteOf(name).reply !== undefined, isJson);
    });
  }
});

for (const { name, dialect, open } of sandboxTargets) {
  describe(name, () => {
    let target: SandboxTarget;
    before(async () => {
      target = await open();
    });
    beforeEach(() => target.settle());
    after(() => target.close());

    for (const [id, row] of rows) {
      const suite = suiteOf(id);
      describe(id, () => {
        if (suite.only && suite.only !== dialect) {
          test("is not there", () => checkAbsent(target, id, row, suite));
          return;
        }
        for (const transport of Object.keys(transports) as TransportName[]) {
          const calls = [...suite.everywhere, ...suite.sandboxed];
          for (const { name: does, run } of calls) {
            test(`${does} (${transport})`, () => withApi(target, transport, (api) => run({ target, api })));
          }
        }
        for (const { name: rule, run } of derivedCases(row, suite)) test(rule, () => run(target));
        for (const [member, rule] of Object.entries(rulesOf(suite, dialect))) {
          test(`${member}: takes and refuses what the spec says`, () =>
            checkOnWire(target, row, suite, member, rule));
          test(`${member}: is checked before anything is sent`, () =>
            checkInClient(target, id, suite, member, rule));
        }
        for (const { name: holds, run } of replyCases(id, row, suite)) {
          test(holds, () => withApi(target, "host", (api) => run({ target, api })));
        }
      });
    }
  });
}

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
        // A route that this service may not have answers 404 to any key; a path needs something that is there.
        if (row.auth === "public" || suite.only || typeof suite.sample === "function") return;
        const request = () => toWireRequest(target.dialect, row, suite.sample as Input);
        test("a key that nobody gave out is refused", async () => {
          assert.equal((await send(target, { ...request(), key: "no-such-key-0000" })).status, 401);
        });
      });
    }
  });
}

function suiteOf(id: string): RowSuite {
  return rowSuites[id] ?? { sample: {}, rules: {}, everywhere: [], sandboxed: [] };
}

async function withApi(
  target: Target,
  name: TransportName,
  run: (api: ReturnType<typeof apiOf>) => Promise<void>,
): Promise<void> {
  const transport = transports[name]();
  try {
    await run(apiOf(target, transport));
  } finally {
    await transport.close();
  }
}

/** A route of venice's alone is not found elsewhere; one that venice retired is gone, and names its successor. */
async function checkAbsent(target: SandboxTarget, id: string, row: Endpoint, suite: RowSuite): Promise<void> {
  const takesId = "shape" in row.input && "id" in (row.input.shape as object);
  const sample = takesId ? { id: "x" } : {};
  const { status, headers } = await send(target, toWireRequest(target.dialect, row, sample));
  const retired = suite.only === "standard";
  assert.equal(status, retired ? 410 : 404);
  const link = headers.get("link") ?? "";
  if (retired) assert.match(link, /^<\/api\/v1\/[a-z/-]+>; rel="successor-version"$/);
  await withApi(target, "host", async (api) => {
    const { kind, details } = await failureOf(callOf(api, id)(sample));
    assert.equal(kind, retired ? "gone" : "not-found");
    assert.equal(details.successor, retired ? /<(.+)>/.exec(link)?.[1] : undefined);
  });
}

async function inputWith(
  target: SandboxTarget,
  suite: RowSuite,
  member: string,
  value: unknown,
  { beside = {} }: Rule,
): Promise<Input> {
  return { ...(await sampleOf(suite, target)), ...beside, [member]: value };
}

async function checkOnWire(
  target: SandboxTarget,
  row: Endpoint,
  suite: RowSuite,
  member: string,
  rule: Rule,
): Promise<void> {
  const [spelled = member] = Object.keys(toWire(target.dialect, { [member]: {} }));
  const reply = async (value: unknown) => {
    await target.settle();
    const input = await inputWith(target, suite, member, value, rule);
    return send(target, toWireRequest(target.dialect, row, input));
  };
  for (const value of rule.good) {
    const { status, text } = await reply(value);
    assert.ok(status < 300, `${JSON.stringify(value)} gives ${status} ${text}`);
  }
  for (const value of rule.bad) {
    const { status, text, json } = await reply(value);
    const wanted = rule.unchecked ? 200 : (rule.status ?? 400);
    assert.equal(status, wanted, `${JSON.stringify(value)} gives ${status} ${text}`);
    if (status === 400 && !rule.anyName)
      assert.ok(fieldsNamed(json).includes(rule.named ?? spelled), `${JSON.stringify(value)}: ${text}`);
  }
}

/** Abilities of single models are known to the service alone: such values may be sent. */
async function checkInClient(
  target: SandboxTarget,
  id: string,
  suite: RowSuite,
  member: string,
  rule: Rule,
): Promise<void> {
  const { input: schema } = rows.get(id) ?? assert.fail(id);
  await withApi(target, "host", async (api) => {
    for (const value of rule.good) {
      await target.settle();
      await readToEnd(await callOf(api, id)(await inputWith(target, suite, member, value, rule)));
    }
    for (const value of rule.bad) {
      const input = await inputWith(target, suite, member, value, rule);
      if (schema.safeParse(input).success && !isRefused(target, id, member)) continue;
      const sent = target.sandbox.requestCount;
      const error = await failureOf(callOf(api, id)(input));
      assert.equal(error.kind, "invalid-request");
      assert.ok(
        error.details.issues?.some(({ field }) => field.split(".")[0] === member),
        error.message,
      );
      assert.equal(target.sandbox.requestCount, sent, "nothing was sent");
    }
  });
}

/** Members that the dialect's closed bodies refuse, whatever their value. */
function isRefused({ dialect }: SandboxTarget, id: string, member: string): boolean {
  return dialect.refuses[id]?.includes(member) === true;
}
