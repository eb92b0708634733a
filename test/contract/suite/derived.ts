import assert from "node:assert/strict";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { type SignInFields, signIn, walletHeader, wireRequestOf } from "./signInKit.ts";
import { type RowSuite, sampleOf } from "./suite.ts";
import type { SandboxTarget } from "./target.ts";
import { errorText, fieldsNamed, send, type WireReply, type WireRequest } from "./wire.ts";

export interface DerivedCase {
  readonly name: string;
  readonly run: (target: SandboxTarget) => Promise<void>;
}

type Good = (target: SandboxTarget) => Promise<WireRequest>;

/** Rules for any row (spec, Authentication; wire.md sections 3 and 8). Cheap: no row does its work. */
export function derivedCases(row: Endpoint, suite: RowSuite): DerivedCase[] {
  const good: Good = async (target) => wireRequestOf(target, row, await sampleOf(suite, target));
  const cases: DerivedCase[] = [
    {
      name: "another method is not allowed",
      async run(target) {
        const reply = await send(target, { ...(await good(target)), method: "PUT" });
        assert.equal(reply.status, 405);
        assert.ok(reply.headers.get("allow")?.includes(row.method));
        assertErrorBody(reply);
      },
    },
    {
      name: "paths below it are not found",
      async run(target) {
        const request = await good(target);
        const reply = await send(target, { ...request, path: `${request.path.split("?")[0]}/nothing/here` });
        assert.equal(reply.status, 404);
        assertErrorBody(reply);
      },
    },
  ];
  if (row.auth !== "public") cases.push(...authCases(row, good));
  if (row.auth !== "public" && row.auth !== "wallet") cases.push(walletCase(row, good));
  if (row.auth === "admin") cases.push(adminCase(good));
  if (row.encode !== "query") cases.push(...bodyCases(row, good));
  return cases;
}

function authCases(row: Endpoint, good: Good): DerivedCase[] {
  return [
    {
      name: "an unknown key is refused",
      async run(target) {
        const reply = await send(target, { ...(await good(target)), key: "no-such-key-0000" });
        assert.equal(reply.status, 401);
        assertErrorBody(reply);
      },
    },
    {
      name: "a missing key is refused; on venice a paid call can be paid by a wallet",
      async run(target) {
        const request = await good(target);
        // The request of a wallet's own row has a sign-in.
        const headers = row.auth === "wallet" ? {} : (request.headers ?? {});
        const reply = await send(target, { ...request, key: null, headers });
        const offered = target.dialect.id === "venice" && row.price.by !== "nothing";
        assert.equal(reply.status, offered ? 402 : 401);
        if (offered)
          assert.ok("accepts" in (reply.json as object) && "x402Version" in (reply.json as object));
        assertErrorBody(reply);
      },
    },
  ];
}

/** spec, Authentication 2: three kinds of rows accept a wallet's sign-in and explain how to top it up. */
function walletCase(row: Endpoint, good: Good): DerivedCase {
  return {
    name: row.wallet ? "a wallet without money is told how to top up" : "a wallet's sign-in is no credential",
    async run(target) {
      const request = await good(target);
      const name = walletHeader(target);
      const sign = (fields: SignInFields = {}) => signIn(target, fields);
      const headers = { ...request.headers, [name]: await sign() };
      const ask = (more: object = {}) =>
        send(target, { ...request, key: null, headers: { ...headers, ...more } });
      const reply = await ask();
      assertErrorBody(reply);
      const body = reply.json as { topUpInstructions?: object; accepts?: object };
      if (!row.wallet) {
        assert.ok(reply.status === 401 || body.accepts, reply.text);
        return;
      }
      assert.equal(reply.status, 402);
      assert.equal(Object.keys(body.topUpInstructions ?? {}).length, 3);
      assert.match(JSON.stringify(body.accepts), /"payTo":"0x[0-9a-fA-F]{40}"/);
      assert.equal((await ask()).status, 401, "a nonce is valid for one request");
      const bad: readonly SignInFields[] = [
        { issuedAt: new Date(target.now() - 300_000).toISOString() },
        { issuedAt: "never" },
        { expirationTime: new Date(target.now() - 1000).toISOString() },
        { domain: "evil.example" },
        { chainId: 1 },
        { address: `0x${"1".repeat(40)}` },
      ];
      for (const value of ["no base64", ...(await Promise.all(bad.map(sign)))]) {
        const refused = await ask({ [name]: value });
        assert.equal(refused.status, 401, value);
        assertErrorBody(refused);
      }
      const oldName = { "X-Sign-In-With-X": await sign() };
      const named = await send(target, {
        ...request,
        key: null,
        headers: { ...request.headers, ...oldName },
      });
      assert.equal(named.status, 402);
      assert.ok("topUpInstructions" in (named.json as object), "venice accepts the spec's name, too");
    },
  };
}

function adminCase(good: Good): DerivedCase {
  return {
    name: "a key of type INFERENCE is refused",
    async run(target) {
      const reply = await send(target, { ...(await good(target)), key: target.sandbox.inferenceKey });
      assert.equal(reply.status, 401);
      assert.equal(errorText(reply.json), "Admin API key required");
    },
  };
}

function bodyCases(row: Endpoint, good: Good): DerivedCase[] {
  const refused = (
    name: string,
    change: (request: WireRequest) => Partial<WireRequest>,
    status = 400,
  ): DerivedCase => ({
    name,
    async run(target) {
      const { form, ...request } = await good(target);
      const reply = await send(target, { ...request, ...change(request) });
      assert.equal(reply.status, status);
      assertErrorBody(reply);
    },
  });
  const closed: DerivedCase = {
    name: "an unknown member is refused by its name",
    async run(target) {
      const request = await good(target);
      const body = { ...(request.body as object), no_such_member: 1 };
      const form = request.form && [...request.form, ["no_such_member", "1"] as const];
      const reply = await send(target, form ? { ...request, form } : { ...request, body });
      assert.equal(reply.status, 400);
      assert.deepEqual(fieldsNamed(reply.json), ["no_such_member"]);
    },
  };
  const cases = [
    closed,
    refused("a body that is no JSON is refused", () => ({ text: '{"a": ' })),
    refused(
      "a body of another content type is refused",
      () => ({ text: "{}", headers: { "content-type": "text/plain" } }),
      415,
    ),
  ];
  if (row.encode === "whole") return cases;
  return [...cases, refused("a body that is no object is refused", () => ({ body: [1] }))];
}

/** Every error body contains a message. */
export function assertErrorBody(reply: WireReply): void {
  assert.match(reply.headers.get("content-type") ?? "", /^application\/json/);
  assert.notEqual(errorText(reply.json), "");
}
