import { ApiError } from "../../api/errors.ts";
import { createHostTransport } from "../../api/transport/host.ts";
import { readSettings } from "../../platform/settings.ts";
import { isLoopback } from "../../session/baseUrl.ts";
import type { Session } from "../../session/session.ts";
import { settings } from "../../shared/ids.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { createLocalSender } from "./run/localSender.ts";
import type { Sender } from "./run/sender.ts";
import { createServiceSender } from "./run/serviceSender.ts";

/** The service for its networks, a node on this machine for `local`. */
export function createSender(session: Session): Sender {
  const service = createServiceSender(async () => (await session.client()).api);
  const local = createLocalSender(createHostTransport(), localAddress);
  return {
    send: (network, body, options) =>
      (network === localNetwork ? local : service).send(network, body, options),
  };
}

/** The setting's address. Throws where it is not of this machine: calls to it are not asked about. */
function localAddress(): string {
  const { localNode } = readSettings().rpc;
  if (isLoopback(localNode)) return localNode;
  const message = `the setting ${settings.rpcLocalNode} has to name an address of this machine, such as http://127.0.0.1:8545`;
  throw new ApiError("invalid-request", message, { mayHaveArrived: false });
}
