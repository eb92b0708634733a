import * as vscode from "vscode";
import { choose, pickedFrom } from "../../../../platform/editor/dialogs/ask.ts";
import { askModally, warnModally } from "../../../../platform/editor/dialogs/modal.ts";
import { explain } from "../../../../platform/errors/errorMessage.ts";
import { originOf } from "../../../../session/connection/baseUrl.ts";
import type { Connection } from "../../../../session/connection/connection.ts";
import { keyEndingOf } from "../../../../shared/keyEnding.ts";
import { localZone, zonedText } from "../../../../shared/time/zonedTime.ts";
import type { Account } from "../../accountOf.ts";
import type { AccountTools } from "../addAdmin.ts";
import { pickKey } from "../editKey.ts";
import { expiryStamp } from "../health/keyHealth.ts";
import { type NewKey, summaryOf } from "../keyForm.ts";
import type { KeyDetails } from "../keyRow.ts";
import { showSecretOnce } from "../secret.ts";
import { endOfOldKey, type OldKeyEnd, successorOf } from "./rotationPlan.ts";

const title = "Rotate API Key";

interface Rotation {
  readonly id: string;
  readonly details: KeyDetails;
  readonly end: OldKeyEnd;
  readonly successor: NewKey;
  /** The connections that take the new key. */
  readonly connections: readonly Connection[];
}

/**
 * Replaces a key by a new one with the same name, owner and limits. Both are valid until the old one ends, so that what
 * uses it can change over. A connection with the old key can take the new one at once.
 */
export async function rotateKey(
  account: Account,
  keyId: string | undefined,
  tools: AccountTools,
): Promise<boolean> {
  const chosen = await pickKey(account, keyId, title);
  if (!chosen) return false;
  const end = await askEnd();
  if (!end) return false;
  const using = await connectionsOf(chosen.details, account, tools);
  const connections = using.length === 0 ? using : await askConnections(using);
  if (!connections) return false;
  const successor = successorOf(chosen.details, Date.now());
  const rotation: Rotation = { ...chosen, end, successor, connections };
  if (!(await confirms(rotation, account))) return false;
  return rotate(rotation, account, tools);
}

async function askEnd(): Promise<OldKeyEnd | undefined> {
  const days = [1, 7, 30].map((count) => ({
    label: count === 1 ? "In 1 day" : `In ${count} days`,
    detail: "The old key expires then.",
    value: { by: "date", days: count } as OldKeyEnd,
  }));
  return pickedFrom(
    await choose<OldKeyEnd>({
      title,
      placeholder: "When does the old key end?",
      items: [
        ...days,
        {
          label: "When the new key is in use",
          detail:
            "Revoked once the new key was used and the old one was not for a day, while this view is open.",
          value: { by: "use" },
        },
        { label: "When I revoke it", detail: "Its own expiry stays.", value: { by: "hand" } },
      ],
    }),
  );
}

/** The stored connections to this service whose key ends like this one. */
async function connectionsOf(
  { last6 }: KeyDetails,
  { admin }: Account,
  { session, connections, keys }: AccountTools,
): Promise<readonly Connection[]> {
  const { root } = await session.clientOf(admin, { kind: "account" });
  const origin = originOf(root);
  if (origin === undefined || last6 === undefined) return [];
  const stored = connections
    .all()
    .filter(({ kind, baseUrl }) => kind === "live" && originOf(baseUrl) === origin);
  const endings = await Promise.all(stored.map(async ({ id }) => keyEndingOf(await keys.read(id, origin))));
  return stored.filter((_, index) => endings[index] === last6);
}

async function askConnections(using: readonly Connection[]): Promise<readonly Connection[] | undefined> {
  const names = using.map(({ name }) => name).join(", ");
  return pickedFrom(
    await choose<readonly Connection[]>({
      title,
      placeholder: `${names} ${using.length === 1 ? "uses" : "use"} this key`,
      items: [
        { label: `Give ${names} the new key`, detail: "In the same step.", value: using },
        { label: "Keep the old key there", detail: "Until you enter another one.", value: [] },
      ],
    }),
  );
}

