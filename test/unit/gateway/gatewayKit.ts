// A gateway over a real service with the ledger and the spend gate of a window.

import { request as sendHttp } from "node:http";
import type { TestContext } from "node:test";
import type { SpendSource } from "../../../src/api/money/charge.ts";
import { ClientBook, type ClientLimits, type StoredClient } from "../../../src/gateway/clients/clientBook.ts";
import { openService } from "../../../src/gateway/host/openService.ts";
import { startGateway } from "../../../src/gateway/server/gatewayServer.ts";
import { SessionBook } from "../../../src/gateway/server/sessionBook.ts";
import type { Client, Session } from "../../../src/session/session.ts";
import { startTestSandbox, type TestSandbox, type TestSandboxOptions } from "../../serviceKit/testSandbox.ts";
import { connection, openWindow, type WindowOptions } from "../session/budgetWindow.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

export interface Gateway {
  readonly sandbox: TestSandbox;
  readonly window: ReturnType<typeof openWindow>;
  /** Of the ledger. */
  readonly folder: string;
  readonly clients: ClientBook;
  readonly sessions: SessionBook;
  readonly client: StoredClient;
  readonly token: string;
  readonly port: number;
  readonly baseURL: string;
}

export const noBudgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

/** One client is set up, with these limits; default none. */
export async function openGateway(
  t: TestContext,
  {
    sessionCapUsd,
    dayCapUsd = null,
    folderCapUsd,
    isPrivateOnly = false,
    isCachedLong = false,
  }: Partial<ClientLimits> = {},
  served: TestSandboxOptions = {},
  over: Pick<WindowOptions, "placeOf" | "dialect" | "models"> = {},
): Promise<Gateway> {
  const sandbox = await startTestSandbox({ tokensPerSecond: 1e6, limits: "none", ...served });
  t.after(() => sandbox.close());
  const folder = temporaryFolder();
  const window = openWindow({ ...sandbox, folder, budgets: noBudgets, ...over });
  const clients = new ClientBook({ folder: temporaryFolder(), now: Date.now });
  const sessions = new SessionBook(Date.now);
  const client = await clients.add("Codex");
  await clients.setLimits(client.id, { sessionCapUsd, dayCapUsd, folderCapUsd, isPrivateOnly, isCachedLong });
  const server = await startGateway(0, {
    clientOf: (token) => clients.find(token),
    open: (agent) => openService(sessionOver(window), agent),
    sessions,
    now: Date.now,
  });
  t.after(() => server.close());
  const token = await clients.token(client.id);
  const { port } = server;
  return {
    sandbox,
    window,
    folder,
    clients,
    sessions,
    client,
    token,
    port,
    baseURL: `http://127.0.0.1:${port}/v1`,
  };
}

/** As the session of a window, whose clients name their source. */
export function sessionOver(window: ReturnType<typeof openWindow>): Session {
  const client = async (source: SpendSource) => {
    const { api, prices } = window;
    const named = Object.entries(api).map(([resource, calls]) => [
      resource,
      Object.fromEntries(
        Object.entries(calls).map(([name, call]) => [
          name,
          (input: never, given: object) =>
            (call as (...all: unknown[]) => unknown)(input, { ...given, source }),
        ]),
      ),
    ]);
    return { api: Object.fromEntries(named), connection, prices, source } as unknown as Client;
  };
  return { client } as unknown as Session;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}

interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

/** Sends what a library would not: any headers, and any body. */
export function sendRaw(
  { port, token }: Pick<Gateway, "port" | "token">,
  { method = "POST", path = "/v1/chat/completions", headers = {}, body = "" }: RawRequest,
): Promise<RawAnswer> {
  const usual = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = sendHttp(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...usual, ...headers } as NodeJS.Dict<string | string[]>,
      },
      (message) => {
        let text = "";
        message.setEncoding("utf8");
        message.on("data", (piece: string) => {
          text += piece;
        });
        message.on("end", () => resolve({ status: message.statusCode ?? 0, headers: message.headers, text }));
        message.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}
