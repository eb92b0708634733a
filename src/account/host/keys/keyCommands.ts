import * as vscode from "vscode";
import type { DomainCommands } from "../../../platform/editor/commands/domainCommands.ts";
import { commands, views } from "../../../shared/names/ids.ts";
import type { Account } from "../accountOf.ts";
import type { Dashboard } from "../dashboard/dashboardPanel.ts";
import type { AccountTools } from "./addAdmin.ts";
import { editKeys, revokeKeys } from "./bulk/editKeys.ts";
import { createKey } from "./createKey.ts";
import { revokeKey, updateKey } from "./editKey.ts";
import { readKeyFacts } from "./keyFacts.ts";
import { KeyNotices } from "./keyNotices.ts";
import { rotateKey } from "./rotation/rotateKey.ts";

interface KeyCommandsDeps {
  readonly tools: AccountTools;
  readonly account: () => Account | undefined;
  /** Runs what may change the account, and reads it again if it has. */
  readonly change: (run: (of: Account) => Promise<boolean>) => Promise<void>;
  readonly dashboard: Pick<Dashboard, "show" | "showKey">;
  /** Draws the keys again. */
  readonly redraw: () => void;
}

type KeyCommandId = Extract<
  keyof DomainCommands<"account">,
  | typeof commands.accountCreateKey
  | typeof commands.accountEditKey
  | typeof commands.accountRevokeKey
  | typeof commands.accountRotateKey
  | typeof commands.accountShowKeyCalls
>;

/** The commands that make and change keys. On several selected rows, or on a group, they do it to all of its keys. */
export function keyCommands({ tools, account, change, dashboard, redraw }: KeyCommandsDeps): {
  readonly commands: Pick<DomainCommands<"account">, KeyCommandId>;
  /** Takes a list of keys that was read. */
  readonly seen: KeyNotices["seen"];
} {
  const edit = (ids: readonly string[]) =>
    change((of) => (ids.length > 1 ? editKeys(of, ids, tools) : updateKey(of, ids[0], tools)));
  const revoke = (ids: readonly string[]) =>
    change((of) => (ids.length > 1 ? revokeKeys(of, ids, tools) : revokeKey(of, ids[0], tools)));
  const show = () => vscode.commands.executeCommand(`${views.keys}.focus`);
  const notices = new KeyNotices({ tools, edit, show, onRevoked: redraw });
  return {
    seen: (of, list) => notices.seen(of, list),
    commands: {
      [commands.accountCreateKey]: () => change((of) => createKey(of, tools)),
      [commands.accountEditKey]: (row, rows) => edit(keyIdsIn(row, rows)),
      [commands.accountRevokeKey]: (row, rows) => revoke(keyIdsIn(row, rows)),
      [commands.accountRotateKey]: (row) => change((of) => rotateKey(of, textIn(row, "keyId"), tools)),
      [commands.accountShowKeyCalls]: (row) => showCalls(account(), textIn(row, "keyId"), dashboard),
    },
  };
}

/** Shows the calls and records of a key in the dashboard. Without its end they can't be told apart from others. */
async function showCalls(
  of: Account | undefined,
  id: string | undefined,
  dashboard: KeyCommandsDeps["dashboard"],
): Promise<void> {
  if (!of || id === undefined) return;
  const { endings } = await readKeyFacts(of.data, false);
  const ending = endings.get(id) ?? (await of.data.key(id).load()).value?.last6;
  if (ending !== undefined) return dashboard.showKey(ending);
  dashboard.show();
  await vscode.window.showInformationMessage(
    "The service does not tell how this key ends, so its calls can't be told apart from others.",
  );
}

/** The keys of the selected rows, or of the one that a command was called on; also those of a group. */
function keyIdsIn(row: unknown, rows: unknown): readonly string[] {
  const selected = Array.isArray(rows) && rows.length > 0 ? rows : [row];
  const ids = selected.flatMap((one) => {
    const { keyIds } = (one ?? {}) as { readonly keyIds?: unknown };
    const group = Array.isArray(keyIds) ? keyIds.filter((id) => typeof id === "string") : [];
    return [...group, textIn(one, "keyId")].filter((id) => id !== undefined);
  });
  return [...new Set(ids)];
}

/** A member of the row that a command was called on; undefined without a row. */
export function textIn(row: unknown, member: "keyId" | "copyText"): string | undefined {
  const { [member]: text } = (row ?? {}) as Partial<Record<typeof member, unknown>>;
  return typeof text === "string" ? text : undefined;
}