async function confirms(
  { details, end, successor, connections }: Rotation,
  { admin }: Account,
): Promise<boolean> {
  const zone = localZone();
  const endsMs = endOfOldKey(end, details, Date.now());
  const old = {
    date: endsMs === undefined ? "keeps its own expiry" : `expires ${zonedText(endsMs, zone)}`,
    use: "is revoked once the new key was used and the old one was not for a day",
    hand: "stays until you revoke it",
  }[end.by];
  const taken =
    connections.length === 0 ? [] : [`New key in: ${connections.map(({ name }) => name).join(", ")}`];
  const detail = [
    "The new key:",
    summaryOfNew(successor, zone),
    "",
    `The old key (…${details.last6 ?? "?"}) ${old}.`,
    ...taken,
  ].join("\n");
  const button = "Rotate Key";
  return (
    (await askModally(`Rotate "${details.description}" at ${admin.name}?`, { detail }, button)) === button
  );
}

function summaryOfNew(key: NewKey, zone: string): string {
  const { apiKeyType: type, description, consumptionLimit, limitPeriod: period = "MONTH", expiresAt } = key;
  const textOf = (limit: number | null | undefined) => (typeof limit === "number" ? String(limit) : "");
  const limits = { usd: textOf(consumptionLimit?.usd), diem: textOf(consumptionLimit?.diem) };
  const expiresAtMs = expiresAt === undefined ? undefined : Date.parse(expiresAt);
  return summaryOf({ type, description, ...limits, period, expiresAtMs, privacy: key.modelPrivacy }, zone);
}

/** Each step that fails is said with what was done before it, because a key is never made twice. */
async function rotate(rotation: Rotation, account: Account, tools: AccountTools): Promise<boolean> {
  const { admin, connection } = account;
  const { session, memory } = tools;
  const reasonOf = (error: unknown) => explain(error, { service: admin.name, kind: admin.kind }).sentence;
  const { api, root } = await session.clientOf(admin, { kind: "account" });
  let made: Awaited<ReturnType<typeof api.keys.create>>["data"];
  try {
    ({ data: made } = await api.keys.create(rotation.successor));
  } catch (error) {
    await vscode.window.showErrorMessage(`The key was not rotated. ${reasonOf(error)}`);
    return false;
  }
  await memory.addCreated(connection.id, made.id);
  const saved = await saveIn(rotation.connections, originOf(root), made.apiKey, tools);
  const name = rotation.details.description;
  const ended = await endOld(rotation, made.id, account, tools);
  // The secret first: it is lost with this window.
  await showSecretOnce({ secret: made.apiKey, name, done: saved }, account, tools);
  for (let failure = ended; failure !== undefined; ) {
    const again = "Try Again";
    const message = "The new key was created, but the old one has no new end yet.";
    if ((await warnModally(message, { detail: reasonOf(failure.error) }, again)) !== again) break;
    failure = await endOld(rotation, made.id, account, tools);
  }
  return true;
}

/** Gives the connections the new key. One that can't be written keeps the old key, and the secret is still shown. */
async function saveIn(
  connections: readonly Connection[],
  origin: string | undefined,
  secret: string,
  { keys, log }: AccountTools,
): Promise<readonly string[]> {
  const saved: string[] = [];
  for (const { id, name } of connections) {
    if (origin === undefined) break;
    try {
      await keys.write(id, origin, secret);
      saved.push(`Saved in "${name}".`);
    } catch (error) {
      log.error("the new key was not stored", error instanceof Error ? error : String(error));
      await warnModally(`"${name}" keeps the old key, because the new one could not be stored.`, {});
    }
  }
  return saved;
}

/** The error if the old key could not be given its end. */
async function endOld(
  { id: oldId, details, end }: Rotation,
  newId: string,
  { admin, connection }: Account,
  { session, memory }: AccountTools,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    if (end.by === "use") await memory.addRotation(connection.id, { oldId, newId });
    const expiresAtMs = endOfOldKey(end, details, Date.now());
    if (expiresAtMs === undefined) return undefined;
    const { api } = await session.clientOf(admin, { kind: "account" });
    await api.keys.update({ id: oldId, expiresAt: new Date(expiresAtMs).toISOString() });
    // The user has just chosen this end, so no notice tells of it.
    await memory.addToldExpiries([expiryStamp({ id: oldId, details: { ...details, expiresAtMs } })]);
    return undefined;
  } catch (error) {
    return { error };
  }
}
