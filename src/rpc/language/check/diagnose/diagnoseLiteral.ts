import type { Node } from "jsonc-parser";
import { methodOf, type ParamType } from "../../../../shared/rpc/catalog/catalog.ts";
import { toQuantity } from "../../../../shared/rpc/hex.ts";
import { exactJsonText } from "../../../../shared/text/json/exactJson.ts";
import {
  type LiteralCell,
  type LiteralItem,
  maxDigits,
  memberOf,
  nodeValueOf,
  sourceOf,
  spanOf,
} from "../../parse/literal.ts";
import { endOf } from "../../parse/tokens/tokens.ts";
import { directivesOf, textOf as wordOf } from "../../project.ts";
import { checkValue } from "../checkValue.ts";
import { methodIssueOn } from "../methodRules.ts";
import { fix, type Problem, problem } from "../problems.ts";

/** Limit of the proxy (spec E3). */
export const maxBatch = 100;

/** The problems of literal JSON-RPC, which is sent unchanged (spec E3, JSON-RPC item). */
export function diagnoseLiteral(cell: LiteralCell, networks: readonly string[]): Problem[] {
  const { items, batch, root, text, problems } = cell;
  const syntax = problems.map(({ message, ...span }) => problem(span, "syntax", message));
  const size = !root || !batch ? [] : batchSize(root, items.length);
  const allowed = new Set(
    directivesOf(cell, "allow").flatMap(({ statement }) => statement.args.flatMap(wordOf)),
  );
  const shape = items.flatMap((item) => itemProblems(item, networks, allowed, text));
  return [...syntax, ...size, ...shape, ...(batch ? idProblems(items) : [])];
}

function batchSize(root: Node, count: number): Problem[] {
  const first = { start: root.offset, end: root.offset + 1 };
  if (count === 0) return [problem(first, "batch", "A batch needs at least one call")];
  if (count <= maxBatch) return [];
  return [
    problem(
      first,
      "batch",
      `A batch can have at most ${maxBatch} calls, not ${count}. Split it into several cells`,
    ),
  ];
}

const itemMembers = new Set(["jsonrpc", "method", "params", "id"]);

function itemProblems(
  item: LiteralItem,
  networks: readonly string[],
  allowed: ReadonlySet<string>,
  text: string,
): Problem[] {
  const { node, method, params } = item;
  if (node.type !== "object")
    return [problem(item, "item", "A call is an object with jsonrpc, method, params and id")];
  return [
    ...versionProblems(item),
    ...(method ? literalMethod(item, networks, allowed) : [noMethod(item)]),
    ...(params ? paramsProblems(item, params) : []),
    ...idForm(item),
    ...unknownMembers(item, text),
    ...repeatedMembers(item),
    ...numberProblems(node, text),
  ];
}

function versionProblems({ node, start }: LiteralItem): Problem[] {
  const version = memberOf(node, "jsonrpc");
  if (version?.value === "2.0") return [];
  const message = 'jsonrpc must be "2.0"';
  if (version)
    return [
      problem(spanOf(version), "version", message, { fixes: [fix('Write "2.0"', spanOf(version), '"2.0"')] }),
    ];
  const comma = (node.children?.length ?? 0) > 0 ? ", " : "";
  const inside = { start: start + 1, end: start + 1 };
  return [
    problem({ start, end: start + 1 }, "version", `${message}; it is missing`, {
      fixes: [fix('Add "jsonrpc": "2.0"', inside, `"jsonrpc": "2.0"${comma}`)],
    }),
  ];
}

function noMethod({ node, start }: LiteralItem): Problem {
  const written = memberOf(node, "method");
  return problem(
    written ? spanOf(written) : { start, end: start + 1 },
    "method",
    "method is missing: the name of the JSON-RPC method",
  );
}

function literalMethod(
  { method }: LiteralItem,
  networks: readonly string[],
  allowed: ReadonlySet<string>,
): Problem[] {
  if (!method) return [];
  if (method.text === "") return [problem(method, "method", "method is empty")];
  const issue = methodIssueOn(method.text, networks, allowed);
  if (!issue) return [];
  const fixes = issue.replacements.map(({ title, method: name }) => fix(title, method, JSON.stringify(name)));
  const allow = fix(`Send ${method.text} Anyway`, { start: 0, end: 0 }, `@allow ${method.text}\n`);
  if (issue.code === "unlisted" && /^\w+$/.test(method.text)) fixes.push(allow);
  return [
    problem(method, issue.code, issue.message, {
      severity: issue.refuses ? "error" : "warning",
      refuses: issue.refuses,
      ...(issue.refuses ? { refusedMethod: method.text } : {}),
      fixes,
    }),
  ];
}

