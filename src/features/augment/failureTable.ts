import { markdownText } from "./writing.ts";

export interface FailedRow {
  /** An address, or a file's name. */
  readonly name: string;
  /** A sentence. */
  readonly reason: string;
}

/** What failed of many, as a table in markdown. */
export function failureTable(title: string, rows: readonly FailedRow[]): string {
  const lines = rows.map(({ name, reason }) => `| ${cell(name)} | ${cell(reason)} |`);
  const head = ["| What | Why |", "| --- | --- |"];
  return `# ${markdownText(title)}\n\n${[...head, ...lines].join("\n")}\n`;
}

function cell(text: string): string {
  return markdownText(text.replace(/\s+/g, " ").trim());
}
