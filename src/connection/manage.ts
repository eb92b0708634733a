import * as vscode from "vscode";
import { ask } from "../platform/editor/dialogs/ask.ts";
import { warnModally } from "../platform/editor/dialogs/modal.ts";
import { checkBaseUrl, originOf } from "../session/connection/baseUrl.ts";
import type { Connection } from "../session/connection/connection.ts";
import { isSandboxKey } from "../session/connection/sandboxKeys.ts";
import { commands } from "../shared/names/ids.ts";
import { shortAddress } from "../shared/rpc/hex.ts";
import { walletText } from "../wallet/walletText.ts";
import {
  askForKey,
  baseUrlProblem,
  isValue,
  nameProblem,
  proveKey,
  type SignInDeps,
  useSandboxInstead,
} from "./signIn.ts";

interface ConnectionItem extends vscode.QuickPickItem {
  readonly connection?: Connection;
  /** Runs this command in place of a switch. */
  readonly command?: string;
}

/** Lets the user choose the active service. */
export async function switchConnection({ connections, session }: SignInDeps): Promise<void> {
  const active = session.active?.id;
  const items: ConnectionItem[] = connections.all().map((connection) => ({
    ...toItem(connection),
    description: connection.id === active ? "active" : "",
  }));
  const others: ConnectionItem[] = [
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(add) Sign In to Another Service…", command: commands.connectionSignIn },
    { label: "$(credit-card) Sign In with a Wallet…", command: commands.connectionSignInWithWallet },
  ];
  others.push({ label: "$(server) Use a Local Model…", command: commands.connectionUseLocalModel });
  if (connections.all().some(({ wallet }) => wallet !== undefined))
    others.push({ label: "$(close) Remove a Wallet…", command: commands.connectionRemoveWallet });
  if (connections.stored().length > 0) {
    others.push(
      { label: "$(edit) Rename a Connection…", command: commands.connectionRename },
      { label: "$(link) Change a Base URL…", command: commands.connectionChangeUrl },
      { label: "$(sign-out) Sign Out…", command: commands.connectionSignOut },
    );
  }
  others.push(
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    { label: "$(shield) Permissions…", command: commands.connectionShowPermissions },
    { label: "VS Code's own chat and other extensions", kind: vscode.QuickPickItemKind.Separator },
    {
      label: "$(comment-discussion) Use These Models in VS Code's Chat…",
      command: commands.languageModelsUseInVsCode,
    },
    {
      label: "$(extensions) Extensions That Use the Models…",
      command: commands.languageModelsChooseExtensions,
    },
  );
  const picked = await vscode.window.showQuickPick([...items, ...others], {
    title: "Switch Service",
    placeHolder: "Select a service",
    matchOnDetail: true,
  });
  if (picked?.command) await vscode.commands.executeCommand(picked.command);
  if (!picked?.connection) return;
  await connections.setActive(picked.connection.id);
  session.refresh();
}

export async function renameConnection(deps: SignInDeps): Promise<void> {
  const connection = await pickStored(deps, "Rename Connection");
  if (!connection) return;
  const answer = await ask({
    title: "Rename Connection",
    prompt: `New name of "${connection.name}".`,
    value: connection.name,
    problem: (value) => nameProblem(deps.connections, value, connection.id),
  });
  if (!isValue(answer)) return;
  await deps.connections.put({ ...connection, name: answer.value.trim() });
  deps.session.refresh();
}

