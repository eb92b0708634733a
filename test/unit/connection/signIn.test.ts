import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { createApi } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { Keys } from "../../../src/platform/keys.ts";
import { createConnections } from "../../../src/session/connection/connections.ts";
import type { Candidate, Client, Session } from "../../../src/session/session.ts";
import { answerDialogs } from "../fields/answering.ts";
import { memento } from "../memento.ts";
import { openConsents } from "../session/openConsents.ts";

const { proveKey, signIn } = await import("../../../src/connection/signIn.ts");

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

test("a key of a sandbox stores no connection: the sandbox is used, also if its window is closed", async (t) => {
  const asked: string[] = [];
  const shown = answerDialogs(t, (question) => {
    asked.push(question);
    if (question === "Select a service") return "Other…";
    if (question.startsWith("Address of the service")) return "http://127.0.0.1:9/api/v1";
    if (question.startsWith("API key for 127.0.0.1:9")) return ` sandbox-inference-${"a".repeat(32)} `;
    return assert.fail(question);
  });
  const globalState = { ...memento(), keys: () => [] };
  const connections = createConnections(globalState, {}, openConsents({ globalState }));
  const tryOut = () => assert.fail("nothing answers there");
  const session = { refresh() {}, tryOut } as unknown as Session;
  const keys = { write: () => assert.fail("no key is stored") } as unknown as Keys;
  assert.equal(await signIn({ connections, keys, session }), true);
  assert.equal(asked.length, 3, "no name is asked for");
  assert.deepEqual([connections.stored(), connections.activeId()], [[], "sandbox"]);
  assert.match(shown.join("\n"), /needs no key here\. The sandbox answers now, and charges play money\./);
});
