import type { Connection } from "../../session/session.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import type { Projects } from "./projects.ts";
import type { RpcDeps } from "./register.ts";

/** The networks of the service that answers now; the built-in list stays where they can't be had. */
export interface OfferedNetworks {
  /** Asks the service, once for each connection: it is free. Never throws. */
  hear(): Promise<void>;
}

export function createOfferedNetworks(
  { session, log }: Pick<RpcDeps, "session" | "log">,
  projects: Projects,
): OfferedNetworks {
  let heard: { readonly from: Connection; readonly done: Promise<void> } | undefined;
  const ask = async () => {
    try {
      const { api } = await session.client();
      const { networks } = await api.rpc.networks({});
      if (networks.length > 0) projects.offered = [...networks, localNetwork];
    } catch (error) {
      heard = undefined;
      log.warn(String(error));
    }
  };
  return {
    async hear() {
      const { active } = session;
      if (!active) return;
      if (heard?.from !== active) heard = { from: active, done: ask() };
      await heard.done;
    },
  };
}
