import * as vscode from "vscode";
import { augmentation } from "../../api/money/price.ts";
import { readSettings } from "../../platform/settings.ts";
import type { Session } from "../../session/session.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";

/** Who extracts the text of documents. */
export type Parser = "machine" | "service";

interface Work {
  /** `Read 25 documents in Reports`. */
  readonly title: string;
  readonly count: number;
  /** What the run leaves out, and what it writes. */
  readonly detail?: string;
  /** Ask even if the settings have the answer, because the run writes many files. */
  readonly alwaysAsks?: boolean;
}

/** The parser of the settings; else the one that the user chooses. Undefined if the user cancels. */
export async function chooseParser(
  { active }: Pick<Session, "active">,
  { title, count, detail, alwaysAsks = false }: Work,
): Promise<Parser | undefined> {
  const { parser } = readSettings();
  if (parser !== "ask" && !alwaysAsks) return parser;
  const price = formatUsd(count * augmentation.usd, active?.kind === "sandbox");
  const machine = {
    label: "$(device-desktop) On This Machine",
    description: "free",
    detail: "Nothing is sent. Pages of a PDF are marked. Scanned pages can't be read.",
    parser: "machine" as const,
  };
  const service = {
    label: `$(cloud-upload) By ${active?.name ?? "the Service"}`,
    description: price,
    detail: "The service reads files in memory and does not store them.",
    parser: "service" as const,
  };
  const items = parser === "service" ? [service, machine] : [machine, service];
  const placeHolder = detail ?? "Who extracts the text?";
  return (await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDetail: false }))?.parser;
}
