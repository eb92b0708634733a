import type { Memento } from "vscode";
import { membersOf, ownMember } from "../../shared/members.ts";
import { environment } from "../../shared/names/ids.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { dayFrom } from "../../shared/time/days.ts";
import { receiverOf } from "../connection/baseUrl.ts";
import { type Consent, type ConsentKey, consentsKey, isSameConsent, priceActions } from "./consent.ts";
import { completionConsent, overdraftConsent, walletConsent } from "./lastingConsents.ts";

const prices = "price.agreed";
const completions = "completions.consents";
const extensions = "languageModels.allowed";
const hosts = "rpc.abiHosts";
const overdrafts = "spend.allowed";
const wallets = "connectionWallets";
const approvals = "chat.approvals";

const formerKeys = {
  everywhere: [prices, completions, extensions, hosts, overdrafts, wallets],
  workspace: [approvals],
} as const;

interface States {
  readonly globalState: Pick<Memento, "get" | "update">;
  readonly workspaceState: Pick<Memento, "get" | "update">;
}

/** Moves what users allowed in earlier versions to the store of now, before what was allowed since. Run at every start. */
export async function moveFormerConsents(
  { globalState, workspaceState }: States,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  for (const [store, state] of [
    ["everywhere", globalState],
    ["workspace", workspaceState],
  ] as const) {
    const former = formerKeys[store].filter((key) => state.get<unknown>(key) !== undefined);
    if (former.length === 0) continue;
    const known = state.get<readonly ConsentKey[]>(consentsKey, []);
    const moved = formerConsents(store, state, env).filter(
      (consent) => !known.some((other) => isSameConsent(other, consent)),
    );
    // The new store first: what a crash leaves of the former ones is moved by the next start.
    await state.update(consentsKey, [...moved, ...known]);
    for (const key of former) await state.update(key, undefined);
  }
}

/** What users allowed in earlier versions, each in a store of its own. */
function formerConsents(
  store: "everywhere" | "workspace",
  state: Pick<Memento, "get">,
  env: NodeJS.ProcessEnv,
): readonly Consent[] {
  const listOf = (key: string): readonly string[] => {
    const list = state.get<unknown>(key);
    return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
  };
  if (store === "workspace") return listOf(approvals).flatMap(readApproval);
  /** The receiver now: budgets and wallets were bound to the connection alone. */
  const receiver = (id: string): string[] => {
    const baseUrl = addressOf(id, state.get<unknown>("connections"), env);
    return baseUrl === undefined
      ? []
      : [receiverOf({ id, kind: id === "sandbox" ? "sandbox" : "live", baseUrl })];
  };
  return [
    ...Object.entries(membersOf(state.get<unknown>(prices))).flatMap(readPrice),
    ...Object.entries(membersOf(state.get<unknown>(completions))).flatMap(readCompletion),
    ...listOf(extensions).flatMap(readExtension),
    ...listOf(hosts).map(
      (host): Consent => ({
        kind: "contracts",
        receiver: host,
        subject: [host],
        says: `Ask ${host} about contracts`,
      }),
    ),
    ...listOf(overdrafts).flatMap((stamp) => readOverdraft(stamp, receiver)),
    ...Object.entries(membersOf(state.get<unknown>(wallets))).flatMap(([id, wallet]) =>
      receiver(id).flatMap((to) => readWallet(to, wallet)),
    ),
  ];
}

/** The base URL of a connection; empty for the sandbox, undefined if there is no such connection. */
function addressOf(id: string, connections: unknown, env: NodeJS.ProcessEnv): string | undefined {
  if (id === "sandbox") return "";
  if (id === "environment") return env[environment.baseUrl];
  const rows = Array.isArray(connections) ? connections.map(membersOf) : [];
  const baseUrl = rows.find(({ id: known }) => known === id)?.baseUrl;
  return typeof baseUrl === "string" ? baseUrl : undefined;
}

/** `ACTION RECEIVER` and USD. The name of an MCP client in an action can have blanks; a receiver is two words. */
function readPrice([key, usd]: readonly [string, unknown]): Consent[] {
  const [, action = "", receiver = ""] = /^(.*) (\S+ \S*)$/.exec(key) ?? [];
  if (typeof usd !== "number" || !Number.isFinite(usd) || action === "") return [];
  const tool = action.slice(action.lastIndexOf(".") + 1);
  const given = { receiver, usd };
  if (action.startsWith("tool.mcp.")) {
    const client = action.slice("tool.mcp.".length, -tool.length - 1);
    return [{ ...given, kind: "mcp", subject: [client, tool], says: `${client}: ${tool}` }];
  }
  if (action.startsWith("tool.")) return [{ ...given, kind: "tool", subject: [tool], says: tool }];
  const says = ownMember<string>(priceActions, action);
  return says === undefined ? [] : [{ ...given, kind: "price", subject: [action], says }];
}

function readCompletion([receiver, level]: readonly [string, unknown]): Consent[] {
  if (level !== "free" && level !== "paid") return [];
  return [completionConsent(receiver, level)];
}

/** `EXTENSION RECEIVER`. */
function readExtension(key: string): Consent[] {
  const [id = "", ...rest] = key.split(" ");
  return [{ kind: "extension", receiver: rest.join(" "), subject: [id], says: id }];
}

/** `[receiver, tool, fingerprint, price, scope]`, as JSON. */
function readApproval(key: string): Consent[] {
  const parts = parseJson(key);
  if (!Array.isArray(parts)) return [];
  const [receiver, tool, fingerprint, price, scope] = parts.map((part) => part ?? undefined);
  if (typeof tool !== "string" || typeof fingerprint !== "string") return [];
  const scopes = typeof scope === "string" ? [scope] : [];
  const subject = [tool, fingerprint, typeof price === "string" ? price : "", ...scopes];
  const says = [tool, ...scopes].join(": ");
  return [{ kind: "workspaceTool", receiver: typeof receiver === "string" ? receiver : "", subject, says }];
}

/** `CONNECTION PERIOD DAY`, and `scopeId` for a budget of a part of the calls. */
function readOverdraft(stamp: string, receiverOfId: (id: string) => string[]): Consent[] {
  const [, id = "", period, day = "", per] = /^(\S+) (day|month) (\S+)(?: (.+))?$/.exec(stamp) ?? [];
  const from = dayFrom(day);
  if ((period !== "day" && period !== "month") || from === undefined) return [];
  const name = per === undefined ? `the budget of this ${period}` : `a budget of a part of this ${period}`;
  return receiverOfId(id).map((receiver) => overdraftConsent(receiver, { period, from, per, name }));
}

function readWallet(receiver: string, value: unknown): Consent[] {
  const { address, signer } = membersOf(value);
  if (typeof address !== "string" || (signer !== "command" && signer !== "paste")) return [];
  return [walletConsent(receiver, { address, signer })];
}
