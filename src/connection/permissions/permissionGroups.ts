import { originOf, receiverOf } from "../../session/connection/baseUrl.ts";
import type { Connection } from "../../session/connection/connection.ts";
import { type Consent, type ConsentKind, consentStores } from "../../session/consent/consent.ts";
import { smallUsd } from "../../session/spend/confirmPrice.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { shortened } from "../../shared/text/shortened.ts";
import { utcText, whenText } from "../../shared/time/whenText.ts";

/** What was allowed to one receiver. */
export interface PermissionGroup {
  /** The connection with its origin, or the host. */
  readonly title: string;
  /** The same, short enough to stand beside a line. */
  readonly heading: string;
  readonly consents: readonly Consent[];
}

/** What the user lets happen without a question, as a heading. */
export const consentTitles: Readonly<Record<ConsentKind, string>> = {
  price: "Prices",
  tool: "Tools for VS Code's agents",
  mcp: "MCP clients",
  completions: "Inline completions",
  extension: "Extensions that use the models",
  wallet: "Wallets that pay",
  overdraft: "Spending beyond a budget",
  contracts: "Services that know contracts",
  traces: "Receivers of traces",
  alerts: "Receivers of alerts",
  hook: "Hooks",
  agent: "Agents that the chat starts",
  workspaceTool: "Tools of the chat in this workspace",
  chatTool: "Tools of one chat",
  taskTool: "Tools of one task",
  taskKind: "All calls of a kind in one task",
};

/** How long most consents last. */
const untilRevoked = "until it is revoked";

/** How long a consent without an end of its own lasts. */
function lastsOf(kind: ConsentKind): string {
  return consentStores[kind] === "window" ? "until this window closes" : untilRevoked;
}

/** Characters of a heading, which leaves room for the line that it stands beside. */
const longestHeading = 60;
const longestName = 20;

/** The permissions by receiver: those of the connections in their order, then all others. */
export function permissionGroups(
  consents: readonly Consent[],
  connections: readonly Connection[],
): readonly PermissionGroup[] {
  const receivers = new Map(connections.map((connection) => [receiverOf(connection), connection]));
  const order = [...receivers.keys(), ...consents.map(({ receiver }) => receiver)];
  return [...new Set(order)].flatMap((receiver) => {
    const mine = consents.filter((consent) => consent.receiver === receiver);
    const [first] = mine;
    if (!first) return [];
    const connection = receivers.get(receiver);
    const title = receiverText(first, connection);
    const short = connection && { ...connection, name: shortened(connection.name, longestName) };
    const heading = shortened(receiverText(first, short), longestHeading);
    return [{ title, heading, consents: mine }];
  });
}

/** Kinds whose receiver is no connection: a host, an address, a program or a file. */
const ownReceivers: ReadonlySet<ConsentKind> = new Set(["contracts", "traces", "alerts", "hook", "agent"]);

function receiverText({ kind, receiver }: Consent, connection: Connection | undefined): string {
  if (connection?.kind === "sandbox") return `${connection.name}: play money, on this machine`;
  if (connection) return `${connection.name}: ${originOf(connection.baseUrl) ?? connection.baseUrl}`;
  if (ownReceivers.has(kind)) return receiver;
  if (receiver === "") return "Without a connection";
  const [, origin = ""] = receiver.split(" ");
  return origin === "" ? "A removed connection" : `Not in use: ${origin}`;
}

/** For whom, how much, until when: beside the words of a permission in the list. */
export function permissionNote(consent: Consent, nowMs: number): string {
  const { kind, agreedAtMs } = consent;
  const since = agreedAtMs === undefined ? "" : `since ${whenText(agreedAtMs, nowMs)}`;
  const limits = limitsOf(consent).filter((limit) => limit !== untilRevoked);
  return [consentTitles[kind], ...limits, since].filter(Boolean).join(" · ");
}

/** Everything that is known of a permission, a line each. */
export function permissionFacts(consent: Consent, title: string): readonly string[] {
  const { kind, agreedAtMs, usedAtMs, says } = consent;
  const [agreed, used] = [agreedAtMs, usedAtMs].map((ms) => (ms === undefined ? undefined : utcText(ms)));
  return [
    says,
    `For: ${title}`,
    `Kind: ${consentTitles[kind]}`,
    ...limitsOf(consent).map((limit) => `Limit: ${limit}`),
    `Allowed: ${agreed ?? "by an earlier version, which stored no date"}`,
    `Last used: ${used ?? "not yet"}`,
  ];
}

function limitsOf({ kind, usd, untilMs }: Consent): string[] {
  const price = usd === undefined ? [] : [`up to ${formatUsd(Math.max(usd, smallUsd))} a call`];
  return [...price, untilMs === undefined ? lastsOf(kind) : `until ${utcText(untilMs)}`];
}
