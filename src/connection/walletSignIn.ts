import * as vscode from "vscode";
import { apiRoot } from "../api/call/client.ts";
import { ask, choose, pickedFrom } from "../platform/editor/dialogs/ask.ts";
import { warnModally } from "../platform/editor/dialogs/modal.ts";
import { withProgress } from "../platform/editor/dialogs/progress.ts";
import { showExplanation } from "../platform/editor/dialogs/showExplanation.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import { readWalletCommand } from "../platform/settings.ts";
import type { Connection } from "../session/connection/connection.ts";
import { settings } from "../shared/names/ids.ts";
import { shortAddress } from "../shared/rpc/hex.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";
import { readSignIn, signInChallenge, walletAddressProblem } from "../wallet/signIn.ts";
import { askWalletProgram, notSigned } from "../wallet/walletProgram.ts";
import type { ConnectionWallet } from "../wallet/walletText.ts";
import { askNewService, isValue, type SignInDeps } from "./signIn.ts";

const title = "Sign In with a Wallet";

/**
 * Lets a wallet pay over a connection in place of a key, where the service takes it. A program signs once before anything
 * is stored, and nothing is sent.
 */
export async function signInWithWallet(deps: SignInDeps): Promise<void> {
  const connection = await askConnection(deps);
  if (!connection) return;
  const address = await askAddress(connection);
  const signer = address && (await askSigner(connection));
  if (!address || !signer) return;
  const wallet = { address, signer };
  if (signer === "command" && !(await proveProgram(connection, wallet))) return;
  const { connections, session } = deps;
  if (!connections.byId(connection.id)) await connections.put(connection);
  await connections.setWallet(connection.id, wallet);
  await connections.setActive(connection.id);
  session.refresh();
  void vscode.window.showInformationMessage(
    `Chain calls, speech and picture edits over ${visibleLine(connection.name)} are now paid by ${shortAddress(address)}. Other calls need a key.`,
  );
}

/** The calls of the connection need a key again. */
export async function removeWallet({ connections, session }: SignInDeps): Promise<void> {
  const paid = connections
    .all()
    .flatMap(({ wallet, ...connection }) => (wallet ? [{ connection, wallet }] : []));
  if (paid.length === 0) {
    void vscode.window.showInformationMessage("No connection is paid by a wallet.");
    return;
  }
  const items = paid.map((value) => ({
    label: value.connection.name,
    description: shortAddress(value.wallet.address),
    value,
  }));
  const [only] = paid;
  const placeholder = "Select a connection";
  const chosen =
    paid.length === 1 ? only : pickedFrom(await choose({ title: "Remove Wallet", placeholder, items }));
  if (!chosen) return;
  const { id, name } = chosen.connection;
  const button = "Remove Wallet";
  const detail =
    "Chain calls, speech and picture edits need a key again. The wallet and its balance are unchanged.";
  const question = `Stop paying with ${shortAddress(chosen.wallet.address)} over "${name}"?`;
  if ((await warnModally(question, { detail }, button)) !== button) return;
  await connections.setWallet(id, undefined);
  session.refresh();
}

/** A connection that is set up, or a new one, which is not stored yet. */
async function askConnection(deps: SignInDeps): Promise<Connection | undefined> {
  const { connections, session } = deps;
  const active = session.active?.id;
  const known = connections.all().map((value) => ({
    label: value.name,
    description: value.wallet ? `now paid by ${shortAddress(value.wallet.address)}` : "",
    detail: value.kind === "sandbox" ? "Play money: each wallet has 1 USD." : value.baseUrl,
    value,
  }));
  const items = [
    ...known.sort((a, b) => Number(b.value.id === active) - Number(a.value.id === active)),
    { label: "Another Service…", detail: "A new connection without a key.", value: undefined },
  ];
  const placeholder = "Select the service that the wallet pays";
  const answer = await choose<Connection | undefined>({ title, placeholder, items });
  if (!isValue(answer)) return undefined;
  return answer.value ?? askNewService(deps, title);
}

async function askAddress({ wallet }: Connection): Promise<string | undefined> {
  const answer = await ask({
    title,
    prompt: "Address of the wallet. Only its address is stored, never its private key.",
    placeholder: "0x…",
    value: wallet?.address ?? "",
    problem: (value) => walletAddressProblem(value.trim()),
  });
  return isValue(answer) ? answer.value.trim() : undefined;
}

async function askSigner({ wallet }: Connection): Promise<ConnectionWallet["signer"] | undefined> {
  const [program, ...args] = readWalletCommand().map(visibleLine);
  const answer = await choose<ConnectionWallet["signer"]>({
    title,
    placeholder: "Select who signs. Each call needs a new signature.",
    active: wallet?.signer ?? (program ? "command" : "paste"),
    items: [
      {
        label: "A Program of Mine",
        detail: program
          ? [program, ...args].join(" ")
          : `Set ${settings.walletCommand} in the user settings first.`,
        value: "command",
      },
      {
        label: "I Paste a Signature for Each Call",
        detail: "Copy the message, sign it, paste the signature.",
        value: "paste",
      },
    ],
  });
  if (pickedFrom(answer) !== "command" || program) return pickedFrom(answer);
  await vscode.commands.executeCommand("workbench.action.openSettings", settings.walletCommand);
  return undefined;
}

/** True if the program signs a challenge for the service. What it signed is not sent. */
async function proveProgram(connection: Connection, wallet: ConnectionWallet): Promise<boolean> {
  // The port of the sandbox is known after its start.
  const root = apiRoot(connection.baseUrl || "http://127.0.0.1");
  const challenge = signInChallenge(root, wallet.address, Date.now());
  try {
    const answer = await withProgress("Waiting for the wallet's program to sign", (signal) =>
      askWalletProgram(readWalletCommand(), challenge, { signal }),
    );
    const read = readSignIn(answer, challenge, { nowMs: Date.now(), isUsed: () => false });
    if (typeof read === "string") throw notSigned(`the program's answer can't be sent: ${read}`);
    return true;
  } catch (error) {
    const explained = explain(error, { service: connection.name });
    const actions = explained.actions.filter(({ id }) => id !== "retry");
    await showExplanation({ ...explained, actions });
    return false;
  }
}
