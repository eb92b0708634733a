import * as vscode from "vscode";
import { Domain } from "../platform/domain.ts";
import { afterActivation } from "../platform/editor/afterActivation.ts";
import { Lazy } from "../platform/lazy.ts";
import type { Connection } from "../session/connection/connection.ts";
import { contexts, settings } from "../shared/names/ids.ts";
import type { ConnectionFeature } from "./connectionFeature.ts";
import type { ConnectionDeps } from "./deps.ts";

/** Sign-in and connection commands. Their implementation is loaded on first use. */
export function registerConnection(deps: ConnectionDeps): Domain<ConnectionFeature> {
  const { session } = deps;
  const showState = (active: Connection | undefined) =>
    vscode.commands.executeCommand("setContext", contexts.connection, active?.kind ?? "none");
  return new Domain(
    new Lazy(async () => (await import("./connectionFeature.ts")).createConnectionFeature(deps)),
    afterActivation(
      async () => {
        void showState(session.active);
        const { followSandboxKeys, registerConnectionStatus } = await import("./connectionStatus.ts");
        await followSandboxKeys(deps);
        return registerConnectionStatus(session);
      },
      (error) => deps.log.error(String(error)),
    ),
    session.onDidChangeActive(showState),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration(settings.sandboxModelServers)) return;
      await (await import("./localModel.ts")).reportWrongServers();
    }),
  );
}
