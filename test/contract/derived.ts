import assert from "node:assert/strict";
import { toWire } from "../../src/api/dialect.ts";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { table } from "../../src/api/table.ts";
import type { RowSuite } from "./suite.ts";
import type { SandboxTarget, Target } from "./target.ts";
import { errorText, fieldsNamed, send, type WireReply, type WireRequest } from "./wire.ts";

type Rows = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

/** All rows by name, `chat.stream`. */
export const rows: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(table as Rows).flatMap(([resource, calls]) =>
    Object.entries(calls).map(([name, row]) => [`${resource}.${name}`, row] as const),
  ),
);

/** An input as a request of this row, unread by any client of ours. */
export function toWireRequest(target: Target, row: Endpoint, input: object): WireRequest {
  const rest = { ...(input as Record<string, unknown>) };
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const { method } = row;
  if (row.encode === "query") {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
    return { method, path: query.size === 0 ? path : `${path}?${query}` };
  }
  return { method, path, body: { ...toWire(target.dialect, rest), ...row.fixed } };
}

export interface DerivedCase<T extends Target = Target> {
  readonly name: string;
  readonly run: (target: T) => Promise<void>;
}

/** What holds for any row, whatever it does (spec, Authentication; wire.md sections 3 and 8). Cheap: nothing is done. */
export function derivedCases(row: Endpoint, suite: RowSuite): DerivedCase[] {
  const good = (target: Target) => toWireRequest(target, row, suite.sample);
  const cases: DerivedCase[] = [
    {
      name: "another method is not allowed",
      async run(target) {
        const reply = await send(target, { ...good(target), method: "PUT" });
        assert.equal(reply.status, 405);
        assert.ok(reply.headers.get("allow")?.includes(row.method));
        assertErrorBody(reply);
      },
    },
    {
      name: "nothing is served below it",
      async run(target) {
        const request = good(target);
        const reply = await send(target, { ...request, path: `${request.path.split("?")[0]}/nothing/here` });
        assert.equal(reply.status, 404);
        assertErrorBody(reply);
      },
    },
  ];
  if (row.auth !== "public") cases.push(...authCases(row, good));
  if (row.auth === "admin") cases.push(adminCase(good) as DerivedCase);
  if (row.encode === "json") cases.push(...bodyCases(row, suite));
  return cases;
}

/** Safe on a live service as well. */
export function authCases(row: Endpoint, good: (target: Target) => WireRequest): DerivedCase[] {
  return [
    {
      name: "a key that nobody gave out is refused",
      async run(target) {
        const reply = await send(target, { ...good(target), key: "no-such-key-0000" });
        assert.equal(reply.status, 401);
        assertErrorBody(reply);
      },
    },
    {
      name: "no key at all is refused; a paid call is offered to wallets on venice",
      async run(target) {
        const reply = await send(target, { ...good(target), key: null });
        const offered = target.dialect.id === "venice" && row.resend !== "reading";
        assert.equal(reply.status, offered ? 402 : 401);
        if (offered)
          assert.ok("accepts" in (reply.json as object) && "x402Version" in (reply.json as object));
        assertErrorBody(reply);
      },
    },
  ];
}

function adminCase(good: (target: Target) => WireRequest): DerivedCase<SandboxTarget> {
  return {
    name: "a key of type INFERENCE is refused",
    async run(target) {
      const reply = await send(target, { ...good(target), key: target.sandbox.inferenceKey });
      assert.equal(reply.status, 401);
      assert.equal(errorText(reply.json), "Admin API key required");
    },
  };
}

function bodyCases(row: Endpoint, suite: RowSuite): DerivedCase[] {
  const good = (target: Target) => toWireRequest(target, row, suite.sample);
  const refused = (
    name: string,
    change: (request: WireRequest) => WireRequest,
    status = 400,
  ): DerivedCase => ({
    name,
    async run(target) {
      const reply = await send(target, change(good(target)));
      assert.equal(reply.status, status);
      assertErrorBody(reply);
    },
  });
  return [
    {
      name: "an unknown member is refused by its name",
      async run(target) {
        const request = good(target);
        const reply = await send(target, {
          ...request,
          body: { ...(request.body as object), no_such_member: 1 },
        });
        assert.equal(reply.status, 400);
        assert.deepEqual(fieldsNamed(reply.json), ["no_such_member"]);
      },
    },
    refused("a body that is no JSON is refused", (request) => ({ ...request, text: '{"a": ' })),
    refused("a body that is no object is refused", (request) => ({ ...request, body: [1] })),
    refused(
      "a body of another type is refused",
      (request) => ({ ...request, headers: { "content-type": "text/plain" } }),
      415,
    ),
  ];
}

/** Every error has a body that says something. */
export function assertErrorBody(reply: WireReply): void {
  assert.match(reply.headers.get("content-type") ?? "", /^application\/json/);
  assert.notEqual(errorText(reply.json), "");
}

/** Unknown members added to a reply, at its top and in each object of its lists. */
export function withUnknownMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownMembers);
  if (typeof value !== "object" || value === null) return value;
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  const deeper = Object.fromEntries(lists.map(([name, list]) => [name, withUnknownMembers(list)]));
  return { ...value, ...deeper, no_such_member: { any: ["thing", 1, null] } };
}
