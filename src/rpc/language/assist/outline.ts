import { staticContext } from "../check/contexts.ts";
import { paramsOf, sugars, typesOfSugar } from "../encode/encodeRequest.ts";
import { type EncodeContext, encodeValue, unknownYet } from "../encode/encodeValue.ts";
import { type EncodeType, isText, itemTypes, memberTypes } from "../encode/valueTypes.ts";
import type { Span, Value } from "../parse/nodes.ts";
import type { LinesCell } from "../parse/parseCell.ts";
import {
  type Definition,
  definitionOf,
  definitionsIn,
  indexOfStatement,
  type Project,
  requestsOf,
} from "../project.ts";
import { argumentAt } from "./cursor.ts";
import { referencesIn } from "./references.ts";

/** A place in some cell of the notebook. */
export interface Place extends Span {
  readonly cell: number;
}

export interface CellSymbol extends Span {
  readonly name: string;
  readonly detail: string;
  readonly kind: "constant" | "request" | "directive";
}

/** The symbols of a cell, for the outline. */
export function symbolsOf({ statements, text }: LinesCell): CellSymbol[] {
  return statements.flatMap(({ offset, statement }): CellSymbol[] => {
    const span = { start: offset, end: offset + statement.end };
    if (statement.kind === "constant") {
      return [
        {
          ...span,
          name: statement.name.text,
          kind: "constant",
          detail: text.slice(offset + statement.value.start, span.end).slice(0, 60),
        },
      ];
    }
    if (statement.kind === "directive" && statement.word.text) {
      return [{ ...span, name: `@${statement.word.text}`, kind: "directive", detail: "" }];
    }
    if (statement.kind !== "request" || !statement.method.text) return [];
    const { name, method } = statement;
    return [{ ...span, name: name?.text ?? method.text, kind: "request", detail: name ? method.text : "" }];
  });
}

/** Statements over several lines, as zero-based line numbers. */
export function foldsOf({ statements, text }: LinesCell): { readonly from: number; readonly to: number }[] {
  return statements.flatMap(({ offset, line, statement }) => {
    const lines = text.slice(offset, offset + statement.end).split(/\r\n|\n|\r/).length - 1;
    return lines > 0 ? [{ from: line, to: line + lines }] : [];
  });
}

