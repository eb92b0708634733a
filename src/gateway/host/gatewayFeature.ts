import { join } from "node:path";
import * as vscode from "vscode";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { askModally } from "../../platform/editor/dialogs/modal.ts";
import { createTemporaryFiles, temporaryListsIn } from "../../platform/files/durable/temporaryFiles.ts";
import { readGatewayEnabled, readGatewayPort, writeUserSetting } from "../../platform/settings.ts";
import { isMembers } from "../../shared/members.ts";
import { commands, settings } from "../../shared/names/ids.ts";
import { Address } from "../address/window/address.ts";
import { ClientBook } from "../clients/clientBook.ts";
import { WrittenBook } from "../programs/configuration/writtenBook.ts";
import { type AgentSession, SessionBook } from "../server/sessionBook.ts";
import type { GatewayHostDeps } from "./deps.ts";
import { GatewayListener } from "./gatewayListener.ts";
import { ConfigDiffs } from "./menu/configDiffs.ts";
import { showGateway } from "./menu/showGateway.ts";
import { openService } from "./openService.ts";
import { openSessionsView } from "./sessions/sessionsView.ts";
import { pauseSession, resumeSession, stopSession } from "./sessions/stopSession.ts";

/** Milliseconds for which a call waits while a window is reloaded. */
const holdMs = 30_000;
/** Milliseconds for which the port is kept after the last window was closed. */
const aloneMs = 120_000;

/** The gateway of this window: the service for other agents on this machine. */
export interface GatewayFeature extends vscode.Disposable {
  /** Follows the settings. Never rejects. */
  follow(): Promise<void>;
  readonly commands: DomainCommands<"gateway">;
}

export function createGatewayFeature(deps: GatewayHostDeps): GatewayFeature {
  const { session, handoff, log, extensionUri, extensionVersion, globalStorageUri } = deps;
  const folder = vscode.Uri.joinPath(globalStorageUri, "gateway").fsPath;
  const clients = new ClientBook({ folder, now: Date.now });
  const temporary = createTemporaryFiles(temporaryListsIn(globalStorageUri.fsPath));
  const config = { book: new WrittenBook(join(folder, "written")), temporary };
  const diffs = new ConfigDiffs();
  const sessions = new SessionBook(Date.now);
  const called = new vscode.EventEmitter<void>();
  const listener = new GatewayListener(
    {
      clientOf: (token) => clients.find(token),
      open: (agent) => openService(session, agent),
      sessions,
      now: Date.now,
      onCall: () => called.fire(),
    },
    (error) => log.warn(`the gateway waits for its port: ${error}`),
    new Address({
      script: vscode.Uri.joinPath(extensionUri, "dist", "gateway.js").fsPath,
      folder,
      version: extensionVersion,
      holdMs,
      aloneMs,
    }),
  );
  const view = openSessionsView({ session, sessions, onChange: called.event });
  /** A command on a row of the view. */
  const onSession = (change: (agent: AgentSession) => void) => (row: unknown) => {
    const agent = sessions.all.find(({ id }) => isMembers(row) && row.id === id);
    if (!agent) return;
    change(agent);
    called.fire();
  };
  const follow = async () => {
    await (readGatewayEnabled() ? listener.listen(readGatewayPort()) : listener.stop());
  };
  return {
    follow,
    commands: {
      async [commands.gatewaySetUp]() {
        if (!readGatewayEnabled() && !(await turnOn())) return;
        await follow();
        await showGateway({
          session,
          handoff,
          clients,
          config,
          diffs,
          sessions,
          onCall: called.event,
          onSession: () => called.fire(),
          listener,
          origin: `http://127.0.0.1:${readGatewayPort()}`,
        });
      },
      [commands.gatewayPauseSession]: onSession(pauseSession),
      [commands.gatewayStopSession]: onSession(stopSession),
      [commands.gatewayResumeSession]: onSession(resumeSession),
      [commands.gatewayApplyChange]: (address) => diffs.answer(address, true),
      [commands.gatewayLeaveFile]: (address) => diffs.answer(address, false),
    },
    dispose() {
      view.dispose();
      diffs.dispose();
      called.dispose();
      temporary.dispose();
      void listener.leave();
    },
  };
}

/** Asks whether other programs may use the service at all. The setting starts the gateway in all windows. */
async function turnOn(): Promise<boolean> {
  const button = "Turn On and Continue";
  const detail = [
    `Programs on this machine, such as Claude Code, Codex, OpenCode and Cline, can then use your service at http://127.0.0.1:${readGatewayPort()}, each with a token of its own and a cap for each of its sessions. Your key stays in VS Code.`,
    `Their calls are paid by the active connection, and count for your budgets. This turns on the setting ${settings.gatewayEnabled}.`,
  ];
  const answer = await askModally(
    "Let other agents use your service?",
    { detail: detail.join("\n") },
    button,
  );
  if (answer !== button) return false;
  await writeUserSetting(settings.gatewayEnabled, true);
  return true;
}
