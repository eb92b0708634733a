import { visibleText } from "../../shared/text/html/visibleText.ts";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { plural } from "../../shared/text/plural.ts";
import type { RpcOutput } from "../output/rpcOutput.ts";
import { priceOf } from "../output/usdText.ts";
import { isLineFine, outputText, unmetText } from "../run/output.ts";
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
  { status, line, title, reason, output, credits, ms, checks }: CellResult,
): string {
  const replayed = output?.calls.some((call) => call.replayed) ? ", replayed, not charged" : "";
  const head = `${marks[status]} ${file}:${line} ${title} (${checksText(checks, output)}${credits} credits, ${Math.round(ms)} ms${replayed})`;
  const text = status === "failed" ? textOf(output) : "";
  // The problem of a run is in its output, too.
  const details = [reason !== undefined && text.split("\n").includes(reason) ? "" : (reason ?? ""), text];
  const shown = details.filter(Boolean).flatMap((part) => part.split("\n").map((one) => `     ${one}`));
  return visibleText([head, ...shown].join("\n"));
}

/** `3 of 3 expectations met, `; empty for a cell without expectations. */
function checksText(checks: CellResult["checks"], output: RpcOutput | undefined): string {
  if (checks.length === 0) return "";
  const all = output?.expectations ?? [];
  const met = all.filter(({ state }) => state === "passed").length;
  return `${met} of ${plural(Math.max(all.length, checks.length), "expectation")} met, `;
}

export function totalsText(totals: RunTotals, isPlayMoney: boolean): string {
  const { passed, failed, skipped, credits, usd } = totals;
  return `${passed} passed, ${failed} failed, ${skipped} skipped · ${credits} credits · ${priceOf(usd, { isPlayMoney })}`;
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

/** All results in the format of JUnit: a suite for each notebook; a test for the requests of a cell and each expectation. */
export function junitReport(notebooks: readonly NotebookResult[]): string {
  const suites = notebooks.map(({ file, cells }) => ({
    file,
    cases: cells.flatMap((cell) => casesOf(file, cell)),
  }));
  const written = suites.map(
    ({ file, cases }) =>
      `  <testsuite ${countsXml(file, cases)}>\n${cases.map(caseXml).join("\n")}\n  </testsuite>`,
  );
  const head = `<testsuites ${countsXml(
    "RPC notebooks",
    suites.flatMap(({ cases }) => cases),
  )}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${written.join("\n")}\n</testsuites>\n`;
}

interface TestCase {
  readonly file: string;
  /** One-based line in the file. */
  readonly line: number;
  readonly name: string;
  readonly status: CellResult["status"];
  /** Why it failed or was skipped. */
  readonly reason: string;
  readonly details: string;
  readonly ms: number;
}

function casesOf(file: string, cell: CellResult): readonly TestCase[] {
  const { line, heading, title, status, reason = "", output, ms, checks } = cell;
  const named = (name: string) => (heading === undefined ? name : `${heading}: ${name}`);
  const all = output?.expectations ?? [];
  const areAnswered = output !== undefined && output.problem === undefined && output.lines.every(isLineFine);
  // Without an output the cell was not sent, and its requests are what failed.
  const own: TestCase = {
    file,
    line,
    name: named(title),
    status: areAnswered ? "passed" : status,
    reason: areAnswered ? "" : reason,
    details: textOf(output),
    ms,
  };
  const several = new Set(all.map(({ network }) => network)).size > 1;
  const checked = all.map((one): TestCase => {
    const isMet = one.state === "passed";
    const name = named(`${one.source}${several ? ` on ${one.network}` : ""}`);
    const state = isMet ? "passed" : one.state === "unchecked" ? "skipped" : "failed";
    const place = { file, line: line + 1 + one.line };
    const why = isMet ? "" : unmetText(one);
    return {
      ...place,
      name,
      status: state,
      reason: why,
      details: `${file}:${place.line}: ${one.source}`,
      ms: 0,
    };
  });
  const unchecked = checks.map(
    (one): TestCase => ({
      file,
      line: line + one.line,
      name: named(one.source),
      status: "skipped",
      reason: `not checked: ${reason}`,
      details: "",
      ms: 0,
    }),
  );
  return [own, ...(all.length > 0 ? checked : unchecked)];
}

function countsXml(name: string, cases: readonly TestCase[]): string {
  const count = (status: TestCase["status"]) => cases.filter((one) => one.status === status).length;
  const ms = cases.reduce((sum, one) => sum + one.ms, 0);
  return `name="${escaped(name)}" tests="${cases.length}" failures="${count("failed")}" errors="0" skipped="${count("skipped")}" time="${seconds(ms)}"`;
}

function caseXml({ file, line, name, status, reason, details, ms }: TestCase): string {
  const place = `classname="${escaped(file)}" file="${escaped(file)}" line="${line}"`;
  const open = `    <testcase name="${escaped(name)}" ${place} time="${seconds(ms)}"`;
  if (status === "passed") return `${open} />`;
  const body =
    status === "skipped"
      ? `<skipped message="${escaped(reason)}" />`
      : `<failure message="${escaped(reason)}">${escaped(details)}</failure>`;
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
