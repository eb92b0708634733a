import { rpcTier } from "../../../api/money/rpcCredits.ts";
import {
  catalog,
  isServedBy,
  type Method,
  networkFamily,
  type ParamType,
} from "../../../shared/rpc/catalog/catalog.ts";
import { methodTiers } from "../../../shared/rpc/methodTiers.ts";
import { isMainnet, localNetwork } from "../../../shared/rpc/networks.ts";
import { blockTags, traceTypes } from "../check/checkValue.ts";
import { methodIssue, tierText } from "../check/methodRules.ts";
import { sugars } from "../encode/encodeRequest.ts";
import { envFileEnding } from "../environment/envFile.ts";
import { directives, lookUpKinds } from "../parse/directives.ts";
import type { LiteralCell } from "../parse/literal.ts";
import { functions, type Operator, operators, type Span } from "../parse/nodes.ts";
import type { Cell, LinesCell } from "../parse/parseCell.ts";
import { environmentsOf, networksOfCell, type Project } from "../project.ts";
import { nameItems, signatureItems, variableItems } from "./completeNames.ts";
import { type CursorPlace, cursorAt, membersOf } from "./cursor.ts";

export interface Completion extends Span {
  readonly label: string;
  readonly kind: "method" | "keyword" | "name" | "member" | "value" | "network" | "function";
  readonly detail: string;
  readonly documentation?: string;
  readonly insert?: string;
  /** Shown struck through. */
  readonly refused?: boolean;
  /** Lists are sorted by it, then by label. */
  readonly rank: number;
}

/** The completions at an offset of a cell. */
export function complete(project: Project, index: number, offset: number): Completion[] {
  const one = project.cells[index];
  if (!one) return [];
  const [network = localNetwork] = networksOfCell(project, one);
  if (one.cell.form === "literal" && offset > one.cell.start)
    return completeLiteral(one.cell, offset, network);
  const lines = linesOf(one.cell);
  const place = cursorAt(lines, offset);
  const { start, end } = place;
  return completionsAt(project, index, lines, place, network).map((item) => ({ start, end, ...item }));
}

/** The lines of a cell. For a JSON cell, the lines above the JSON. */
function linesOf(cell: Cell): LinesCell {
  if (cell.form === "lines") return cell;
  const { text, start, above } = cell;
  return { form: "lines", text: text.slice(0, start), statements: above };
}

type Item = Omit<Completion, keyof Span>;

function completionsAt(
  project: Project,
  index: number,
  cell: LinesCell,
  place: CursorPlace,
  network: string,
): readonly Item[] {
  switch (place.kind) {
    case "method":
      return [...sugarItems, expectItem, ...methodItems(network)];
    case "directive":
      return [...directives].map(([label, documentation]) => ({
        label,
        documentation,
        kind: "keyword",
        detail: "directive",
        rank: 0,
      }));
    case "directiveValue":
      return directiveValues(project, place.directive);
    case "reference":
      return nameItems(project, index, place.statement);
    case "variable":
      return variableItems(project, index, cell.text.slice(place.end));
    case "member":
      return [...membersOf(place.owner)]
        .filter(
          ([label]) => !place.present.includes(label) || cell.text.slice(place.start, place.end) === label,
        )
        .map(([label, type]) => ({ label, kind: "member", detail: type, insert: `${label}: `, rank: 0 }));
    case "value":
      return [
        ...valueItems(project, place.type, place.request.method.text, place.argument),
        ...nameItems(project, index, place.statement),
        ...optionItems(place.request.method.text),
        ...functionItems,
      ];
    case "subject":
      return [...measureItems, ...nameItems(project, index, place.statement)];
    case "operator":
      return operatorItems;
    case "other":
      return nameItems(project, index, place.statement);
  }
}

const sugarItems: readonly Item[] = [...sugars].map(([label, { summary, params }]) => ({
  label,
  documentation: summary,
  kind: "keyword",
  detail: params.map(({ name }) => name).join(" "),
  insert: `${label} `,
  rank: 1,
}));

const expectItem: Item = {
  label: "expect",
  kind: "keyword",
  detail: "value operator value",
  documentation:
    "Checks a result after the requests of the cell: `expect $balance > 1 ether`. Sends nothing.",
  insert: "expect ",
  rank: 1,
};

const measureItems: readonly Item[] = [
  { label: "error", kind: "keyword", detail: "the request above fails", rank: 2 },
  { label: "gas", kind: "keyword", detail: "gas of the request above", rank: 2 },
  { label: "cost", kind: "keyword", detail: "credits of this cell", rank: 2 },
];

const operatorDetails: Readonly<Record<Operator, string>> = {
  "==": "equal",
  "!=": "not equal",
  "<": "less",
  "<=": "less or equal",
  ">": "greater",
  ">=": "greater or equal",
  contains: "text in a text, item of a list, members of an object",
  matches: "a regular expression in quotes",
  "is-null": "the result is null",
  error: "the request fails with this text or code",
};
const operatorItems: readonly Item[] = operators.map((label, at) => ({
  label,
  kind: "keyword",
  detail: operatorDetails[label],
  rank: at / 100,
}));

