import type { Memento } from "vscode";
import type { DialectChoice } from "../../api/dialect/dialect.ts";
import { environment } from "../../shared/ids.ts";
import { checkBaseUrl } from "./baseUrl.ts";
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
}

const listKey = "connections";
const activeKey = "activeConnection";

export function createConnections(memento: Memento, env: NodeJS.ProcessEnv): Connections {
  const stored = () => readList(memento.get<unknown>(listKey));
  const all = () => [...stored(), ...fromEnvironment(env), sandboxConnection];
  return {
    stored,
    all,
    byId: (id) => all().find((connection) => connection.id === id),
    activeId: () => memento.get<string>(activeKey),
    async setActive(id) {
      await memento.update(activeKey, id);
    },
    async put(connection) {
      const others = stored();
      const index = others.findIndex(({ id }) => id === connection.id);
      const next = index < 0 ? [...others, connection] : others.with(index, connection);
      await memento.update(listKey, next);
    },
    async remove(id) {
      await memento.update(
        listKey,
        stored().filter((connection) => connection.id !== id),
      );
      if (memento.get(activeKey) === id) await memento.update(activeKey, undefined);
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

function readDialect(value: unknown): DialectChoice {
  return value === "standard" || value === "venice" ? value : "auto";
}
