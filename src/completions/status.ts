import * as vscode from "vscode";
import { explain } from "../platform/errors/errorMessage.ts";
import { readCompletionSettings } from "../platform/settings.ts";
import type { Connection } from "../session/connection/connection.ts";
import type { Session } from "../session/session.ts";
import { formatUsd } from "../shared/money/formatUsd.ts";
import { commands } from "../shared/names/ids.ts";
import { whenText } from "../shared/time/whenText.ts";
import type { CompletionState } from "./completionController.ts";
import { type CompletionSum, completionSumText } from "./limits/completionSum.ts";
import type { CompletionSpend, HourCap } from "./limits/hourCap.ts";

/** The item in the status bar while completions are on. */
export interface CompletionStatus extends vscode.Disposable {
  show(state: CompletionState): void;
}

interface Shown {
  readonly connection: Connection;
  readonly state: CompletionState;
  /** Undefined if the ledger can't be read. */
  readonly spend: CompletionSpend | undefined;
}

const longestTimerMs = 2_000_000_000;

export function createCompletionStatus(deps: {
  readonly session: Session;
  readonly cap: HourCap;
}): CompletionStatus {
  const item = vscode.window.createStatusBarItem(
    "inference.completions",
    vscode.StatusBarAlignment.Right,
    48,
  );
  item.name = "Inline Completions";
  item.command = commands.completionsConfigure;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const show = async (state: CompletionState) => {
    const mine = ++turn;
    const connection = deps.session.active;
    if (!connection) return item.hide();
    const spend = await deps.cap.spent(connection).catch(() => undefined);
    // A newer state is shown.
    if (mine !== turn) return;
    clearTimeout(timer);
    const waitMs = "untilMs" in state ? state.untilMs - Date.now() : 0;
    if (waitMs > 0 && waitMs < longestTimerMs)
      timer = setTimeout(() => void show({ kind: "ready" }), waitMs).unref();
    draw(item, { connection, state, spend });
  };
  return {
    show: (state) => void show(state),
    dispose() {
      turn++;
      clearTimeout(timer);
      item.dispose();
    },
  };
}

function draw(item: vscode.StatusBarItem, shown: Shown): void {
  const { icon, words, spent } = headline(shown);
  item.text = `$(${icon}) ${words}`;
  item.tooltip = tooltipOf(shown);
  const isPaused = shown.state.kind !== "ready" && shown.state.kind !== "busy";
  item.backgroundColor = isPaused ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  const label = [words, ...(spent === undefined ? [] : [`${spent.replace("≤", "at most")} today`])].join(
    ", ",
  );
  item.accessibilityInformation = { label: `Inline completions: ${label}` };
  item.show();
}

interface Headline {
  readonly icon: string;
  readonly words: string;
  /** For screen readers. Others read it in the tooltip, and in the item with the spend of the day. */
  readonly spent?: string;
}

function headline({ connection, state, spend }: Shown): Headline {
  switch (state.kind) {
    case "capped":
      return { icon: "circle-slash", words: `Completions paused${untilText(state.untilMs)}` };
    case "failed":
      return { icon: "warning", words: "Completions failed" };
    case "asks":
      return { icon: "question", words: "Completions wait for your consent" };
    default: {
      const icon = state.kind === "busy" ? "loading~spin" : "sparkle";
      const today = completionSumText(spend?.day, connection.kind);
      return { icon, words: "Completions on", ...(today === undefined ? {} : { spent: today }) };
    }
  }
}

function tooltipOf({ connection, state, spend }: Shown): string {
  const { hourUsd, model } = readCompletionSettings();
  const limit = hourUsd === 0 ? "no limit" : `of at most ${formatUsd(hourUsd)}`;
  if (state.kind === "asks")
    return [
      `Inline completions wait: nothing is sent to ${connection.name} before you allow it.`,
      "Click to allow it or to turn them off.",
    ].join("\n");
  return [
    `Inline completions by ${connection.name}: on`,
    `Model: ${model || "the fastest or cheapest"}`,
    ...stateLines(state, connection, hourUsd),
    `In the last hour: ${inWords(spend?.hour, connection)}, ${limit}`,
    `Today (UTC): ${inWords(spend?.day, connection)}`,
    "Click to turn them off or to choose the model.",
  ].join("\n");
}

function stateLines(state: CompletionState, { name, kind }: Connection, hourUsd: number): string[] {
  switch (state.kind) {
    case "capped":
      return [
        Number.isFinite(state.untilMs)
          ? `Paused: the limit of ${formatUsd(hourUsd)} per hour is reached. They resume at ${whenText(state.untilMs, Date.now())}, or with a higher limit.`
          : `Paused: one completion of this model may cost more than the limit of ${formatUsd(hourUsd)} per hour. Raise the limit, or choose another model.`,
      ];
    case "failed":
      return [
        explain(state.error, { service: name, kind }).sentence,
        `Next try: ${whenText(state.untilMs, Date.now())}, or when you click and choose Try Again.`,
      ];
    default:
      return [];
  }
}

function untilText(untilMs: number): string {
  return Number.isFinite(untilMs) ? ` until ${whenText(untilMs, Date.now())}` : "";
}

function inWords(sum: CompletionSum | undefined, { kind }: Connection): string {
  return completionSumText(sum, kind)?.replace("≤", "at most") ?? "unknown";
}
