import type { LogOutputChannel } from "vscode";
import { ask } from "../../../platform/editor/dialogs/ask.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import type { Keys } from "../../../platform/keys.ts";
import { originOf } from "../../../session/connection/baseUrl.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Connections } from "../../../session/connection/connections.ts";
import type { Session } from "../../../session/session.ts";
import type { Account, AccountMemory } from "../accountOf.ts";
import type { SecretClipboard } from "./secretClipboard.ts";

/** Dependencies of the account's commands. */
export interface AccountTools {
  readonly session: Session;
  readonly connections: Connections;
  readonly keys: Keys;
  readonly memory: AccountMemory;
  readonly log: LogOutputChannel;
  readonly clipboard: SecretClipboard;
  /** Files beside those of the user that are replaced. */
  readonly temporary: TemporaryFiles;
}

/** Asks for a key of type ADMIN, verifies it, and stores it as a connection that only these views use. */
export async function addAdminConnection({ connection }: Account, tools: AccountTools): Promise<boolean> {
  const { session, memory } = tools;
  const { root } = await session.clientOf(connection, { kind: "account" });
  const answer = await ask({
    title: "Add an ADMIN Key for the Account View",
    prompt: `Key of type ADMIN for ${new URL(root).host}. It is used to read the account and manage keys. Chats and other calls continue to use their own key.`,
    placeholder: "Paste the key",
    password: true,
    problem: (value) => (value.trim() === "" ? "Paste the key that the service gave you." : undefined),
    prove: (value, signal) => proveAdmin(session, connection, root, value.trim(), signal),
  });
  if (typeof answer !== "object") return false;
  const admin = await saveConnection(
    tools,
    { ...connection, baseUrl: root },
    answer.value.trim(),
    `${connection.name} (admin)`,
  );
  if (!admin) return false;
  await memory.setAdmin(connection.id, admin.id);
  session.refresh();
  return true;
}

/** Stores a key as another connection to the same service. */
export async function saveConnection(
  { connections, keys }: Pick<AccountTools, "connections" | "keys">,
  { baseUrl, dialect }: Connection,
  key: string,
  preferred: string,
): Promise<Connection | undefined> {
  const origin = originOf(baseUrl);
  if (!origin) return undefined;
  const taken = new Set(connections.all().map(({ name }) => name));
  let name = preferred;
  for (let count = 2; taken.has(name); count++) name = `${preferred} ${count}`;
  const saved: Connection = { id: crypto.randomUUID(), name, kind: "live", baseUrl, dialect };
  await keys.write(saved.id, origin, key);
  await connections.put(saved);
  return saved;
}

async function proveAdmin(
  session: Session,
  { dialect }: Connection,
  baseUrl: string,
  key: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { api } = await session.tryOut({ baseUrl, dialect, key });
    await api.billing.analytics({ lookback: "7d" }, { signal });
    return undefined;
  } catch (error) {
    return explain(error, { service: new URL(baseUrl).host }).sentence;
  }
}
