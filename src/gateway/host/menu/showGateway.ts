import * as vscode from "vscode";
import { plainLine } from "../../../platform/editor/dialogs/pickLines.ts";
import { plural } from "../../../shared/text/plural.ts";
import { agentPrograms } from "../../programs/agentPrograms.ts";
import { findProgram } from "../../programs/findProgram.ts";
import type { AgentSession } from "../../server/sessionBook.ts";
import { folderNames } from "../sessions/folderNames.ts";
import { sessionLabel } from "../sessions/sessionRows.ts";
import { showClient } from "./clientMenu.ts";
import type { GatewayMenu } from "./gatewayMenu.ts";
import { sessionFacts, showSession } from "./sessionMenu.ts";

interface Item extends vscode.QuickPickItem {
  readonly run?: () => Promise<void>;
}

/** Sessions that the list shows. */
const mostShown = 20;

/** Lists the programs that can be set up, and the sessions of this window, which change while it is open. */
export async function showGateway(menu: GatewayMenu): Promise<void> {
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = "Use with Other Agents";
  pick.placeholder = placeholderOf(menu);
  pick.busy = true;
  const programs = await programItems(menu);
  const draw = async () => {
    const names = folderNames(menu.sessions.all);
    const lines = await Promise.all(sessionsOf(menu).map((session) => sessionItem(menu, session, names)));
    const separator: Item = { label: "Sessions", kind: vscode.QuickPickItemKind.Separator };
    pick.items = [...programs, ...(lines.length > 0 ? [separator, ...lines] : [])];
    pick.busy = false;
  };
  const following = menu.onCall(() => void draw());
  pick.keepScrollPosition = true;
  await draw();
  const chosen = await new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.activeItems[0]));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  following.dispose();
  pick.dispose();
  await chosen?.run?.();
}

function placeholderOf({ listener, origin }: GatewayMenu): string {
  if (listener.state === "here") return `The agent to set up. This window listens at ${origin}/v1`;
  return `${origin} is in use by another program or another profile: set inference.gateway.port here, or wait until it is free`;
}

function programItems(menu: GatewayMenu): Promise<readonly Item[]> {
  const isWindows = process.platform === "win32";
  return Promise.all(
    agentPrograms.map(async (program): Promise<Item> => {
      const [path, clients] = await Promise.all([
        findProgram(program.commands, process.env, isWindows),
        menu.clients.all(),
      ]);
      const isSetUp = clients.some(({ name }) => name === program.name);
      const found = program.commands.length === 0 ? "" : (path ?? "not found");
      return {
        label: program.name,
        description: [isSetUp ? "has a token" : "", found].filter(Boolean).join(" · "),
        run: () => showClient(menu, program, path),
      };
    }),
  );
}

function sessionsOf({ sessions }: GatewayMenu): readonly AgentSession[] {
  return [...sessions.all].sort((one, other) => other.lastMs - one.lastMs).slice(0, mostShown);
}

async function sessionItem(
  menu: GatewayMenu,
  session: AgentSession,
  names: ReadonlyMap<string, string>,
): Promise<Item> {
  const { client, calls, running } = session;
  const state = session.refusal ? "stopped" : running.size > 0 ? "running" : "waiting";
  return {
    label: plainLine(sessionLabel(client.name, client.folder && names.get(client.folder.uri))),
    description: [state, plural(calls, "call"), await sessionFacts(menu, session)]
      .filter(Boolean)
      .join(" · "),
    run: () => showSession(menu, session),
  };
}
