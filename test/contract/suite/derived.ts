import assert from "node:assert/strict";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { type RowSuite, sampleOf } from "./suite.ts";
import type { SandboxTarget } from "./target.ts";
import { toWireRequest } from "./toWireRequest.ts";
import { errorText, fieldsNamed, send, type WireReply, type WireRequest } from "./wire.ts";

export interface DerivedCase {
  readonly name: string;
  readonly run: (target: SandboxTarget) => Promise<void>;
}

type Good = (target: SandboxTarget) => Promise<WireRequest>;

/** Rules for any row (spec, Authentication; wire.md sections 3 and 8). Cheap: no row does its work. */
export function derivedCases(row: Endpoint, suite: RowSuite): DerivedCase[] {
  const good: Good = async (target) => toWireRequest(target.dialect, row, await sampleOf(suite, target));
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
  if (row.auth !== "public") cases.push(walletCase(row, good));
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
        const reply = await send(target, { ...(await good(target)), key: null });
        const offered = target.dialect.id === "venice" && row.price.by !== "nothing";
        assert.equal(reply.status, offered ? 402 : 401);
        if (offered)
          assert.ok("accepts" in (reply.json as object) && "x402Version" in (reply.json as object));
        assertErrorBody(reply);
      },
    },
  ];
}

/** spec, Authentication 2; wire.md section 2. */
const walletHeaders = { standard: "X-Sign-In-With-X", venice: "SIGN-IN-WITH-X" } as const;

/** spec, Authentication 2: three kinds of rows accept a wallet's sign-in and explain how to top it up. */
function walletCase(row: Endpoint, good: Good): DerivedCase {
  return {
    name: row.wallet ? "a wallet without money is told how to top up" : "a wallet's sign-in is no credential",
    async run(target) {
      const request = await good(target);
      const headers = {
        ...request.headers,
        [walletHeaders[target.dialect.id]]: signIn(target.now()),
      };
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
      assert.equal((await ask()).status, 401, "a nonce is valid for one request");
      const bad = [signIn(target.now() - 300_000), signIn(Number.NaN), "no base64"];
      for (const value of bad) {
        assert.equal((await ask({ [walletHeaders[target.dialect.id]]: value })).status, 401);
      }
      const oldName = { "X-Sign-In-With-X": signIn(target.now()) };
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

/** An EIP-4361 text with its signature, as wallets send it (wire.md section 10). */
function signIn(issuedAtMs: number): string {
  const address = `0x${"1".repeat(40)}`;
  const issuedAt = Number.isNaN(issuedAtMs) ? "never" : new Date(issuedAtMs).toISOString();
  const message = `host wants you to sign in with your Ethereum account:\n${address}\n\nURI: https://host\nVersion: 1\nChain ID: 8453\nNonce: ${crypto.randomUUID().replaceAll("-", "")}\nIssued At: ${issuedAt}`;
  return Buffer.from(JSON.stringify({ address, message, signature: "0x01" })).toString("base64");
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