const methodItemsOf = new Map<string, readonly Item[]>();

/** The methods of a network's family. Refused methods are sorted last. */
function methodItems(network: string): readonly Item[] {
  const cached = methodItemsOf.get(network);
  if (cached) return cached;
  const family = networkFamily(network);
  const own = catalog
    .filter(({ name }) => !family || isServedBy(name, family))
    .map((method) => toItem(method, network));
  const refused = network === localNetwork ? [] : refusedNames.map((name) => refusedItem(name, network));
  const items = [...own, ...refused];
  methodItemsOf.set(network, items);
  return items;
}

function toItem({ name, params, summary }: Method, network: string): Item {
  const listed = params.map((param) => `${param.name}${param.optional ? "?" : ""}`).join(" ");
  const detail = `${tierText(name, network)}${listed ? ` — ${listed}` : ""}`;
  const tier = rpcTier(name, network);
  return { label: name, kind: "method", detail, documentation: summary, rank: "multiplier" in tier ? 2 : 8 };
}

const refusedNames = [...methodTiers.websocket, ...methodTiers.filter, ...methodTiers["key-holding"]];

function refusedItem(label: string, network: string): Item {
  const issue = methodIssue(label, network);
  const [first] = issue?.replacements ?? [];
  return {
    label,
    kind: "method",
    detail: first ? `refused: ${first.title}` : "refused",
    documentation: issue?.message ?? "",
    refused: true,
    rank: 9,
    ...(first && !first.polls ? { insert: first.method } : {}),
  };
}

const directiveWords: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["order", ["serial", "batch"]],
  ["view", ["table", "tree", "json"]],
  ["lookup", lookUpKinds],
  ["watch", ["logs"]],
  ["every", ["2s", "6s", "12s", "1 min"]],
]);

function directiveValues(project: Project, directive: string): readonly Item[] {
  if (directive === "network") {
    return project.offered.map((label) => ({
      label,
      kind: "network",
      detail:
        label === localNetwork ? "this machine, free" : isMainnet(label) ? "main network" : "test network",
      rank: isMainnet(label) ? 1 : 2,
    }));
  }
  if (directive === "env") {
    const { offered } = environmentsOf(project);
    return offered.map((label) => ({ label, kind: "value", detail: `${label}${envFileEnding}`, rank: 0 }));
  }
  return (directiveWords.get(directive) ?? []).map((label, rank) => ({
    label,
    kind: "value",
    detail: `@${directive}`,
    rank,
  }));
}

function valueItems(project: Project, type: ParamType, method: string, argument: number): readonly Item[] {
  const words = (labels: readonly string[], detail: string): Item[] =>
    labels.map((label, at) => ({ label, kind: "value", detail, rank: at / 100 }));
  if (method === "call" && argument === 1) return signatureItems(project, "function");
  if (method === "logs" && argument === 1) return signatureItems(project, "event");
  switch (type) {
    case "block":
    case "starkBlock":
      return words(type === "block" ? [...blockTags, "-100"] : ["latest", "pending"], "block");
    case "boolean":
      return words(["true", "false"], "boolean");
    case "traceTypes":
      return words(
        traceTypes.map((name) => `[${name}]`),
        "traces",
      );
    case "percentiles":
      return words(["[25, 50, 75]", "[10, 90]"], "percentiles");
    case "tracer":
      return words(["callTracer", "prestateTracer", "4byteTracer"], "tracer");
    case "call":
      return [{ label: "{ to: … }", insert: "{ to: , data: 0x }", kind: "value", detail: "call", rank: 0 }];
    case "filter":
      return [
        {
          label: "{ fromBlock: … }",
          insert: "{ fromBlock: -100, toBlock: latest }",
          kind: "value",
          detail: "filter",
          rank: 0,
        },
      ];
    case "address":
    case "json":
      return words(addressesIn(project), "address in this notebook");
    default:
      return [];
  }
}

/** Addresses in the text of the notebook. */
function addressesIn(project: Project): readonly string[] {
  const all = project.cells.flatMap(
    ({ cell }) => cell.text.slice(0, 100_000).match(/\b0x[0-9a-fA-F]{40}\b/g) ?? [],
  );
  return [...new Set(all)].slice(0, 50);
}

function optionItems(method: string): readonly Item[] {
  return (sugars.get(method)?.options ?? []).map((name) => ({
    label: `${name}:`,
    kind: "member",
    detail: `option of ${method}`,
    rank: 3,
  }));
}

const functionItems: readonly Item[] = functions.map((name) => ({
  label: `${name}()`,
  insert: `${name}(`,
  kind: "function",
  detail: "function",
  rank: 5,
}));

/** In JSON only the names of methods are completed. */
function completeLiteral(cell: LiteralCell, offset: number, network: string): Completion[] {
  for (const { method } of cell.items) {
    if (!method || offset < method.start || offset > method.end) continue;
    const { start, end } = method;
    return methodItems(network).map((item) => ({
      ...item,
      start,
      end,
      insert: JSON.stringify(item.insert ?? item.label),
    }));
  }
  return [];
}
