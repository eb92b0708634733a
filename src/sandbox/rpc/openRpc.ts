import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestConditions } from "../hooks.ts";
import type { State } from "../state/state.ts";
import { createChains } from "./chains.ts";
import { createRpcProxy, type RpcProxy } from "./proxy.ts";
import { chargeOf } from "./services.ts";

/** The chain proxy of a sandbox. */
export interface OpenRpc {
  readonly rpc: RpcProxy;
  close(): Promise<void>;
}

/** Starts the proxy, with real nodes if anvil is found. Served requests are charged to the caller's key. */
export async function openRpc(
  { limits, nodes = true, nodeProgram }: Pick<TestConditions, "limits" | "nodes" | "nodeProgram">,
  { dialect, now, billing }: Pick<State, "dialect" | "now" | "billing">,
): Promise<OpenRpc> {
  const chains = createChains({ now, nodeBinary: nodes ? await findNode(nodeProgram) : undefined });
  const rpc = createRpcProxy({
    dialect: dialect.id,
    now,
    chains,
    enforced: limits !== "none",
    onSpent: (spent) => billing.charge(chargeOf(spent)),
  });
  return { rpc, close: () => chains.close() };
}

/**
 * The bundle looks for anvil on the PATH only, because folders around it are not trusted. The sources also look in
 * the packages of the project.
 */
async function findNode(path: string | undefined): Promise<string | undefined> {
  const here = import.meta.url;
  const folders = here.endsWith(".ts") ? [dirname(fileURLToPath(here))] : [];
  const { findAnvil } = await import("../../platform/process/anvil.ts");
  return findAnvil({ path, folders, searchPath: process.env.PATH });
}
