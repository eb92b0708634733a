import * as vscode from "vscode";
import { pickLines, plainLine } from "../../platform/editor/dialogs/pickLines.ts";
import {
  readGatewayEnabled,
  readMcpEnabled,
  readUserSetting,
  readWalletCommand,
  writeUserSetting,
} from "../../platform/settings.ts";
import type { Connections } from "../../session/connection/connections.ts";
import { type Consent, isSameConsent } from "../../session/consent/consent.ts";
import type { Consents } from "../../session/consent/consents.ts";
import type { Session } from "../../session/session.ts";
import { settings } from "../../shared/names/ids.ts";
import { plural } from "../../shared/text/plural.ts";
import { permissionFacts, permissionGroups, permissionNote } from "./permissionGroups.ts";

export interface PermissionsDeps {
  readonly consents: Consents;
  readonly connections: Pick<Connections, "all">;
  readonly session: Pick<Session, "refresh">;
}

interface Item extends vscode.QuickPickItem {
  /** Of a line with one permission. */
  readonly shown?: { readonly consent: Consent; readonly title: string };
  /** Of a line with a command that the user's settings allow. */
  readonly command?: string;
  /** Runs on Enter. */
  readonly run?: () => unknown;
}

/** Lists what the user has allowed, for whom, and revokes it. What is revoked can be restored while it is shown. */
export async function showPermissions(deps: PermissionsDeps): Promise<void> {
  const list = new PermissionList(deps);
  await list.show();
}

