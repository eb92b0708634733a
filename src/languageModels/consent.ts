import * as vscode from "vscode";
import { visibleItem } from "../platform/editor/dialogs/ask.ts";
import { consentModally } from "../platform/editor/dialogs/modal.ts";
import { receiverOf } from "../session/connection/baseUrl.ts";
import type { Connection } from "../session/connection/connection.ts";
import type { Connections } from "../session/connection/connections.ts";
import type { ConsentKey } from "../session/consent/consent.ts";
import type { Consents } from "../session/consent/consents.ts";
import { extensionId } from "../shared/names/ids.ts";
import { untilAborted } from "../shared/untilAborted.ts";

/** The user's decisions about other extensions that use the models: one per extension and receiver. */
export interface Consent {
  /**
   * Resolves once the extension may use the connection; asks the user the first time. Throws LanguageModelError
   * `NoPermissions` after a refusal, and the signal's reason on abort.
   */
  obtain(extension: string, connection: Connection, signal: AbortSignal): Promise<void>;
  /** Allowed ones of all windows, and those that were refused in this window. */
  decisions(): readonly Decision[];
  /** Allows exactly these of the decisions. */
  allow(allowed: readonly Decision[]): Promise<void>;
}

interface Decision {
  /** Lower case. */
  readonly extension: string;
  /** See `receiverOf`. */
  readonly receiver: string;
  readonly isAllowed: boolean;
}

const longestName = 80;

export function createConsent(consents: Consents): Consent {
  const asking = new Map<string, Promise<boolean>>();
  /** Refused in this window: an extension that repeats its request must not repeat the question. */
  const refused = new Set<string>();
  const allowed = () => consents.all().filter(({ kind }) => kind === "extension");
  const give = (extension: string, receiver: string) =>
    consents.give({ ...consentKey(extension, receiver), says: extensionName(extension) });
  const ask = async (extension: string, connection: Connection): Promise<boolean> => {
    const key = keyOf(extension, receiverOf(connection));
    const isAllowed = await question(extension, connection);
    if (isAllowed) await give(extension, receiverOf(connection));
    else refused.add(key);
    return isAllowed;
  };
  const askOnce = (extension: string, connection: Connection) => {
    const key = keyOf(extension, receiverOf(connection));
    const open = asking.get(key) ?? ask(extension, connection).finally(() => asking.delete(key));
    asking.set(key, open);
    return open;
  };
  return {
    async obtain(extension, connection, signal) {
      const receiver = receiverOf(connection);
      const key = keyOf(extension, receiver);
      if (isOfTheEditor(extension) || consents.use(consentKey(extension, receiver))) return;
      // A modal dialog can't be closed. Its answer counts for the next request.
      const isAllowed = !refused.has(key) && (await untilAborted(askOnce(extension, connection), signal));
      if (!isAllowed) throw vscode.LanguageModelError.NoPermissions(refusal(extension, connection));
    },
    decisions: () => [
      ...allowed().map(({ receiver, subject: [extension = ""] }) => ({
        extension,
        receiver,
        isAllowed: true,
      })),
      ...[...refused].map((key) => ({ ...parsed(key), isAllowed: false })),
    ],
    async allow(chosen) {
      const keys = chosen.map((one) => keyOf(one.extension, one.receiver));
      const ended = allowed().filter(
        ({ receiver, subject: [id = ""] }) => !keys.includes(keyOf(id, receiver)),
      );
      for (const {
        receiver,
        subject: [id = ""],
      } of ended)
        refused.add(keyOf(id, receiver));
      for (const key of keys) refused.delete(key);
      await consents.revoke(ended);
      for (const { extension, receiver } of chosen)
        if (!consents.find(consentKey(extension, receiver))) await give(extension, receiver);
    },
  };
}

function consentKey(extension: string, receiver: string): ConsentKey {
  return { kind: "extension", receiver, subject: [extension.toLowerCase()] };
}

/** Ids of extensions contain no space. */
function keyOf(extension: string, receiver: string): string {
  return `${extension.toLowerCase()} ${receiver}`;
}

function parsed(key: string): Omit<Decision, "isAllowed"> {
  const [extension = "", ...rest] = key.split(" ");
  return { extension, receiver: rest.join(" ") };
}

/** True for extensions that are part of the product, and for this one: they act for the user in the editor's own views. */
function isOfTheEditor(extension: string): boolean {
  if (extension.toLowerCase() === extensionId) return true;
  return vscode.extensions.getExtension(extension)?.packageJSON?.isBuiltin === true;
}

function question(extension: string, { name, kind }: Connection): Promise<boolean> {
  const charged =
    kind === "sandbox"
      ? "Its requests are charged to the sandbox in play money and do not leave this machine."
      : `The extension decides which data it sends to ${name}. Its requests cost money and count against your budgets.`;
  return consentModally(
    `Allow the extension ${extensionName(extension)} to use the models of ${name}?`,
    {
      detail: `${charged}\n"Why Did This Cost?" lists each request. To withdraw this, run "Switch Service…" and choose "Extensions That Use the Models…".`,
    },
    { yes: "Allow", no: "Don't Allow" },
  ).catch(() => false);
}

/** `Name (publisher.name)`. An extension of another host has no known name. */
function extensionName(extension: string): string {
  const name: unknown = vscode.extensions.getExtension(extension)?.packageJSON?.displayName;
  const isNamed = typeof name === "string" && name !== "" && !name.startsWith("%");
  return isNamed ? `"${name.slice(0, longestName)}" (${extension})` : extension;
}

function refusal(extension: string, { name }: Connection): string {
  return `Nothing was sent, because you did not allow the extension ${extensionName(extension)} to use the models of ${name}. To allow it, run "Inference Connection: Switch Service…" and choose "Extensions That Use the Models…".`;
}

const title = "Extensions That Use the Models";

/** Lets the user change which other extensions may use the models of which connection. */
export async function chooseExtensions(consent: Consent, connections: Connections): Promise<void> {
  const items = consent.decisions().map((decision) => ({ ...itemOf(decision, connections), decision }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      "No other extension has asked for the models. VS Code asks you here before the first one uses them.",
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: "Checked extensions may use the models, at the cost of the connection",
    canPickMany: true,
    matchOnDescription: true,
  });
  if (picked) await consent.allow(picked.map(({ decision }) => decision));
}

function itemOf({ extension, receiver, isAllowed }: Decision, connections: Connections) {
  const connection = connections.all().find((one) => receiverOf(one) === receiver);
  const description = connection
    ? `${connection.name}${connection.kind === "sandbox" ? ", play money" : ""}`
    : "a connection that was removed or has another address now";
  return { ...visibleItem({ label: extensionName(extension), description }), picked: isAllowed };
}
