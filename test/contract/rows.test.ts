import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { toWire } from "../../src/api/dialect.ts";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { authCases, derivedCases, rows, toWireRequest, withUnknownMembers } from "./derived.ts";
import { rowSuites } from "./rows/rows.ts";
import { apiOf, failureOf, type RowSuite, type Rule, type TransportName, transports } from "./suite.ts";
import { liveTargets, type SandboxTarget, sandboxTargets, type Target } from "./target.ts";
import { fieldsNamed, send } from "./wire.ts";

describe("the table", () => {
  test("every row has a suite, and every suite a row", () => {
    assert.deepEqual(Object.keys(rowSuites).sort(), [...rows.keys()].sort());
  });

  for (const [name, row] of rows) {
    test(`${name}: each member of its input has a rule, with values on both sides of it`, () => {
      const members = "shape" in row.input ? Object.keys(row.input.shape as object) : [];
      const { rules } = suiteOf(name);
      assert.deepEqual(Object.keys(rules).sort(), members.sort());
      for (const [member, { good, bad }] of Object.entries(rules)) {
        assert.ok(good.length > 0 && bad.length > 0, member);
      }
    });
  }
});

for (const { name, open } of sandboxTargets) {
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
        for (const transport of Object.keys(transports) as TransportName[]) {
          const calls = [...suite.everywhere, ...suite.sandboxed];
          for (const { name: does, run } of calls) {
            test(`${does} (${transport})`, () => withApi(target, transport, (api) => run({ target, api })));
          }
        }
        if (suite.veniceOnly && name.includes("standard")) {
          test("is not there", async () => {
            assert.equal((await send(target, toWireRequest(target, row, suite.sample))).status, 404);
          });
          return;
        }
        for (const { name: rule, run } of derivedCases(row, suite)) test(rule, () => run(target));
        for (const [member, rule] of Object.entries(suite.rules)) {
          test(`${member}: takes and refuses what the spec says`, () =>
            checkOnWire(target, row, suite, member, rule));
          test(`${member}: is checked before anything is sent`, () =>
            checkInClient(target, id, suite, member, rule));
        }
        test("a reply with unknown members is read", () => readWithUnknownMembers(target, id, suite));
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
        // A route that this service may not have answers 404 to any key.
        if (row.auth === "public" || suite.veniceOnly) return;
        const [wrongKey] = authCases(row, (one) => toWireRequest(one, row, suite.sample));
        test(wrongKey?.name, () => wrongKey?.run(target));
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

function inputWith(
  suite: RowSuite,
  member: string,
  value: unknown,
  { beside = {} }: Rule,
): Record<string, unknown> {
  return { ...suite.sample, ...beside, [member]: value };
}

async function checkOnWire(
  target: SandboxTarget,
  row: Endpoint,
  suite: RowSuite,
  member: string,
  rule: Rule,
): Promise<void> {
  const [spelled] = Object.keys(toWire(target.dialect, { [member]: {} }));
  for (const value of rule.good) {
    await target.settle();
    const reply = await send(target, toWireRequest(target, row, inputWith(suite, member, value, rule)));
    assert.ok(reply.status < 300, `${JSON.stringify(value)} gives ${reply.status} ${reply.text}`);
  }
  for (const value of rule.bad) {
    await target.settle();
    const reply = await send(target, toWireRequest(target, row, inputWith(suite, member, value, rule)));
    assert.equal(reply.status, 400, `${JSON.stringify(value)} gives ${reply.status}`);
    assert.ok(fieldsNamed(reply.json).includes(spelled ?? member), `${JSON.stringify(value)}: ${reply.text}`);
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
  const call = (api: object, value: unknown) => callOf(api, id)(inputWith(suite, member, value, rule));
  const { input } = rows.get(id) ?? assert.fail(id);
  await withApi(target, "host", async (api) => {
    for (const value of rule.good) {
      await target.settle();
      await drained(await call(api, value));
    }
    const sent = target.sandbox.requests.length;
    const known = rule.bad.filter((value) => !input.safeParse(inputWith(suite, member, value, rule)).success);
    for (const value of known) {
      const error = await failureOf(call(api, value));
      assert.equal(error.kind, "invalid-request");
      assert.ok(
        error.details.issues?.some(({ field }) => field.split(".")[0] === member),
        error.message,
      );
    }
    assert.equal(target.sandbox.requests.length, sent);
  });
}

async function readWithUnknownMembers(target: SandboxTarget, id: string, suite: RowSuite): Promise<void> {
  target.sandbox.setFaults([
    { kind: "edit", edit: withUnknownMembers },
    { kind: "edit-events", edit: withUnknownMembers },
  ]);
  await withApi(target, "host", async (api) => {
    await drained(await callOf(api, id)(suite.sample));
  });
}

function callOf(api: object, id: string): (input: unknown) => Promise<unknown> {
  const [resource = "", name = ""] = id.split(".");
  return (
    (api as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[resource]?.[name] ??
    assert.fail(id)
  );
}

/** A stream has to be read to its end, or it keeps its connection and its clock. */
async function drained(value: unknown): Promise<void> {
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return;
  for await (const _ of value as AsyncIterable<unknown>);
}
