import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { SandboxOptions } from "./options.ts";
import { findAnvil } from "./rpc/anvil/findAnvil.ts";
import { createChains } from "./rpc/chains.ts";
import { createRpcProxy, type RpcProxy } from "./rpc/proxy.ts";
import { chargeOf } from "./rpc/services.ts";
import type { State } from "./state.ts";

/** The chain proxy of a sandbox, and the end of all nodes behind it. */
export interface OpenRpc {
  readonly rpc: RpcProxy;
  close(): Promise<void>;
}

/** The proxy before real nodes, where there is a program for them; what it serves is charged to the caller's key. */
export async function openRpc(
  { limits = "default", nodes = true, nodeProgram }: Pick<SandboxOptions, "limits" | "nodes" | "nodeProgram">,
  { dialect, now, billing }: Pick<State, "dialect" | "now" | "billing">,
): Promise<OpenRpc> {
  const chains = createChains({ now, nodeBinary: nodes ? await findNode(nodeProgram) : undefined });
  const rpc = createRpcProxy({
    dialect: dialect.id,
    now,
    chains,
    tier: limits === "partner" ? "staff" : "standard",
    enforced: limits !== "none",
    onSpent: (spent) => billing.charge(chargeOf(spent)),
  });
  return { rpc, close: () => chains.close() };
}

/**
 * What is built looks on the PATH alone: the folders around it may be anybody's. The sources look into the packages of
 * their own project, too.
 */
function findNode(path: string | undefined): Promise<string | undefined> {
  const here = import.meta.url;
  const folders = here.endsWith(".ts") ? [dirname(fileURLToPath(here))] : [];
  return findAnvil({ path, folders, searchPath: process.env.PATH });
}
