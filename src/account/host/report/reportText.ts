import type { Known } from "../../../shared/known.ts";
import type { AnyMoney } from "../../../shared/money/money.ts";
import { moneyText } from "../../../shared/money/moneyText.ts";
import { safeCsvCell } from "../../../shared/text/csvCell.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { MonthReport, ReportRow, ReportSection } from "./reportShape.ts";

const notRead = "not read";

/** The report as a markdown document. Names come from the service and from programs, so nothing of them is markup. */
export function reportMarkdown(report: MonthReport): string {
  const { title, facts, unknowns } = report;
  const sections = report.sections.map((section) => sectionMarkdown(section, report));
  return [
    `# ${plain(title)}`,
    table(
      ["", ""],
      facts.map(([name, value]) => [plain(name), plain(value)]),
    ),
    ...sections,
    "## What is not known",
    unknowns.map((text) => `- ${plain(text)}`).join("\n"),
    "All days are UTC days. Sums are exact; what is shown is rounded.",
  ]
    .join("\n\n")
    .concat("\n");
}

function sectionMarkdown(section: ReportSection, { nowHead, beforeHead }: MonthReport): string {
  const { title, note, rows, isCompared, detailHead, empty } = section;
  const heads = [
    "Name",
    ...(isCompared ? [beforeHead, nowHead, "Difference"] : rows.some(({ now }) => now) ? ["Spent"] : []),
    ...(detailHead ? [detailHead] : []),
  ];
  const cells = (row: ReportRow) => [
    plain(row.name),
    ...(isCompared
      ? [amountText(row.before, row), amountText(row.now, row), signed(row)]
      : rows.some(({ now }) => now)
        ? [amountText(row.now, row)]
        : []),
    ...(detailHead ? [plain(row.detail)] : []),
  ];
  const body = rows.length === 0 ? plain(empty) : table(heads.map(plain), rows.map(cells));
  return [`## ${plain(title)}`, plain(note), body].join("\n\n");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

function amountText(amount: Known<AnyMoney> | undefined, { currency }: ReportRow): string {
  if (amount === undefined) return "";
  if (amount.is !== "value") return notRead;
  return plain(currency === "" ? "0" : moneyText(amount.value));
}

function signed(row: ReportRow): string {
  const text = amountText(row.difference, row);
  return row.difference?.is === "value" && row.difference.value.sign > 0 ? `+${text}` : text;
}

const csvHeads = ["section", "name", "currency", "before", "now", "difference", "detail"];

/** One row per line of the report. Amounts are exact decimals; texts that a spreadsheet would run are escaped. */
export function reportCsv(report: MonthReport): string {
  const { facts, sections, unknowns } = report;
  const rows = [
    csvHeads,
    ...facts.map(([name, value]) => ["Report", name, "", "", "", "", value]),
    ...sections.flatMap(({ title, rows: lines, empty }) =>
      lines.length === 0
        ? [[title, "", "", "", "", "", empty]]
        : lines.map(({ name, currency, before, now, difference, detail }) => [
            title,
            name,
            currency,
            digits(before),
            digits(now),
            digits(difference),
            detail,
          ]),
    ),
    ...unknowns.map((text) => ["What is not known", "", "", "", "", "", text]),
  ];
  return rows.map((cells) => `${cells.map(safeCsvCell).join(",")}\r\n`).join("");
}

function digits(amount: Known<AnyMoney> | undefined): string {
  if (amount === undefined) return "";
  return amount.is === "value" ? amount.value.digits() : notRead;
}

/**
 * Text that markdown shows as it is within a line or a cell. Dates and amounts stay readable in the file: what has a
 * meaning at the start of a line alone is not escaped.
 */
function plain(text: string): string {
  return visibleLine(text).replace(markup, "\\$&");
}

/** Also of what viewers make links without any: addresses of pages and mail. */
const markup = /[\\`*_{}[\]<>#|~&$!@]|:(?=\/)|\/(?=\/)|(?<=\/)\/|(?<=\bwww)\.|(?<=\bmailto):/gi;
