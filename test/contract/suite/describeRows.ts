import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type DialectId, toWire } from "../../../src/api/dialect/dialect.ts";
import { type Endpoint, memberProblem, routeOf } from "../../../src/api/endpoint.ts";
import { rowSuites } from "../rows/rows.ts";
import { callOf, readToEnd } from "./callOf.ts";
import { derivedCases } from "./derived.ts";
import { replyCases } from "./replyCases.ts";
import { rows } from "./rowsOfTable.ts";
import { walletSigner, wireRequestOf } from "./signInKit.ts";
import {
  apiOf,
  type CallCase,
  failureOf,
  type Input,
  type RowSuite,
  type Rule,
  rulesOf,
  sampleOf,
  type TransportName,
  transports,
  unsentFailureOf,
} from "./suite.ts";
import { openSandbox, type SandboxTarget, type Target } from "./target.ts";
import { fieldsNamed, send } from "./wire.ts";

/** All cases of all rows, against the sandbox in one dialect. */
export function describeRows(dialect: DialectId): void {
  describe(`sandbox, ${dialect}`, () => {
    let target: SandboxTarget;
    before(async () => {
      target = await openSandbox(dialect);
    });
    beforeEach(() => target.settle());
    after(() => target.close());

    for (const [id, row] of rows) describe(id, () => testRow(dialect, id, row, () => target));
  });
}

/** The cases of a row. The target is open once they run. */
function testRow(dialect: DialectId, id: string, row: Endpoint, target: () => SandboxTarget): void {
  const suite = suiteOf(id);
  if (suite.only && suite.only !== dialect) {
    test("is not found", () => checkAbsent(target(), id, row, suite));
    return;
  }
  const withTransport = (transport: TransportName, { run }: CallCase<SandboxTarget>) =>
    withApi(target(), transport, (api) => run({ target: target(), api }), row);
  for (const transport of transportsOf(dialect, suite))
    for (const each of [...suite.everywhere, ...suite.sandboxed])
      test(`${each.name} (${transport})`, () => withTransport(transport, each));
  for (const { name: rule, run } of derivedCases(row, suite)) test(rule, () => run(target()));
  if (suite.costly) test("accepts all good values, combined", () => checkTogether(target(), row, suite));
  for (const [member, rule] of Object.entries(rulesOf(suite, dialect))) {
    test(`${member}: accepts and refuses values as the spec says`, () =>
      checkOnWire(target(), row, suite, member, rule));
    test(`${member}: is checked before anything is sent`, () =>
      checkInClient(target(), id, suite, member, rule));
  }
  for (const each of replyCases(id, row, suite)) test(each.name, () => withTransport("host", each));
}

/**
 * The dialect determines the body, the transport how it is sent: each is combined with one of the others. A row of one
 * dialect goes through both transports.
 */
function transportsOf(dialect: DialectId, { only, costly }: RowSuite): readonly TransportName[] {
  if (only && !costly) return Object.keys(transports) as TransportName[];
  return [dialect === "standard" ? "host" : "undici"];
}

export function suiteOf(id: string): RowSuite {
  return rowSuites[id] ?? { sample: {}, rules: {}, everywhere: [], sandboxed: [] };
}

export async function withApi(
  target: Target,
  name: TransportName,
  run: (api: ReturnType<typeof apiOf>) => Promise<void>,
  row?: Endpoint,
): Promise<void> {
  const transport = transports[name]();
  try {
    const isByWallet = row?.auth === "wallet";
    await run(apiOf(target, transport, target.apiKey, isByWallet ? walletSigner(target) : undefined));
  } finally {
    await transport.close();
  }
}

