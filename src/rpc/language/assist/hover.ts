import { methodOf } from "../../../shared/rpc/catalog/catalog.ts";
import { toQuantity } from "../../../shared/rpc/hex.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import { scaled } from "../../output/scaled.ts";
import { methodIssue, tierText } from "../check/methodRules.ts";
import { paramsOf, sugars, wireMethod } from "../encode/encodeRequest.ts";
import { encodeValue } from "../encode/encodeValue.ts";
import type { FoundVariable } from "../environment/environments.ts";
import { isSecretResult } from "../environment/secretResults.ts";
import { directives } from "../parse/directives.ts";
import { type Span, type Value, valuesOf } from "../parse/nodes.ts";
import { scaledNumber } from "../parse/tokens/numbers.ts";
import { definitionOf, indexOfStatement, networksOfCell, type Project, variableOfCell } from "../project.ts";
import { innerValues } from "./references.ts";

/** Lines of Markdown about a place. Values from nodes are escaped. */
export interface Hover extends Span {
  readonly lines: readonly string[];
}

export interface HoverFacts {
  /** The last result of a name on the cell's first network. */
  readonly resultOf?: (cell: number, name: string) => unknown;
  readonly checksummed?: (address: string) => string | undefined;
}

export function hover(
  project: Project,
  index: number,
  offset: number,
  facts: HoverFacts = {},
): Hover | undefined {
  const one = project.cells[index];
  if (!one) return undefined;
  const [network] = networksOfCell(project, one);
  const { cell } = one;
  if (cell.form === "literal") {
    const item = cell.items.find(({ method }) => method && method.start <= offset && offset <= method.end);
    return item?.method && { ...spanOf(item.method), lines: methodLines(item.method.text, network) };
  }
  const place = indexOfStatement(cell, offset);
  const placed = cell.statements[place];
  if (!placed) return undefined;
  const at = offset - placed.offset;
  const moved = (found: Hover | undefined) =>
    found && { ...found, start: placed.offset + found.start, end: placed.offset + found.end };
  const { statement } = placed;
  if (statement.kind === "directive" && touches(statement.word, at)) {
    return moved({ ...spanOf(statement.word), lines: [directives.get(statement.word.text) ?? ""] });
  }
  if (statement.kind === "request" && touches(statement.method, at)) {
    return moved({ ...spanOf(statement.method), lines: methodLines(statement.method.text, network) });
  }
  const value = valuesOf(statement)
    .map((any) => innermost(any, at))
    .find((any) => any !== undefined);
  return value && moved(valueHover(project, index, place, value, facts));
}

/** Replaces markup characters in names with a dot, because the notebook file may be untrusted. */
function plainName(text: string): string {
  return text.replace(/[^\w.$-]/g, "·");
}

/** Text between backticks, with its own backticks replaced. */
function codeSpan(text: string): string {
  return `\`${text.replaceAll("`", "ˋ")}\``;
}