class PermissionList {
  readonly #deps: PermissionsDeps;
  // Not of the module, which is loaded with others that never show the list.
  readonly #revokeButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("trash"),
    tooltip: "Revoke",
  };
  readonly #restoreButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("discard"),
    tooltip: "Restore",
  };
  readonly #revokeAllButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon("clear-all"),
    tooltip: "Revoke All Permissions",
  };
  readonly #pick = vscode.window.createQuickPick<Item>();
  /** Revoked here; listed until the list closes. */
  #revoked: readonly Consent[] = [];
  /** In the order of the first sight, so that no line moves while the list is open. */
  #listed: readonly Consent[] = [];
  /** The one whose facts are shown in place of the list. */
  #open: Item["shown"];

  constructor(deps: PermissionsDeps) {
    this.#deps = deps;
  }

  show(): Promise<void> {
    const pick = this.#pick;
    pick.matchOnDescription = true;
    pick.keepScrollPosition = true;
    pick.onDidTriggerItemButton(({ item, button }) => {
      if (item.command !== undefined) void this.#disallow(item.command);
      else if (item.shown && button === this.#restoreButton) void this.#restore([item.shown.consent]);
      else if (item.shown) void this.#revoke([item.shown.consent]);
    });
    pick.onDidTriggerButton((button) => {
      if (button === this.#revokeAllButton) void this.#revoke(this.#deps.consents.all());
      else this.#back();
    });
    pick.onDidAccept(() => {
      void pick.activeItems[0]?.run?.();
    });
    this.#draw();
    pick.show();
    return new Promise((resolve) => {
      pick.onDidHide(() => {
        pick.dispose();
        resolve();
        void this.#offerUndo();
      });
    });
  }

  async #revoke(consents: readonly Consent[]): Promise<void> {
    await this.#deps.consents.revoke(consents);
    this.#revoked = [...this.#revoked, ...consents];
    this.#changed(consents);
  }

  async #restore(consents: readonly Consent[]): Promise<void> {
    await this.#deps.consents.restore(consents);
    this.#changed(consents);
  }

  /** Takes a command off the user's settings. */
  async #disallow(command: string): Promise<void> {
    try {
      await writeUserSetting(
        settings.chatAllowedCommands,
        allowedCommands().filter((one) => one !== command),
      );
    } catch (error) {
      void vscode.window.showErrorMessage(
        `The command is still allowed: ${error instanceof Error ? error.message : "the setting could not be written"}`,
      );
    }
    this.#draw();
  }

  #changed(consents: readonly Consent[]): void {
    // The clients of the connections were built with or without their wallet.
    if (consents.some(({ kind }) => kind === "wallet")) this.#deps.session.refresh();
    this.#draw();
  }

  #isRevoked(consent: Consent): boolean {
    return this.#revoked.some((revoked) => isSameConsent(revoked, consent));
  }

  #draw(): void {
    const pick = this.#pick;
    const all = this.#deps.consents.all();
    // One that was given again is not revoked any more.
    this.#revoked = this.#revoked.filter((revoked) => !all.some((given) => isSameConsent(given, revoked)));
    const known = [...all, ...this.#revoked];
    const isNew = (consent: Consent) => !this.#listed.some((listed) => isSameConsent(listed, consent));
    this.#listed = [
      ...this.#listed.flatMap((listed) => known.filter((consent) => isSameConsent(consent, listed))),
      ...known.filter(isNew),
    ];
    if (this.#open) {
      this.#drawFacts(this.#open);
      return;
    }
    const items = this.#items(this.#listed);
    const active = pick.activeItems[0]?.shown?.consent;
    pick.title = "Permissions";
    pick.placeholder = "What runs without a question. Choose a line to see it or to revoke it";
    pick.buttons = all.length > 0 ? [this.#revokeAllButton] : [];
    pick.items = items;
    const same = items.filter(({ shown }) => shown && active && isSameConsent(shown.consent, active));
    // Without an active line, Enter would do nothing.
    if (same.length > 0) pick.activeItems = same;
  }

  #items(consents: readonly Consent[]): Item[] {
    const groups = permissionGroups(consents, this.#deps.connections.all());
    const lines = groups.flatMap(({ title, heading, consents: mine }) => {
      const given = mine.filter((consent) => !this.#isRevoked(consent));
      const all: Item = {
        label: `$(clear-all) Revoke These ${given.length}`,
        description: plainLine(title),
        run: () => this.#revoke(given),
      };
      return [
        { label: plainLine(heading), kind: vscode.QuickPickItemKind.Separator },
        ...mine.map((consent) => this.#line(consent, title)),
        ...(given.length > 1 ? [all] : []),
      ];
    });
    const nothing: Item = {
      label: "Nothing is allowed without a question",
      description: "Money and data go out after a question",
    };
    return [...(lines.length > 0 ? lines : [nothing]), ...this.#settingItems()];
  }

  #line(consent: Consent, title: string): Item {
    const isRevoked = this.#isRevoked(consent);
    const words = plainLine(consent.says);
    const note = permissionNote(consent, Date.now());
    return {
      label: isRevoked ? `$(circle-slash) Revoked: ${words}` : `$(check) ${words}`,
      description: isRevoked ? "You are asked again" : note,
      buttons: [isRevoked ? this.#restoreButton : this.#revokeButton],
      shown: { consent, title },
      run: () => {
        this.#open = { consent, title };
        this.#pick.value = "";
        this.#draw();
      },
    };
  }

  #drawFacts({ consent, title }: NonNullable<Item["shown"]>): void {
    const pick = this.#pick;
    const isRevoked = this.#isRevoked(consent);
    const action: Item = isRevoked
      ? { label: "$(discard) Restore", run: () => this.#restore([consent]) }
      : { label: "$(trash) Revoke", run: () => this.#revoke([consent]) };
    pick.title = isRevoked ? "Revoked Permission" : "Permission";
    pick.placeholder = plainLine(consent.says);
    pick.buttons = [vscode.QuickInputButtons.Back];
    pick.items = [
      { ...action, alwaysShow: true },
      { label: "$(arrow-left) All Permissions", alwaysShow: true, run: () => this.#back() },
      { label: "", kind: vscode.QuickPickItemKind.Separator },
      ...pickLines(permissionFacts(consent, title)).map((label) => ({ label, alwaysShow: true })),
    ];
  }

  #back(): void {
    this.#open = undefined;
    this.#draw();
  }

  async #offerUndo(): Promise<void> {
    const count = this.#revoked.length;
    if (count === 0) return;
    const restore = "Restore";
    const sentence = `${plural(count, "permission")} ${count === 1 ? "was" : "were"} revoked. You are asked again.`;
    if ((await vscode.window.showInformationMessage(sentence, restore)) !== restore) return;
    const restored = this.#revoked;
    await this.#deps.consents.restore(restored);
    if (restored.some(({ kind }) => kind === "wallet")) this.#deps.session.refresh();
  }

  /** What the settings allow. A command is taken off here, the others are withdrawn there. */
  #settingItems(): Item[] {
    const rows: readonly (readonly [boolean, string, string])[] = [
      [readWalletCommand().length > 0, "A program that signs for wallets", settings.walletCommand],
      [readMcpEnabled(), "MCP clients can call the tools", settings.toolsMcpEnabled],
      [readGatewayEnabled(), "Other agents can use the service", settings.gatewayEnabled],
    ];
    const open = (id: string) => () => vscode.commands.executeCommand("workbench.action.openSettings", id);
    const commands = allowedCommands().map((command): Item => {
      const id = settings.chatAllowedCommands;
      const label = `$(terminal) ${plainLine(command)}`;
      return { label, description: id, command, buttons: [this.#revokeButton], run: open(id) };
    });
    const others = rows.flatMap(([isSet, label, id]): Item[] =>
      isSet ? [{ label: `$(settings-gear) ${label}`, description: id, run: open(id) }] : [],
    );
    if (commands.length + others.length === 0) return [];
    return [{ label: "By Settings", kind: vscode.QuickPickItemKind.Separator }, ...commands, ...others];
  }
}

/** Commands of the agent that the user's settings allow. */
function allowedCommands(): readonly string[] {
  const value = readUserSetting(settings.chatAllowedCommands);
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