/** A route of one dialect is not found elsewhere; one that venice retired is gone and names its successor. */
async function checkAbsent(target: SandboxTarget, id: string, row: Endpoint, suite: RowSuite): Promise<void> {
  const takesId = "shape" in row.input && "id" in (row.input.shape as object);
  const sample = row.auth === "wallet" ? await sampleOf(suite, target) : takesId ? { id: "x" } : {};
  const { status, headers } = await send(target, await wireRequestOf(target, row, sample));
  const retired = target.dialect.retired[routeOf(row)] !== undefined;
  assert.equal(status, retired ? 410 : 404);
  const link = headers.get("link") ?? "";
  if (retired) assert.match(link, /^<\/api\/v1\/[a-z/-]+>; rel="successor-version"$/);
  await withApi(
    target,
    "host",
    async (api) => {
      const { kind, details } = await failureOf(callOf(api, id)(sample));
      assert.equal(kind, retired ? "gone" : "not-found");
      assert.equal(details.successor, retired ? /<(.+)>/.exec(link)?.[1] : undefined);
    },
    row,
  );
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

/**
 * Sends the first good value of each member in one request, the second in the next, and so on. A member without more
 * values is sent with its first again, because the others may be expensive.
 */
async function checkTogether(target: SandboxTarget, row: Endpoint, suite: RowSuite): Promise<void> {
  const goods = Object.entries(rulesOf(suite, target.dialect.id)).filter(([, { good }]) => good.length > 0);
  const requests = Math.max(...goods.map(([, { good }]) => good.length));
  for (let index = 0; index < requests; index++) {
    await target.settle();
    const chosen = goods.map(([member, { good }]) => [member, good[index] ?? good[0]]);
    const input = { ...(await sampleOf(suite, target)), ...Object.fromEntries(chosen) };
    const { status, text } = await send(target, await wireRequestOf(target, row, input));
    assert.ok(status < 300, `${JSON.stringify(chosen)} gives ${status} ${text}`);
  }
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
    return send(target, await wireRequestOf(target, row, input));
  };
  for (const value of suite.costly ? [] : rule.good) {
    const { status, text } = await reply(value);
    assert.ok(status < 300, `${JSON.stringify(value)} gives ${status} ${text}`);
  }
  for (const value of [...rule.bad, ...(rule.unfit ?? [])]) {
    const { status, text, json } = await reply(value);
    const wanted = rule.unchecked ? 200 : (rule.status ?? 400);
    assert.equal(status, wanted, `${JSON.stringify(value)} gives ${status} ${text}`);
    if (status === 400 && !rule.anyName)
      assert.ok(fieldsNamed(json).includes(rule.named ?? spelled), `${JSON.stringify(value)}: ${text}`);
  }
}

async function checkInClient(
  target: SandboxTarget,
  id: string,
  suite: RowSuite,
  member: string,
  rule: Rule,
): Promise<void> {
  const row = rows.get(id) ?? assert.fail(id);
  const { input: schema } = row;
  await withApi(
    target,
    "host",
    async (api) => {
      for (const value of rule.good) {
        await target.settle();
        const input = await inputWith(target, suite, member, value, rule);
        assert.ok(schema.safeParse(input).success, JSON.stringify(value));
        if (!suite.costly) await readToEnd(await callOf(api, id)(input));
      }
      for (const value of rule.bad) {
        const input = await inputWith(target, suite, member, value, rule);
        const isForbidden = !schema.safeParse(input).success || isRefused(target, id, member, value);
        assert.ok(isForbidden, JSON.stringify(value));
        const error = await unsentFailureOf(target, () => callOf(api, id)(input));
        assert.ok(
          error.details.issues?.some(({ field }) => field.split(".")[0] === member),
          error.message,
        );
      }
      for (const value of rule.unfit ?? []) {
        const input = await inputWith(target, suite, member, value, rule);
        assert.ok(schema.safeParse(input).success, JSON.stringify(value));
      }
    },
    row,
  );
}

/** Whether only the dialect refuses it. */
function isRefused({ dialect }: SandboxTarget, id: string, member: string, value: unknown): boolean {
  return memberProblem(dialect.rules, routeOf(rows.get(id) ?? assert.fail(id)), member, value) !== undefined;
}
