// 10,000 chain calls in batches of 100 to the sandbox, through the client and as raw posts of the same bytes.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Agent, request } from "undici";
import { createApi, defaultTimeouts } from "../../src/api/client.ts";
import { dialects } from "../../src/api/dialect.ts";
import { type RpcItem, rpc } from "../../src/api/endpoints/rpc.ts";
import type { Transport } from "../../src/api/transport/transport.ts";
import { createUndiciTransport } from "../../src/api/transport/undici.ts";
import { atMostTimes, type Benchmark, median } from "./figure.ts";
import { interleave } from "./interleave.ts";

const batches = 100;
const batchSize = 100;
const rounds = 9;

interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export const benchmark: Benchmark = {
  name: "rpc-batch",
  async run() {
    const server = fork(join(import.meta.dirname, "sandboxServer.ts"));
    const agent = new Agent();
    const transport = createUndiciTransport();
    try {
      const [service] = (await once(server, "message")) as [Service];
      const body = Array.from({ length: batchSize }, (_, id) => ({
        jsonrpc: "2.0" as const,
        id,
        method: "eth_getBalance",
        params: ["0x00000000000000000000000000000000000000aa", "latest"],
      }));
      const raw = () => postRaw(agent, service, JSON.stringify(body));
      const contestants = { raw, ours: () => call(transport, service, body) };
      const times = await interleave(contestants, rounds, batches * batchSize);
      const ours = median(times.ours);
      return { "rpc-batch": atMostTimes(ours, "ms", median(times.raw), 1.3, "raw posts") };
    } finally {
      server.kill();
      await Promise.all([agent.close(), transport.close()]);
    }
  },
};

/** Whoever posts raw still wants the answers: they are parsed, and nothing more. */
async function postRaw(dispatcher: Agent, { baseUrl, apiKey }: Service, body: string): Promise<number> {
  let answered = 0;
  const url = `${baseUrl}/crypto/rpc/ethereum-mainnet`;
  for (let i = 0; i < batches; i++) {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${apiKey}`,
      "idempotency-key": crypto.randomUUID(),
    };
    const reply = await request(url, { method: "POST", headers, body, dispatcher });
    answered += ((await reply.body.json()) as unknown[]).length;
  }
  return answered;
}

/** A client of its own for each round: one may send no more than 100 of these a minute. */
async function call(transport: Transport, service: Service, body: RpcItem[]): Promise<number> {
  const options = {
    baseUrl: service.baseUrl,
    apiKey: async () => service.apiKey,
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  };
  const api = createApi({ rpc }, transport, options);
  let answered = 0;
  for (let i = 0; i < batches; i++) {
    const answers = await api.rpc.call({ network: "ethereum-mainnet", body });
    answered += Array.isArray(answers) ? answers.length : 1;
  }
  return answered;
}
