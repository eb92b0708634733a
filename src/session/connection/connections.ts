import type { Memento } from "vscode";
import type { DialectChoice } from "../../api/dialect/dialect.ts";
import { environment } from "../../shared/names/ids.ts";
import type { ConnectionWallet } from "../../wallet/walletText.ts";
import type { Consent } from "../consent/consent.ts";
import type { Consents } from "../consent/consents.ts";
import { checkBaseUrl, receiverOf } from "./baseUrl.ts";
import type { Connection } from "./connection.ts";

export const sandboxConnection: Connection = {
  id: "sandbox",
  name: "Sandbox",
  kind: "sandbox",
  baseUrl: "",
  dialect: "auto",
};

/** The user's connections, stored in the global Memento. Their keys are in SecretStorage. */
export interface Connections {
  /** Connections that the user set up, in order of creation. */
  stored(): readonly Connection[];
  /** All available connections: the stored ones, the environment's, the sandbox. */
  all(): readonly Connection[];
  byId(id: string): Connection | undefined;
  activeId(): string | undefined;
  setActive(id: string | undefined): Promise<void>;
  /** Adds a connection, or replaces the one with the same id. */
  put(connection: Connection): Promise<void>;
  remove(id: string): Promise<void>;
  /** Lets a wallet pay over a connection at its present address, or no longer. */
  setWallet(id: string, wallet: ConnectionWallet | undefined): Promise<void>;
}

const listKey = "connections";
const activeKey = "activeConnection";

export function createConnections(memento: Memento, env: NodeJS.ProcessEnv, consents: Consents): Connections {
  const walletsOf = (connection: Connection) => consents.of("wallet", receiverOf(connection));
  const withWallet = (connection: Connection): Connection => {
    const [wallet] = walletsOf(connection).flatMap(readWallet);
    return wallet ? { ...connection, wallet } : connection;
  };
  const stored = () => readList(memento.get<unknown>(listKey)).map(withWallet);
  const all = () => [...stored(), ...[...fromEnvironment(env), sandboxConnection].map(withWallet)];
  return {
    stored,
    all,
    byId: (id) => all().find((connection) => connection.id === id),
    activeId: () => memento.get<string>(activeKey),
    async setActive(id) {
      await memento.update(activeKey, id);
    },
    async put({ wallet: _, ...connection }) {
      const others = readList(memento.get<unknown>(listKey));
      const index = others.findIndex(({ id }) => id === connection.id);
      const next = index < 0 ? [...others, connection] : others.with(index, connection);
      await memento.update(listKey, next);
    },
    async remove(id) {
      await memento.update(
        listKey,
        readList(memento.get<unknown>(listKey)).filter((connection) => connection.id !== id),
      );
      await consents.forget(id);
      if (memento.get(activeKey) === id) await memento.update(activeKey, undefined);
    },
    async setWallet(id, wallet) {
      const connection = all().find((known) => known.id === id);
      if (!connection) return;
      await consents.revoke(walletsOf(connection));
      if (!wallet) return;
      const { walletConsent } = await import("../consent/lastingConsents.ts");
      await consents.give(walletConsent(receiverOf(connection), wallet));
    },
  };
}

/** The connection of an ephemeral container, from its environment. Its key is read from there when it is used. */
function fromEnvironment(env: NodeJS.ProcessEnv): Connection[] {
  const key = env[environment.key];
  const checked = checkBaseUrl(env[environment.baseUrl] ?? "");
  if (!key || !checked.ok) return [];
  const connection: Connection = {
    id: "environment",
    name: "Environment",
    kind: "environment",
    baseUrl: checked.url,
    dialect: "auto",
  };
  return [connection];
}

function readList(value: unknown): Connection[] {
  return Array.isArray(value) ? value.flatMap(readConnection) : [];
}

function readConnection(value: unknown): Connection[] {
  if (typeof value !== "object" || value === null) return [];
  const { id, name, baseUrl, dialect } = value as Record<string, unknown>;
  if (typeof id !== "string" || typeof name !== "string" || typeof baseUrl !== "string") return [];
  return [{ id, name, kind: "live", baseUrl, dialect: readDialect(dialect) }];
}

function readWallet({ subject: [address = "", signer] }: Consent): ConnectionWallet[] {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return [];
  return signer === "command" || signer === "paste" ? [{ address, signer }] : [];
}

function readDialect(value: unknown): DialectChoice {
  return value === "standard" || value === "venice" ? value : "auto";
}
