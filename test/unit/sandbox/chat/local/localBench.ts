// A sandbox in front of a server of models, and a client of the sandbox.
import type { TestContext } from "node:test";
import { createApi } from "../../../../../src/api/call/client.ts";
import { type DialectId, dialects } from "../../../../../src/api/dialect/dialect.ts";
import { table } from "../../../../../src/api/table.ts";
import { createHostTransport } from "../../../../../src/api/transport/host.ts";
import { startTestSandbox } from "../../../../serviceKit/testSandbox.ts";
import { startModelServer } from "../../modelServer.ts";

/** All of it ends with the test. */
export async function openLocalBench(t: TestContext, dialect: DialectId = "venice") {
  const server = await startModelServer();
  const clock = { ms: Date.UTC(2026, 5, 1) };
  const sandbox = await startTestSandbox({
    dialect,
    modelServers: [server.url],
    modelProbeMs: 10_000,
    testModels: false,
    limits: "none",
    clock: () => clock.ms,
  });
  t.after(async () => {
    await sandbox.close();
    await server.close();
  });
  const api = createApi(table, createHostTransport(), {
    baseUrl: sandbox.baseUrl,
    apiKey: async () => sandbox.apiKey,
    dialect: dialects[dialect],
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
  });
  return {
    server,
    sandbox,
    api,
    clock,
    idOf: (name: string) => `${server.slug}/${name.replaceAll(":", "@")}`,
  };
}

export type LocalBench = Awaited<ReturnType<typeof openLocalBench>>;
