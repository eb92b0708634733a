import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { startTestSandbox } from "../serviceKit/testSandbox.ts";

/** The sandbox behind a door that notes when the first byte of each answer of one path goes through it. */
export interface TimedService {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Unix time in milliseconds, with fractions, of the first byte of each watched answer so far. */
  readonly firstBytesAtMs: readonly number[];
  close(): Promise<void>;
}

export async function startTimedService(watched = "/chat/completions"): Promise<TimedService> {
  const sandbox = await startTestSandbox({ tokensPerSecond: 2000, limits: "none" });
  const firstBytesAtMs: number[] = [];
  const door = createServer(async (request, response) => {
    const answer = await forward(sandbox.baseUrl, request);
    const isWatched = request.url?.endsWith(watched) === true;
    response.writeHead(answer.status, headersOf(answer));
    response.flushHeaders();
    let isFirst = true;
    for await (const piece of answer.body ?? []) {
      if (isFirst && isWatched) firstBytesAtMs.push(performance.timeOrigin + performance.now());
      isFirst = false;
      response.write(piece);
    }
    response.end();
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  const { port } = door.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    apiKey: sandbox.apiKey,
    firstBytesAtMs,
    async close() {
      door.closeAllConnections();
      door.close();
      await sandbox.close();
    },
  };
}

async function forward(baseUrl: string, request: IncomingMessage): Promise<Response> {
  const { authorization, "content-type": type, accept } = request.headers;
  const body = request.method === "GET" ? undefined : await buffer(request);
  return fetch(new URL(request.url ?? "/", baseUrl), {
    method: request.method ?? "GET",
    headers: Object.fromEntries(
      Object.entries({ authorization, "content-type": type, accept }).filter(([, value]) => value),
    ) as Record<string, string>,
    ...(body && body.length > 0 ? { body } : {}),
  });
}

/** Headers without those of the connection itself. */
function headersOf({ headers }: Response): Record<string, string> {
  const own = ["connection", "content-encoding", "content-length", "keep-alive", "transfer-encoding"];
  return Object.fromEntries([...headers].filter(([name]) => !own.includes(name)));
}
