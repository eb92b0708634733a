import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createApi } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { Candidate, Client } from "../../../src/session/session.ts";
import "../vscodeDouble.ts";

const { proveKey } = await import("../../../src/connection/signIn.ts");

async function signInProblem(
  t: TestContext,
  answer: (res: ServerResponse) => void,
): Promise<string | undefined> {
  const server = createServer((_, res) => answer(res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const tryOut = async ({ baseUrl, key }: Candidate) => {
    const api = createApi(table, createHostTransport(), {
      baseUrl,
      apiKey: async () => key,
      dialect: dialects.standard,
      timeouts: { headersMs: 30_000, idleMs: 30_000 },
    });
    return { api } as Client;
  };
  const candidate = { baseUrl: `http://127.0.0.1:${port}/some/path`, dialect: "auto", key: "k" } as const;
  const sentence = await proveKey({ tryOut }, candidate, new AbortController().signal);
  return sentence?.replaceAll(String(port), "PORT");
}

const tried = "http://127.0.0.1:PORT/some/path/api/v1/api_keys/rate_limits";
const page = "<!doctype html><html><head><title>Welcome</title></head></html>";

test("shows the tried address of a path that does not exist", async (t) => {
  const sentence = await signInProblem(t, (res) => {
    res.writeHead(404, { "content-type": "application/json" }).end('{"error":"No route"}');
  });
  assert.equal(
    sentence,
    `127.0.0.1:PORT does not serve the API at this address (${tried}: HTTP 404 (No route)). Go back and check the path.`,
  );
});

for (const status of [200, 404])
  test(`shows the tried address if it answers with a web page under HTTP ${status}`, async (t) => {
    const sentence = await signInProblem(t, (res) => {
      res.writeHead(status, { "content-type": "text/html" }).end(page);
    });
    assert.ok(sentence?.includes(`(${tried}: `), sentence);
    assert.match(sentence ?? "", /HTML/);
  });

test("a refused key is reported as such, not as a wrong address", async (t) => {
  const sentence = await signInProblem(t, (res) => {
    res.writeHead(401, { "content-type": "application/json" }).end('{"error":"Authentication failed"}');
  });
  assert.match(sentence ?? "", /does not accept this key/);
  assert.ok(!sentence?.includes("/api/v1"), sentence);
});
