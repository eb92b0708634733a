import type { Keys } from "../../platform/keys.ts";
import { sandboxKeyPrefix } from "../../shared/names/ids.ts";
import { isLoopback, originOf } from "./baseUrl.ts";
import type { Connection } from "./connection.ts";
import { type Connections, sandboxConnection } from "./connections.ts";

const form = new RegExp(`^${sandboxKeyPrefix}(?:admin|inference)-[\\w-]{32}$`);

/**
 * True for a key of a sandbox of this machine. Its address lasts as long as a window, and its money is play money: stored
 * as a connection it would count as real money, and be dead after a reload.
 */
export function isSandboxKey(baseUrl: string, key: string): boolean {
  return form.test(key.trim()) && isLoopback(baseUrl.trim());
}

/** What is told of a key that is not stored. */
export const sandboxKeyWords =
  "This key belongs to the sandbox of a window, which needs no key here. The sandbox answers now, and charges play money.";

/**
 * Replaces stored connections that are a sandbox, as earlier versions stored them, by the sandbox itself. Resolves with
 * their names.
 */
export async function replaceSandboxConnections(
  connections: Connections,
  keys: Pick<Keys, "read" | "erase">,
): Promise<readonly string[]> {
  const replaced: Connection[] = [];
  for (const connection of connections.stored()) {
    const origin = isLoopback(connection.baseUrl) ? originOf(connection.baseUrl) : undefined;
    const key = origin && (await keys.read(connection.id, origin));
    if (key && isSandboxKey(connection.baseUrl, key)) replaced.push(connection);
  }
  for (const { id } of replaced) {
    if (connections.activeId() === id) await connections.setActive(sandboxConnection.id);
    await connections.remove(id);
    // Other windows notice that a key is gone, and read the connections again.
    await keys.erase(id);
  }
  return replaced.map(({ name }) => name);
}
