import { basename, dirname, extname } from "node:path";
import * as vscode from "vscode";
import { warnModally } from "../../../../platform/editor/dialogs/modal.ts";
import { writeDurably } from "../../../../platform/files/durable/durableFile.ts";
import type { TemporaryFiles } from "../../../../platform/files/durable/temporaryFiles.ts";
import { csvCell, safeCsvCell } from "../../../../shared/text/csvCell.ts";
import type { AccountTools } from "../addAdmin.ts";
import { countOfKeys } from "../keyOwner.ts";
import { ignoredState, triedOrSaid } from "../secret.ts";
import { envText, type MadeKey } from "./keyBatch.ts";

interface Action extends vscode.QuickPickItem {
  /** Resolves to a confirmation; undefined if nothing was done. */
  readonly run?: () => Promise<string | undefined>;
}

/** Shows the secrets of new keys once, until the user is done: in one list, to copy them, or to save them into a file. */
export async function showSecretsOnce(made: readonly MadeKey[], tools: AccountTools): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const action = await vscode.window.showQuickPick(actionsFor(made, tools), {
      title: `The secrets of ${countOfKeys(made.length)} are shown this once`,
      placeHolder: [...done].join(" ") || "Save them now. They can't be shown again.",
      ignoreFocusOut: true,
    });
    if (action?.run) {
      const confirmation = await triedOrSaid(action.run);
      if (confirmation) done.add(confirmation);
    } else if (done.size > 0 || (await confirmsLoss(made))) return;
  }
}

function actionsFor(made: readonly MadeKey[], { clipboard, temporary }: AccountTools): readonly Action[] {
  const copied = async (text: string, confirmation: string) => {
    await clipboard.copy(text);
    return confirmation;
  };
  return [
    {
      label: "Save to a File…",
      detail:
        "CSV with name, id and secret, or a .env file with a variable for each key. Only you can read it.",
      iconPath: new vscode.ThemeIcon("save"),
      run: () => save(made, temporary),
    },
    {
      label: "Copy All",
      detail: "One line per key: name, tab, secret. Removed from the clipboard after 60 seconds.",
      iconPath: new vscode.ThemeIcon("copy"),
      run: () => copied(made.map(({ name, secret }) => `${name}\t${secret}\n`).join(""), "Copied all."),
    },
    { label: "Done", iconPath: new vscode.ThemeIcon("check") },
    { label: "Copy one", kind: vscode.QuickPickItemKind.Separator },
    ...made.map(({ name, secret }) => ({
      label: name,
      detail: secret,
      iconPath: new vscode.ThemeIcon("key"),
      run: () => copied(secret, `Copied ${name}.`),
    })),
  ];
}

/** Undefined if the user left the dialog, or git would include the file in a commit. */
async function save(made: readonly MadeKey[], temporary: TemporaryFiles): Promise<string | undefined> {
  const target = await vscode.window.showSaveDialog({
    title: "Save the Secrets",
    filters: { CSV: ["csv"], Environment: ["env"] },
  });
  if (!target) return undefined;
  const path = target.fsPath;
  if (target.scheme !== "file") return undefined;
  if ((await ignoredState(dirname(path), basename(path))) === "not-ignored") return undefined;
  const isEnv = extname(path) === ".env" || basename(path).startsWith(".env");
  if (isEnv && made.some(({ secret }) => !/^[\w.~+/=:@%-]+$/.test(secret))) {
    await warnModally(
      "A secret contains characters with a special meaning in a .env file. Save it as CSV.",
      {},
    );
    return undefined;
  }
  // A mark in front of it would make it another secret.
  if (!isEnv && made.some(({ secret }) => safeCsvCell(secret) !== csvCell(secret))) {
    await warnModally(
      "A secret begins like a formula of a spreadsheet. Save it as a .env file, or copy it.",
      {},
    );
    return undefined;
  }
  const text = isEnv ? envText(made) : csvText(made);
  await writeDurably(path, text, undefined, temporary.beside(path));
  return `Saved in ${basename(path)}.`;
}

function csvText(made: readonly MadeKey[]): string {
  const rows = [["name", "id", "secret"], ...made.map(({ name, id, secret }) => [name, id, secret])];
  return rows.map((row) => `${row.map(safeCsvCell).join(",")}\r\n`).join("");
}

async function confirmsLoss(made: readonly MadeKey[]): Promise<boolean> {
  const button = "Close Without Saving";
  const answer = await warnModally(
    `The secrets of ${countOfKeys(made.length)} were neither copied nor saved.`,
    { detail: "They can't be shown again. You can revoke the keys and create others." },
    button,
  );
  return answer === button;
}
