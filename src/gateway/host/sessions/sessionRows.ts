import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import { nothing } from "../../../shared/money/amounts.ts";
import { Counted, countedPart, unitOf } from "../../../shared/money/budgetRule.ts";
import { moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { AgentSession } from "../../server/sessionBook.ts";
import { folderNames } from "./folderNames.ts";

/** A session as the view shows it. */
export interface SessionRow {
  readonly id: string;
  /** Of `sessionLabel`. */
  readonly label: string;
  /** `$0.12 of $5.00 · $0.03/min · running · 3 calls · m`: what matters comes first, because a narrow view cuts the end. */
  readonly description: string;
  readonly state: SessionState;
}

/** `elsewhere`: its calls go through another window, which alone can stop it. */
export type SessionState = "running" | "waiting" | "stopped" | "elsewhere";

/** What was spent in this time says how fast a session spends. */
export const burnMs = 5 * 60_000;
/** Sessions of other windows are shown for so long after their last call. */
export const shownMs = 60 * 60_000;
const mostRows = 50;

/** The sessions of this window, and those of others by their calls in the ledger; the last one first. */
export function sessionRows(
  sessions: readonly AgentSession[],
  entries: readonly SpentEntry[],
  nowMs: number,
): readonly SessionRow[] {
  const byTask = Map.groupBy(
    entries.filter(({ source }) => source?.kind === "gateway" && source.task !== undefined),
    ({ source }) => source?.task ?? "",
  );
  const names = folderNames(sessions);
  const own = [...sessions]
    .sort((one, other) => other.lastMs - one.lastMs)
    .slice(0, mostRows)
    .map((session) => ownRow(session, names, byTask.get(session.id) ?? [], nowMs));
  const known = new Set(sessions.map(({ id }) => id));
  const others = [...byTask]
    .filter(([id]) => !known.has(id))
    .map(([id, calls]) => ({ id, calls, last: lastOf(calls) }))
    .filter(({ last }) => nowMs - (last?.atMs ?? 0) < shownMs)
    .sort((one, other) => (other.last?.atMs ?? 0) - (one.last?.atMs ?? 0))
    // Before their texts are made: a ledger can have thousands.
    .slice(0, mostRows)
    .map(({ id, calls, last }): SessionRow => {
      const label = sessionLabel(last?.source?.client ?? "", last?.folder);
      const count = plural(calls.length, "call");
      const facts = [spentText(calls), burnText(calls, nowMs), "other window", count, modelOf(calls)];
      return { id, label, description: facts.filter(Boolean).join(" · "), state: "elsewhere" };
    });
  return [...own, ...others].slice(0, mostRows);
}

function ownRow(
  session: AgentSession,
  names: ReadonlyMap<string, string>,
  calls: readonly SpentEntry[],
  nowMs: number,
): SessionRow {
  const { id, client, refusal, running } = session;
  const state = refusal ? "stopped" : running.size > 0 ? "running" : "waiting";
  const cap = client.sessionCapUsd;
  const ofCap = cap === undefined ? "" : ` of ${moneyText(Counted.parse(cap).in("USD"))}`;
  const folder = client.folder ? names.get(client.folder.uri) : lastOf(calls)?.folder;
  const label = sessionLabel(client.name, folder);
  const facts = [
    `${spentText(calls)}${ofCap}`,
    burnText(calls, nowMs),
    state,
    plural(session.calls, "call"),
    modelOf(calls),
  ];
  return { id, label, description: facts.filter(Boolean).join(" · "), state };
}

/** `Codex · app`: the client, and the folder for which its calls count. */
export function sessionLabel(client: string, folder: string | undefined): string {
  return folder === undefined ? client : `${client} · ${folder}`;
}

function lastOf(calls: readonly SpentEntry[]): SpentEntry | undefined {
  return calls.reduce<SpentEntry | undefined>(
    (last, call) => (last && last.atMs > call.atMs ? last : call),
    undefined,
  );
}

function modelOf(calls: readonly SpentEntry[]): string {
  return lastOf(calls)?.model ?? "";
}

function sumOf(calls: readonly SpentEntry[]) {
  return calls.reduce((sum, { cost }) => (cost ? sum.plus(cost) : sum), nothing);
}

function spentText(calls: readonly SpentEntry[]): string {
  return spendText(countedPart(sumOf(calls)));
}

/** Per minute, over the last minutes; empty if nothing was spent in them. */
function burnText(calls: readonly SpentEntry[], nowMs: number): string {
  const sum = sumOf(calls.filter(({ atMs }) => nowMs - atMs < burnMs));
  const counted = Counted.of(sum);
  if (counted.sign <= 0) return "";
  const perMinute = Number(counted.in("USD").digits()) / (burnMs / 60_000);
  return `${moneyText(Counted.parse(Number(perMinute.toPrecision(6))).shownIn(unitOf(sum)))}/min`;
}
