// The gateway of a test, behind the process at a port of its own.
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Address } from "../../../src/gateway/address/window/address.ts";
import { GatewayListener } from "../../../src/gateway/host/gatewayListener.ts";
import { openService } from "../../../src/gateway/host/openService.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { freePort, killAll, pidsIn } from "./address/addressKit.ts";
import { type Gateway, sessionOver } from "./gatewayKit.ts";

const script = fileURLToPath(new URL("./address/startedProcess.ts", import.meta.url));

interface ProcessGateway extends Gateway {
  /** Of the process at the port; 0 without one. */
  readonly pid: number;
}

interface ListenOptions {
  /** Default is a free one. */
  readonly port?: number;
  /** False if the window listens itself. */
  readonly hasProcess?: boolean;
}

/** The same window, clients and service, behind the process at a port. */
export async function overProcess(
  t: TestContext,
  gateway: Gateway,
  { port: given, hasProcess = true }: ListenOptions = {},
): Promise<ProcessGateway> {
  const [folder, port] = [temporaryFolder(), given ?? (await freePort())];
  const { clients, window, sessions } = gateway;
  const listener = new GatewayListener(
    {
      clientOf: (token) => clients.find(token),
      open: (agent) => openService(sessionOver(window), agent),
      sessions,
      now: Date.now,
    },
    (error) => t.diagnostic(String(error)),
    hasProcess
      ? new Address({ script, folder, version: "1.9.0", holdMs: 60_000, aloneMs: 60_000 })
      : undefined,
  );
  t.after(async () => {
    await listener.leave();
    killAll(pidsIn(folder));
  });
  await listener.listen(port);
  const [pid = 0] = pidsIn(folder);
  return { ...gateway, port, baseURL: `http://127.0.0.1:${port}/v1`, pid };
}
