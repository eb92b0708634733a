import type * as vscode from "vscode";
import type { DomainCommands } from "../platform/editor/commands/domainCommands.ts";
import { stayHere } from "../platform/errors/errorActions.ts";
import { sandboxConnection } from "../session/connection/connections.ts";
import { focusChat } from "../session/focusChat.ts";
import { commands } from "../shared/names/ids.ts";
import type { ConnectionDeps } from "./deps.ts";
import { useLocalModel } from "./localModel.ts";
import { changeBaseUrl, renameConnection, signOut, switchConnection } from "./manage.ts";
import { showPermissions } from "./permissions/showPermissions.ts";
import { createDiagnosis } from "./showDiagnosis.ts";
import { signIn } from "./signIn.ts";
import { removeWallet, signInWithWallet } from "./walletSignIn.ts";

/** Signing in, switching and diagnosing. Loaded by the first command. */
export interface ConnectionFeature extends vscode.Disposable {
  readonly commands: DomainCommands<"connection">;
}

export function createConnectionFeature(deps: ConnectionDeps): ConnectionFeature {
  const { connections, session, log } = deps;
  const diagnosis = createDiagnosis(deps);
  return {
    commands: {
      async [commands.connectionSignIn](place?: unknown) {
        if ((await signIn(deps)) && place !== stayHere) await focusChat();
      },
      [commands.connectionSignInWithWallet]: () => signInWithWallet(deps),
      [commands.connectionRemoveWallet]: () => removeWallet(deps),
      async [commands.connectionUseSandbox](place?: unknown) {
        await connections.setActive(sandboxConnection.id);
        session.refresh();
        if (place !== stayHere) await focusChat();
      },
      [commands.connectionUseLocalModel]: () => useLocalModel(deps),
      [commands.connectionSwitch]: () => switchConnection(deps),
      [commands.connectionRename]: () => renameConnection(deps),
      [commands.connectionChangeUrl]: () => changeBaseUrl(deps),
      [commands.connectionSignOut]: () => signOut(deps),
      [commands.connectionShowPermissions]: () => showPermissions(deps),
      [commands.connectionDiagnose]: () => diagnosis.show(),
      [commands.connectionShowLog]: () => log.show(),
    },
    dispose: () => diagnosis.dispose(),
  };
}
