import type { Disposable, Event, SecretStorage } from "vscode";
import * as vscode from "vscode";
import { membersOf } from "../shared/members.ts";
import { parseJson } from "../shared/text/json/parseJson.ts";

/** Keys in SecretStorage, each bound to the origin for which it was entered. */
export interface Keys extends Disposable {
  /** The key of a connection; undefined if it is missing, or was entered for another origin. */
  read(connectionId: string, origin: string): Promise<string | undefined>;
  write(connectionId: string, origin: string, key: string): Promise<void>;
  erase(connectionId: string): Promise<void>;
  /** Fires with a connection's id when its key changes in any window. */
  readonly onDidChange: Event<string>;
}

const prefix = "inference.key.";

export function createKeys(secrets: SecretStorage): Keys {
  const changed = new vscode.EventEmitter<string>();
  const subscription = secrets.onDidChange(({ key }) => {
    if (key.startsWith(prefix)) changed.fire(key.slice(prefix.length));
  });
  return {
    async read(connectionId, origin) {
      const bound = parseBound(await secrets.get(prefix + connectionId));
      return bound?.origin === origin ? bound.key : undefined;
    },
    async write(connectionId, origin, key) {
      await secrets.store(prefix + connectionId, JSON.stringify({ origin, key }));
    },
    async erase(connectionId) {
      await secrets.delete(prefix + connectionId);
    },
    onDidChange: changed.event,
    dispose() {
      subscription.dispose();
      changed.dispose();
    },
  };
}

function parseBound(stored: string | undefined): { origin: string; key: string } | undefined {
  // A key without an origin is never sent.
  const { origin, key } = membersOf(stored === undefined ? undefined : parseJson(stored));
  return typeof origin === "string" && typeof key === "string" ? { origin, key } : undefined;
}