function methodLines(written: string, slug: string | undefined): string[] {
  const method = plainName(written);
  const info = methodOf(wireMethod(method));
  const params = paramsOf(method) ?? [];
  const list = params.map(({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${type}`).join(", ");
  const result = info ? ` → ${info.result}` : "";
  const network = slug === undefined ? undefined : plainName(slug);
  const issue = network === undefined ? undefined : methodIssue(wireMethod(method), network);
  return [
    `\`\`\`\n${method}(${list})${result}\n\`\`\``,
    sugars.get(method)?.summary ?? info?.summary ?? "This extension has no description of this method.",
    network === undefined
      ? "The cell has no network."
      : `${network}: ${tierText(wireMethod(method), network)}; an error costs 5 credits`,
    ...(issue ? [issue.message] : []),
  ];
}

function valueHover(
  project: Project,
  cell: number,
  statement: number,
  value: Value,
  facts: HoverFacts,
): Hover | undefined {
  const span = spanOf(value);
  switch (value.kind) {
    case "hex":
      return { ...span, lines: describeHex(value.text, facts.checksummed) };
    case "number": {
      const scaled = scaledNumber(value);
      if (typeof scaled !== "bigint") return undefined;
      return scaled < 0n
        ? { ...span, lines: [`${-scaled} blocks before the newest, which is requested first`] }
        : { ...span, lines: [`\`${toQuantity(scaled)}\``, ...describeHex(toQuantity(scaled)).slice(1)] };
    }
    case "reference":
      return { ...span, lines: referenceLines(project, cell, statement, value.name, facts) };
    case "variable": {
      const lines = variableLines(variableOfCell(project, cell, value.name));
      return lines && { ...span, lines };
    }
    default:
      return undefined;
  }
}

/** The value of a variable and its file. Without a value the problem is shown. */
function variableLines(found: FoundVariable | undefined): string[] | undefined {
  if (!found || "problem" in found) return undefined;
  const { variable, path } = found;
  const [first = ""] = variable.value.slice(0, 200).split("\n", 1);
  const isWhole = first === variable.value;
  const shown = variable.isSecret ? "A secret, which is not shown" : codeSpan(isWhole ? first : `${first}…`);
  return [shown, path === undefined ? "Given on the command line" : `From ${codeSpan(path)}`];
}

function referenceLines(
  project: Project,
  cell: number,
  statement: number,
  name: string,
  facts: HoverFacts,
): string[] {
  const found = definitionOf(project, name, cell, statement);
  if (!found) return [`The name ${name} is not defined.`];
  const where =
    project.cells[found.cell]?.cell.text.slice(found.start, found.start + 200).split(/[\r\n]/, 1)[0] ?? name;
  if (found.constant) {
    const { value } = encodeValue(found.constant, "json", {
      head: undefined,
      names: undefined,
      evm: undefined,
      declaration: (name) => name,
      variable: () => undefined,
      lookUp: () => undefined,
      encoded: new Map(),
      effort: { left: 0, mayLeaveOut: true },
    });
    const text = typeof value === "string" ? value : "";
    return [codeSpan(where), ...(text.startsWith("0x") ? describeHex(text, facts.checksummed).slice(1) : [])];
  }
  if (isSecretResult(project, found)) return [codeSpan(where), "A secret, which is not shown"];
  const result = facts.resultOf?.(found.cell, name);
  return [codeSpan(where), result === undefined ? "It has no value yet: run its cell." : shortJson(result)];
}

function shortJson(value: unknown): string {
  const text = exactJsonText(value) ?? "";
  const short = shortened(text, 500);
  return `\`\`\`json\n${short.replace(/`/g, "ˋ")}\n\`\`\``;
}

function innermost(value: Value, at: number): Value | undefined {
  if (at < value.start || at > value.end) return undefined;
  return (
    innerValues(value)
      .map((one) => innermost(one, at))
      .find((one) => one !== undefined) ?? value
  );
}

function touches({ start, end }: Span, at: number): boolean {
  return start <= at && at <= end;
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

/** Possible meanings of hex digits: the first line is the type, the others are further interpretations. */
export function describeHex(text: string, checksummed?: (address: string) => string | undefined): string[] {
  const digits = text.slice(2);
  if (!/^[0-9a-fA-F]*$/.test(digits)) return [`\`${text}\` is not hex`];
  if (digits.length === 40) {
    const sum = checksummed?.(text);
    const isMixed = /[a-f]/.test(digits) && /[A-F]/.test(digits);
    const complaint =
      sum && isMixed && sum !== text ? [`**The checksum is wrong**: \`${sum}\` is correct.`] : [];
    return ["Address", ...(sum ? [`With checksum: \`${sum}\``] : []), ...complaint];
  }
  if (digits.length === 64) return ["32 bytes (hash, topic or slot)", ...numberLines(digits, true)];
  if (digits.length > 64) return [`${Math.ceil(digits.length / 2)} bytes of data${selector(digits)}`];
  return ["Number", ...numberLines(digits, false)];
}

function selector(digits: string): string {
  return digits.length % 64 === 8 ? `; as calldata its selector is \`0x${digits.slice(0, 8)}\`` : "";
}

function numberLines(digits: string, isWord: boolean): string[] {
  if (digits === "") return [];
  const value = BigInt(`0x${digits}`);
  // A large 32-byte value is most likely a hash.
  if (isWord && value >= 1n << 128n) return [];
  const lines = [`${value.toLocaleString("en-US")}`];
  if (value >= 1_000_000n) lines.push(`${scaled(value, 9)} gwei, ${scaled(value, 18)} ether`);
  const date = dateOf(value);
  return date ? [...lines, `As a time: ${date}`] : lines;
}

/** Unix seconds from the first blockchain (2009) to 2100. */
function dateOf(value: bigint): string | undefined {
  if (value < 1_230_000_000n || value > 4_102_444_800n) return undefined;
  return new Date(Number(value) * 1000).toISOString().replace(".000Z", "Z");
}