/** Changes the address of a connection. Another origin needs a new key, because the old one is never sent there. */
export async function changeBaseUrl(deps: SignInDeps): Promise<void> {
  const title = "Change Base URL";
  const connection = await pickStored(deps, title);
  if (!connection) return;
  const answer = await ask({
    title,
    prompt: `New address of "${connection.name}".`,
    value: connection.baseUrl,
    problem: baseUrlProblem,
    async prove(value, signal) {
      // Another origin is verified with the new key.
      const typed = checkBaseUrl(value);
      if (!typed.ok || typed.origin !== originOf(connection.baseUrl)) return undefined;
      const key = await deps.keys.read(connection.id, typed.origin);
      const { dialect } = connection;
      return key === undefined
        ? undefined
        : proveKey(deps.session, { baseUrl: typed.url, dialect, key }, signal);
    },
  });
  const checked = isValue(answer) ? checkBaseUrl(answer.value) : undefined;
  if (!checked?.ok) return;
  if (checked.origin !== originOf(connection.baseUrl) && !(await isKeyless(deps, connection))) {
    const key = await askForKey(deps.session, title, checked.url, connection.dialect);
    if (!isValue(key)) return;
    if (isSandboxKey(checked.url, key.value)) return useSandboxInstead(deps);
    await deps.keys.write(connection.id, checked.origin, key.value);
  }
  const moved = { ...connection, baseUrl: checked.url };
  const { wallet } = connection;
  const isElsewhere = checked.origin !== originOf(connection.baseUrl);
  const paysThere = wallet && isElsewhere && (await mayPayAt(checked.origin, wallet.address));
  await deps.connections.put(moved);
  if (paysThere) await deps.connections.setWallet(connection.id, wallet);
  deps.session.refresh();
}

/** A wallet that pays at one address was not allowed to pay at another one. */
async function mayPayAt(origin: string, address: string): Promise<boolean> {
  const button = "Pay There, Too";
  const detail =
    "Each call there is then paid by the wallet where the service takes it. Without it, the connection needs a key.";
  const question = `Let the wallet ${shortAddress(address)} pay at ${origin}?`;
  return (await warnModally(question, { detail }, button)) === button;
}

/** True if a wallet pays over this connection, and no key is stored for it. A wallet signs for each address anew. */
async function isKeyless({ keys }: SignInDeps, { id, baseUrl, wallet }: Connection): Promise<boolean> {
  const origin = originOf(baseUrl);
  return wallet !== undefined && (origin === undefined || (await keys.read(id, origin)) === undefined);
}

/** Removes a connection and deletes its key from SecretStorage. */
export async function signOut({ connections, keys, session }: SignInDeps): Promise<void> {
  const connection = await pickStored({ connections, keys, session }, "Sign Out");
  if (!connection) return;
  const button = "Sign Out";
  const answer = await warnModally(
    `Sign out of "${connection.name}"?`,
    {
      detail:
        "Its key is deleted from the secret storage of VS Code. The service still accepts the key until you revoke it there.",
    },
    button,
  );
  if (answer !== button) return;
  await keys.erase(connection.id);
  await connections.remove(connection.id);
  session.refresh();
}

/** The only stored connection, or the one that the user picks. Shows a message if no connection is stored. */
async function pickStored(
  { connections, session }: SignInDeps,
  title: string,
): Promise<Connection | undefined> {
  const stored = connections.stored();
  if (stored.length === 0) {
    const signIn = "Sign In";
    const answer = await vscode.window.showInformationMessage("No connection is set up yet.", signIn);
    if (answer === signIn) await vscode.commands.executeCommand(commands.connectionSignIn);
    return undefined;
  }
  const items = stored.map(toItem).sort((a, b) => rank(b, session) - rank(a, session));
  const picked = await vscode.window.showQuickPick(items, { title, placeHolder: "Select a connection" });
  return picked?.connection;
}

function rank({ connection }: ConnectionItem, { active }: SignInDeps["session"]): number {
  return connection?.id === active?.id ? 1 : 0;
}

const icons: Readonly<Record<Connection["kind"], string>> = {
  live: "$(plug)",
  sandbox: "$(beaker)",
  environment: "$(vm)",
};

function toItem(connection: Connection): ConnectionItem & { readonly connection: Connection } {
  const { kind, name, wallet } = connection;
  const detail = detailOf(connection);
  return {
    label: `${icons[kind]} ${name}`,
    detail: wallet ? `${detail} · $(credit-card) ${walletText(wallet)}` : detail,
    connection,
  };
}

function detailOf({ kind, baseUrl }: Connection): string {
  if (kind === "sandbox")
    return "A local simulation of the service: no key, no cost, no data leaves this machine.";
  return kind === "environment" ? `${baseUrl} (from environment variables, read-only)` : baseUrl;
}
