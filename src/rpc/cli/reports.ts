import { visibleText } from "../../shared/text/html/visibleText.ts";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import type { RpcOutput } from "../output/rpcOutput.ts";
import { usdAmount } from "../output/usdText.ts";
import { outputText } from "../run/output.ts";
import type { CellResult, NotebookResult } from "./runNotebook.ts";

/** Sums over all cells of a command. */
export interface RunTotals {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly credits: number;
  readonly usd: number;
  readonly ms: number;
}

export function totalsOf(notebooks: readonly NotebookResult[]): RunTotals {
  const cells = notebooks.flatMap((notebook) => notebook.cells);
  const sum = (of: (cell: CellResult) => number) => cells.reduce((all, cell) => all + of(cell), 0);
  const count = (status: CellResult["status"]) => sum((cell) => (cell.status === status ? 1 : 0));
  return {
    passed: count("passed"),
    failed: count("failed"),
    skipped: count("skipped"),
    credits: sum(({ credits }) => credits),
    usd: sum(({ usd }) => usd),
    ms: sum(({ ms }) => ms),
  };
}

const marks = { passed: "ok  ", failed: "FAIL", skipped: "skip" } as const;

/** The line of a cell in the log, with its output if it failed. */
export function cellText(
  file: string,
  { status, line, title, reason, output, credits, ms }: CellResult,
): string {
  const replayed = output?.calls.some((call) => call.replayed) ? ", replayed, not charged" : "";
  const head = `${marks[status]} ${file}:${line} ${title} (${credits} credits, ${Math.round(ms)} ms${replayed})`;
  const details = status === "failed" ? [reason ?? "", textOf(output)] : [reason ?? ""];
  const shown = details.filter(Boolean).flatMap((part) => part.split("\n").map((one) => `     ${one}`));
  return visibleText([head, ...shown].join("\n"));
}

export function totalsText(totals: RunTotals, isPlayMoney: boolean): string {
  const { passed, failed, skipped, credits, usd } = totals;
  return `${passed} passed, ${failed} failed, ${skipped} skipped · ${credits} credits · ${usdAmount(usd, isPlayMoney)}`;
}

/** All results as JSON. Integers of any size are exact. */
export function jsonReport(notebooks: readonly NotebookResult[], isPlayMoney: boolean): string {
  const withText = notebooks.map(({ file, cells }) => ({
    file,
    cells: cells.map((cell) => ({ ...cell, text: textOf(cell.output) })),
  }));
  const report = { version: 1, isPlayMoney, totals: totalsOf(notebooks), notebooks: withText };
  return `${exactJsonText(report, 2)}\n`;
}

/** All results in the format of JUnit: a suite for each notebook, a test case for each cell. */
export function junitReport(notebooks: readonly NotebookResult[]): string {
  const suites = notebooks.map(({ file, cells }) => {
    const cases = cells.map((cell) => caseXml(file, cell));
    return `  <testsuite ${countsXml({ name: file, notebooks: [{ file, cells }] })}>\n${cases.join("\n")}\n  </testsuite>`;
  });
  const head = `<testsuites ${countsXml({ name: "RPC notebooks", notebooks })}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join("\n")}\n</testsuites>\n`;
}

function countsXml({ name, notebooks }: { name: string; notebooks: readonly NotebookResult[] }): string {
  const { passed, failed, skipped, ms } = totalsOf(notebooks);
  return `name="${escaped(name)}" tests="${passed + failed + skipped}" failures="${failed}" errors="0" skipped="${skipped}" time="${seconds(ms)}"`;
}

function caseXml(file: string, { cell, line, title, status, reason = "", output, ms }: CellResult): string {
  const name = `cell ${cell}, line ${line}: ${title}`;
  const open = `    <testcase classname="${escaped(file)}" name="${escaped(name)}" time="${seconds(ms)}"`;
  if (status === "passed") return `${open} />`;
  const body =
    status === "skipped"
      ? `<skipped message="${escaped(reason)}" />`
      : `<failure message="${escaped(reason)}">${escaped(textOf(output))}</failure>`;
  return `${open}>${body}</testcase>`;
}

function textOf(output: RpcOutput | undefined): string {
  return output ? outputText(output) : "";
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** Text for XML 1.0, which can't contain most control characters, not even escaped. */
function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"]/g, (mark) => names[mark] ?? mark)
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