function paramsProblems({ method }: LiteralItem, params: Node): Problem[] {
  if (params.type !== "array") {
    const fixes = params.type === "object" ? [wrapFix(params)] : [];
    return [
      problem(
        spanOf(params),
        "params",
        "params must be a list, because the proxy doesn't support named parameters",
        { fixes },
      ),
    ];
  }
  const info = method && methodOf(method.text);
  if (!info) return [];
  const given = params.children ?? [];
  const least = info.params.filter(({ optional }) => !optional).length;
  const lack = info.params.slice(given.length, least).map(({ name }) => name);
  const arity =
    lack.length > 0
      ? [problem(spanOf(params), "arity", `${info.name} also needs ${lack.join(", ")}`, { refuses: false })]
      : given.length > info.params.length
        ? [
            problem(spanOf(params), "arity", `${info.name} takes ${info.params.length} parameters`, {
              refuses: false,
            }),
          ]
        : [];
  return [...arity, ...given.flatMap((node, at) => checkNode(node, info.params[at]?.type ?? "json"))];
}

function wrapFix(params: Node) {
  const { start, end } = spanOf(params);
  return {
    title: "Wrap it in a list",
    edits: [
      { start, end: start, text: "[" },
      { start: end, end, text: "]" },
    ],
  };
}

function checkNode(node: Node, type: ParamType): Problem[] {
  const value = nodeValueOf(node);
  if (value === null) return [];
  return checkValue(value, type).map(({ path, message, instead }) => {
    const span = spanOf(nodeAt(node, path));
    const text = exactJsonText(instead);
    return problem(span, "value", message, {
      refuses: false,
      severity: "warning",
      fixes: instead === undefined ? [] : [fix(`Write ${text}`, span, text)],
    });
  });
}

function nodeAt(node: Node, path: readonly (string | number)[]): Node {
  let at = node;
  for (const step of path) {
    const inner = typeof step === "number" ? at.children?.[step] : memberOf(at, step);
    if (!inner) return at;
    at = inner;
  }
  return at;
}

function idForm({ id }: LiteralItem): Problem[] {
  const isPlain =
    id && (id.type === "number" ? id.value <= Number.MAX_VALUE : ["string", "null"].includes(id.type));
  if (!id || isPlain) return [];
  return [problem(spanOf(id), "id", "An id is text or a number")];
}

function idProblems(items: readonly LiteralItem[]): Problem[] {
  const used = new Set(items.flatMap(({ id }) => (id ? [exactJsonText(nodeValueOf(id))] : [])));
  const seen = new Set<string>();
  let next = 1;
  const unusedId = () => {
    while (used.has(String(next))) next++;
    used.add(String(next));
    return String(next);
  };
  return items.flatMap((item) => {
    const { id, node, start } = item;
    if (node.type !== "object") return [];
    if (!id) {
      const inside = { start: start + 1, end: start + 1 };
      const comma = (node.children?.length ?? 0) > 0 ? ", " : "";
      const fixes = [fix("Add an id", inside, `"id": ${unusedId()}${comma}`)];
      return [
        problem(
          { start, end: start + 1 },
          "id",
          "Each call of a batch needs an id, because responses can have any order",
          { fixes },
        ),
      ];
    }
    const text = exactJsonText(nodeValueOf(id));
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    const fixes = [fix("Give it another id", spanOf(id), unusedId())];
    return [
      problem(spanOf(id), "id", `The id ${text} is used twice, so responses can't be matched to calls`, {
        fixes,
      }),
    ];
  });
}

const comma = /\s*,/y;

function unknownMembers({ node }: LiteralItem, text: string): Problem[] {
  return (node.children ?? []).flatMap((member) => {
    const [key] = member.children ?? [];
    if (!key || itemMembers.has(String(key.value))) return [];
    const { start, end } = spanOf(member);
    const fixes = [fix("Remove it", { start, end: endOf(comma, text, end) }, "")];
    return [problem(spanOf(key), "item", `A call has no member ${String(key.value)}`, { fixes })];
  });
}

/** Readers disagree on which of two members counts: the method that is confirmed and priced must be the one that runs. */
function repeatedMembers({ node }: LiteralItem): Problem[] {
  const seen = new Set<string>();
  return (node.children ?? []).flatMap(({ children: [key] = [] }) => {
    const name = String(key?.value);
    if (!key || !itemMembers.has(name)) return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [problem(spanOf(key), "item", `A call has ${name} only once`)];
  });
}

function numberProblems(node: Node, text: string, found: Problem[] = []): Problem[] {
  if (node.type === "number") found.push(...hugeNumber(node, text));
  for (const child of node.children ?? []) numberProblems(child, text, found);
  return found;
}

/** Numbers that are sent as written, but that readers may not take, or round to a float. */
function hugeNumber(node: Node, text: string): Problem[] {
  const span = spanOf(node);
  const written = sourceOf(node, text);
  if (node.length > maxDigits || !Number.isFinite(Number(written))) {
    const message = "This number is sent as written, but is too large for most nodes";
    return [problem(span, "number", message, { severity: "warning", refuses: false })];
  }
  if (!/^-?\d{16,}$/.test(written) || Number.isSafeInteger(Number(written))) return [];
  const hex = JSON.stringify(toQuantity(BigInt(written.replace("-", ""))));
  const message = "All digits are sent, but some nodes can't read a number this large";
  return [
    problem(span, "number", message, {
      severity: "warning",
      refuses: false,
      fixes: [fix(`Write ${hex}`, span, hex)],
    }),
  ];
}
