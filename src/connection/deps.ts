import type { LogOutputChannel } from "vscode";
import type { Keys } from "../platform/keys.ts";
import type { ChosenModels } from "../session/chosenModels.ts";
import type { Connections } from "../session/connection/connections.ts";
import type { Consents } from "../session/consent/consents.ts";
import type { Session } from "../session/session.ts";

export interface ConnectionDeps {
  readonly connections: Connections;
  readonly consents: Consents;
  readonly keys: Keys;
  readonly session: Session;
  readonly chosenModels: ChosenModels;
  readonly extensionVersion: string;
  readonly log: LogOutputChannel;
}