/** The contract of a `call` or `logs` line, else the address at the offset, or the first one of the line. */
export function contractAt(project: Project, index: number, offset: number): string | undefined {
  const { text } = project.cells[index]?.cell ?? { text: "" };
  const from = text.lastIndexOf("\n", offset - 1) + 1;
  const [line = ""] = text.slice(from, from + longestLine).split("\n", 1);
  if (/^\s*(?:#|\/\/)/.test(line)) return undefined;
  const read = (written: string) =>
    written.startsWith("$") ? addressNamed(project, index, offset, written.slice(1)) : written;
  const [, contract] = /^\s*(?:\w+\s*=\s*)?(?:call|logs)\s+(\S+)/.exec(line) ?? [];
  if (contract !== undefined)
    return /^(?:0x[0-9a-f]{40}|\$\w+)$/i.test(contract) ? read(contract) : undefined;
  const found = [...line.matchAll(/\b0x[0-9a-f]{40}\b|\$[a-z_]\w*/gi)].flatMap(
    ({ 0: written, index: at }) => {
      const address = read(written);
      const isHere = from + at <= offset && offset <= from + at + written.length;
      return address === undefined ? [] : [{ address, isHere }];
    },
  );
  return (found.find(({ isHere }) => isHere) ?? found[0])?.address;
}

const longestLine = 10_000;

function addressNamed(project: Project, index: number, offset: number, name: string): string | undefined {
  const { cell } = project.cells[index] ?? {};
  const statement = cell?.form === "lines" ? indexOfStatement(cell, offset) : 0;
  const { constant } = definitionOf(project, name, index, statement) ?? {};
  const text = constant?.kind === "hex" ? constant.text : undefined;
  return text !== undefined && /^0x[0-9a-f]{40}$/i.test(text) ? text : undefined;
}

/** The definition of the name at an offset, which is either defined or used there. */
export function nameAt(
  project: Project,
  index: number,
  offset: number,
): { readonly definition: Definition; readonly at: Span } | undefined {
  const cell = project.cells[index]?.cell;
  if (cell?.form !== "lines") return undefined;
  const touches = ({ start, end }: Span) => start <= offset && offset <= end;
  const defined = definitionsIn(project, index).find((one) => one.statement >= 0 && touches(one));
  if (defined) return { definition: defined, at: defined };
  const used = referencesIn(cell).find(touches);
  const definition = used && definitionOf(project, used.name, index, used.statement);
  return definition && { definition, at: used };
}

/** All places where a name is defined or used. */
export function placesOf(project: Project, definition: Definition): Place[] {
  const own =
    definition.statement >= 0
      ? [{ cell: definition.cell, start: definition.start, end: definition.end }]
      : [];
  const used = project.cells.flatMap(({ cell }, index) => {
    if (cell.form !== "lines") return [];
    return referencesIn(cell)
      .filter(({ name, statement }) => {
        if (name !== definition.text) return false;
        const found = definitionOf(project, name, index, statement);
        return found?.cell === definition.cell && found.statement === definition.statement;
      })
      .map(({ start, end }) => ({ cell: index, start, end }));
  });
  return [...own, ...used];
}

export interface InlayHint {
  readonly at: number;
  readonly text: string;
  readonly tooltip: string;
}

/** Encoded values, where they differ from the source. */
export function inlayHints(project: Project, index: number): InlayHint[] {
  const cell = project.cells[index]?.cell;
  if (cell?.form !== "lines") return [];
  return requestsOf(cell).flatMap(({ offset, statement }) => {
    const place = indexOfStatement(cell, offset);
    const params = paramsOf(statement.method.text) ?? [];
    const context = staticContext(project, index, place, undefined);
    const types = sugars.has(statement.method.text)
      ? typesOfSugar(statement, context)
      : params.map(({ type }) => type);
    return statement.args
      .flatMap((arg, at) => numbersIn(arg, types[at] ?? "json"))
      .flatMap(({ value, type }) => hintFor(value, type, offset, context));
  });
}

type Written = Value & { readonly kind: "number" };
interface WrittenNumber {
  readonly value: Written;
  readonly type: EncodeType;
}

/** The numbers of a parameter, including those in lists and objects, with their types. */
function numbersIn(value: Value, type: EncodeType, found: WrittenNumber[] = []): readonly WrittenNumber[] {
  if (value.kind === "number") found.push({ value, type });
  else if (value.kind === "option") numbersIn(value.value, optionType(value.name.text), found);
  else if (value.kind === "array") {
    const typeOf = itemTypes(type);
    for (const [at, item] of value.items.entries()) numbersIn(item, typeOf(at), found);
  } else if (value.kind === "object") {
    const typeOf = memberTypes(type);
    for (const { key, value: member } of value.members) numbersIn(member, typeOf(key.text), found);
  }
  return found;
}

function hintFor(value: Written, type: EncodeType, offset: number, context: EncodeContext): InlayHint[] {
  // A text is sent as it is written.
  if (isText(type)) return [];
  const encoded = encodeValue(value, type, context);
  const at = offset + value.end;
  if (encoded.needsHead)
    return [{ at, text: ` head ${value.text}`, tooltip: "The newest block is requested first" }];
  if (encoded.value === unknownYet || String(encoded.value) === value.text) return [];
  return [{ at, text: ` ${String(encoded.value)}`, tooltip: "The value that is sent" }];
}

function optionType(name: string): "block" | "quantity" {
  return name === "value" || name === "gas" ? "quantity" : "block";
}

export interface Signature {
  readonly label: string;
  readonly params: readonly string[];
  readonly active: number;
}

/** The parameters of the line that the cursor is in. */
export function signatureAt(project: Project, index: number, offset: number): Signature | undefined {
  const one = project.cells[index];
  if (one?.cell.form !== "lines") return undefined;
  const placed = one.cell.statements[indexOfStatement(one.cell, offset)];
  if (placed?.statement.kind !== "request") return undefined;
  const { method, args } = placed.statement;
  const at = offset - placed.offset;
  const params = paramsOf(method.text);
  if (!params || at <= method.end) return undefined;
  const shown = params.map(({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${type}`);
  return {
    label: `${method.text} ${shown.join("  ")}`,
    params: shown,
    active: Math.min(argumentAt(args, at), shown.length - 1),
  };
}
