import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import { placesOf } from "../../language/assist/outline.ts";
import { variablesUsedIn } from "../../language/assist/references.ts";
import type { CellFacts } from "../../language/check/cellFacts.ts";
import { createContexts } from "../../language/check/contexts.ts";
import { maxEncodedSize } from "../../language/check/effort.ts";
import { namedKey } from "../../language/check/idempotencyKey.ts";
import { encodeRequest } from "../../language/encode/encodeRequest.ts";
import { type EncodeContext, unknownYet } from "../../language/encode/encodeValue.ts";
import { nodeValueOf, writtenJson } from "../../language/parse/literal.ts";
import { tokenizeStatement } from "../../language/parse/tokens/tokens.ts";
import {
  definitionsIn,
  directivesIn,
  directivesOf,
  indexOfStatement,
  networksOfCell,
  type Project,
  requestsOf,
  textOf,
} from "../../language/project.ts";
import type { WireItem } from "./writeRequest.ts";

/** The request of a cell, without sending anything. Unknown values are placeholders: `<$name>`. */
export interface Wire {
  /** One item or a batch, as JSON. */
  readonly text: string;
  readonly items: readonly WireItem[];
  /** The placeholders. */
  readonly unknown: readonly string[];
  /** The idempotency key. */
  readonly key?: string;
}

export function wireOf(
  project: Project,
  index: number,
  evm: EncodeContext["evm"],
  resultOf: (cell: number, name: string) => unknown,
): Wire {
  const named = namedKey(project, index);
  const wire = wireWithoutKey(project, index, evm, resultOf);
  return named && "key" in named ? { ...wire, key: named.key } : wire;
}

function wireWithoutKey(...[project, index, evm, resultOf]: Parameters<typeof wireOf>): Wire {
  const cell = project.cells[index]?.cell;
  if (!cell) return { text: "[]", items: [], unknown: [] };
  if (cell.form === "literal") {
    const items = cell.items.map(({ method, params }) => ({
      method: method?.text ?? "",
      params: params ? listOf(nodeValueOf(params)) : [],
      written: (params?.type === "array" ? params.children : params && [params])?.map((param) =>
        writtenJson(param, cell.text),
      ),
    }));
    return { text: cell.root ? writtenJson(cell.root, cell.text) : "[]", items, unknown: [] };
  }
  const unknown: string[] = [];
  const contextAt = createContexts(project, {
    evm,
    head: undefined,
    withoutSecrets: true,
    resultOf({ cell: at, text }) {
      const result = resultOf(at, text);
      return result === undefined ? undefined : { result };
    },
  });
  let size = 0;
  const items = requestsOf(cell).map(({ offset, statement }): WireItem => {
    const place = indexOfStatement(cell, offset);
    const request = encodeRequest(statement, contextAt(index, place));
    const { method, params, call, waitsFor, withheld, names, needsHead, isKnown } = request;
    size += request.size;
    if (size > maxEncodedSize) {
      unknown.push(tooLarge);
      return { method, params: [tooLarge] };
    }
    if (isKnown) return { method, params, ...(call ? { call } : {}) };
    const placeholder = placeholderFor(waitsFor[0], withheld, [...names][0], needsHead);
    unknown.push(placeholder);
    return { method, params: replaced(params, placeholder) as unknown[] };
  });
  const numbered = items.map(({ method, params }, at) => ({ jsonrpc: "2.0", id: at + 1, method, params }));
  return { text: exactJsonText(numbered.length === 1 ? numbered[0] : numbered), items, unknown };
}

function placeholderFor(
  name: string | undefined,
  variable: string | undefined,
  account: string | undefined,
  needsHead: boolean,
): string {
  if (name !== undefined) return `<$${name}>`;
  if (variable !== undefined) return `<{{${variable}}}>`;
  if (account !== undefined) return `<${account}>`;
  return needsHead ? "<block>" : "<?>";
}

function listOf(params: unknown): readonly unknown[] {
  return Array.isArray(params) ? params : [params];
}

/** Placeholder for parameters beyond the size limit. */
const tooLarge = "<too large>";

function replaced(value: unknown, placeholder: string): unknown {
  if (value === unknownYet) return placeholder;
  if (Array.isArray(value)) return value.map((one) => replaced(one, placeholder));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, placeholder)]));
}

/** Converts a cell of lines to JSON; `lost` lists the parts that JSON can't express. */
export function asLiteralCell(
  project: Project,
  index: number,
  json: string,
): { readonly text: string; readonly facts: CellFacts; readonly lost: readonly string[] } {
  const cell = project.cells[index]?.cell;
  if (cell?.form !== "lines") return { text: json, facts: {}, lost: [] };
  const all = directivesIn(cell.statements);
  const wordsOf = (name: string) =>
    directivesOf(cell, name).flatMap(({ statement }) => statement.args.flatMap(textOf));
  const [[view], allowed] = [wordsOf("view"), wordsOf("allow")];
  const one = project.cells[index];
  const networks = one && directivesOf(cell, "network").length > 0 ? networksOfCell(project, one) : [];
  const named = namedKey(project, index);
  const above = [
    ...(allowed.length > 0 ? [`@allow ${allowed.join(" ")}`] : []),
    ...(named && "key" in named ? [`@idempotency ${named.key}`] : []),
  ];
  const stored = ["network", "view", "allow", "idempotency"];
  const lost = new Set(
    all.map(({ statement }) => statement.word.text).filter((word) => !stored.includes(word)),
  );
  const used = definitionsIn(project, index).filter((definition) =>
    placesOf(project, definition).some((place) => place.cell !== index),
  );
  const hasComment = cell.statements.some(({ offset }) =>
    tokenizeStatement(cell.text, offset).tokens.some(({ kind }) => kind === "comment"),
  );
  return {
    text: [...above, json].join("\n"),
    facts: { ...(networks.length > 0 ? { networks } : {}), ...(view ? { view } : {}) },
    lost: [
      ...[...lost].map((word) => `@${word}`),
      ...used.map(({ text }) => `the name ${text}, which another cell uses`),
      ...new Set(variablesUsedIn(cell).variables.map(({ name }) => `the variable ${name}`)),
      ...(hasComment ? ["the comments"] : []),
    ],
  };
}
