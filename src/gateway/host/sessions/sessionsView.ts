import * as vscode from "vscode";
import { plainLine } from "../../../platform/editor/dialogs/pickLines.ts";
import type { Session } from "../../../session/session.ts";
import { views } from "../../../shared/names/ids.ts";
import type { SessionBook } from "../../server/sessionBook.ts";
import { burnMs, type SessionRow, type SessionState, sessionRows, shownMs } from "./sessionRows.ts";

interface SessionsViewDeps {
  readonly session: Pick<Session, "active" | "spend">;
  readonly sessions: SessionBook;
  /** A call began or ended, or a session was stopped. */
  readonly onChange: vscode.Event<void>;
}

/** Calls that follow each other at once are drawn together. */
const pauseMs = 500;
const icons: Readonly<Record<SessionState, string>> = {
  running: "sync",
  waiting: "circle-outline",
  stopped: "debug-pause",
  elsewhere: "window",
};

/** The sessions of other agents, which change with each call. */
export function openSessionsView({ session, sessions, onChange }: SessionsViewDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let [pause, quiet]: (NodeJS.Timeout | undefined)[] = [];
  const following = onChange(() => {
    pause ??= setTimeout(() => {
      pause = undefined;
      changed.fire();
    }, pauseMs);
    // Once, when the last call no longer says how fast a session spends.
    clearTimeout(quiet);
    quiet = setTimeout(() => changed.fire(), burnMs);
    quiet.unref();
  });
  const rows = async () => {
    const { active } = session;
    const nowMs = Date.now();
    const began = sessions.all.reduce((first, { beganMs }) => Math.min(first, beganMs), nowMs - shownMs);
    const entries = active ? await (await session.spend()).entries(active, began) : [];
    return [...sessionRows(sessions.all, entries, nowMs)];
  };
  const view = vscode.window.createTreeView<SessionRow>(views.agentSessions, {
    treeDataProvider: { onDidChangeTreeData: changed.event, getChildren: rows, getTreeItem: itemOf },
  });
  const showing = view.onDidChangeVisibility(({ visible }) => visible && changed.fire());
  return vscode.Disposable.from(view, changed, following, showing, {
    dispose() {
      clearTimeout(pause);
      clearTimeout(quiet);
    },
  });
}

function itemOf({ id, label, description, state }: SessionRow): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLine(label));
  item.id = id;
  item.description = plainLine(description);
  item.iconPath = new vscode.ThemeIcon(icons[state]);
  item.contextValue = state;
  item.tooltip = `${plainLine(label)}: ${plainLine(description)}`;
  item.accessibilityInformation = { label: `${plainLine(label)}, ${plainLine(description)}` };
  return item;
}
