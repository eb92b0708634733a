import type * as z from "zod";
import { type Dialect, dialects, isAbsent } from "../../../api/dialect/dialect.ts";
import type { Endpoint } from "../../../api/endpoint.ts";
import type { Members } from "../../../shared/members.ts";
import { isMembers } from "../../../shared/members.ts";
import { parseExact } from "../../../shared/text/json/exactJson.ts";
import { type Issue, Refusal } from "../../refusal.ts";
import type { Matched, Route } from "../routes.ts";
import type { RequestBody } from "./readBody.ts";

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The parts of a request that can contain input. */
export interface RequestParts {
  readonly query: URLSearchParams;
  readonly headers: RequestHeaders;
  readonly body: RequestBody;
}

export interface ReadInput {
  /** By the names of the spec. */
  readonly members: Members;
  /** The request has `stream: true`. */
  readonly streamed: boolean;
}

/** Reads the members from the places that the row defines. Throws a Refusal if the body can't contain any. */
export function readRequestInput(
  request: RequestParts,
  { route, params }: Matched,
  dialect: Dialect,
): ReadInput {
  const { row } = route;
  const { stream, ...rest } = carried(row, request);
  const streamed = route.streams && streamFlag(stream);
  const given = route.streams || stream === undefined ? rest : { ...rest, stream };
  const members = { ...fromDialect(given, dialect), ...inHeaders(row, request.headers), ...params };
  return { members, streamed };
}

/** Validates members by the dialect's rules for the route. Throws a 400 that lists all broken rules. */
export function checkDialect({ id }: Route, members: Members, dialect: Dialect): void {
  const rules = dialect.rules[id];
  const result = rules?.safeParse(members);
  if (!result?.error) return;
  const issues = result.error.issues.map((issue) => {
    const member = String(issue.path[0]);
    return isAbsent(dialect, id, member) ? unknownMember(member) : toIssue(issue, dialect);
  });
  throw invalid(issues);
}

/** Validates members by the row's schema. Throws a 400 that lists all broken rules. */
export function checkRequestInput(row: Endpoint, members: Members, dialect: Dialect): unknown {
  const result = row.input.safeParse(members);
  if (result.success) return result.data;
  throw invalid(result.error.issues.map((issue) => toIssue(issue, dialect)));
}

function carried(row: Endpoint, { query, headers, body }: RequestParts): Members {
  if (row.encode === "query") return typed(row, known(row, Object.fromEntries(query)));
  if (body.kind === "refused") throw body.refusal;
  if (row.encode === "multipart" && body.kind === "form") return typed(row, body.members);
  const value = readJson(row, String(headers["content-type"]), body);
  if (row.encode === "whole") return { body: value };
  if (isMembers(value)) return value;
  throw new Refusal(400, "The request body must be a JSON object");
}

function readJson(row: Endpoint, contentType: string, body: RequestBody): unknown {
  if (body.kind !== "text" || !/^application\/json\s*(;|$)/i.test(contentType)) {
    const form = row.encode === "multipart" ? "multipart/form-data or " : "";
    throw new Refusal(415, `Send the body as ${form}application/json`);
  }
  if (body.value === undefined) throw new Refusal(400, "The request body is not valid JSON");
  return row.exact ? parseExact(body.text) : body.value;
}

/** Unknown members of bodies are refused (wire.md section 3). Nothing is specified for queries, so they are ignored. */
function known(row: Endpoint, members: Members): Members {
  const shape = shapeOf(row);
  return Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(shape, name)));
}

/** Queries and forms contain text only. Converts numbers and booleans. */
function typed(row: Endpoint, members: Members): Members {
  const shape = shapeOf(row);
  const entries = Object.entries(members).map(([name, value]) => {
    const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return [name, schema && typeof value === "string" ? typedText(schema, value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function typedText(schema: z.ZodType, text: string): unknown {
  if (schema.safeParse(text).success) return text;
  const value = /^(true|false)$/.test(text)
    ? text === "true"
    : /^-?\d+(\.\d+)?$/.test(text)
      ? Number(text)
      : text;
  const { error } = schema.safeParse(value);
  return error?.issues.some(({ code }) => code === "invalid_type") ? text : value;
}

function shapeOf({ input }: Endpoint): Readonly<Record<string, z.ZodType>> {
  return "shape" in input ? (input.shape as Record<string, z.ZodType>) : {};
}

function inHeaders({ headers: names = {} }: Endpoint, headers: RequestHeaders): Members {
  const entries = Object.entries(names).map(([member, name]) => [member, headers[name.toLowerCase()]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function streamFlag(value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw invalid([{ code: "invalid_type", path: ["stream"], message: "Invalid input: expected boolean" }]);
}

const ours = dialects.standard.parametersMember;

/** The schemas use the spec's names and values. In another dialect the spec's spelling is refused as unknown. */
function fromDialect(members: Members, dialect: Dialect): Members {
  return spelledOurWay(namedOurWay(members, dialect.parametersMember), dialect);
}

function namedOurWay(members: Members, theirs: string): Members {
  if (theirs === ours) return members;
  if (ours in members) throw invalid([unknownMember(ours)]);
  if (!(theirs in members)) return members;
  const { [theirs]: parameters, ...rest } = members;
  return { ...rest, [ours]: parameters };
}

function spelledOurWay(members: Members, { values }: Dialect): Members {
  const spelled = Object.entries(values).flatMap(([member, words]) => {
    const given = members[member];
    if (given === undefined) return [];
    const own = Object.keys(words).find((word) => words[word] === given);
    if (own !== undefined) return [[member, own]];
    const message = `Invalid option: expected one of ${Object.values(words).join("|")}`;
    throw invalid([{ code: "invalid_value", path: [member], message }]);
  });
  return { ...members, ...Object.fromEntries(spelled) };
}

function toIssue(issue: z.core.$ZodIssue, dialect: Dialect): Issue {
  const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
  const renamed = path[0] === ours ? [dialect.parametersMember, ...path.slice(1)] : path;
  return { code: issue.code, path: renamed, message: issue.message };
}

function unknownMember(name: string): Issue {
  return { code: "unrecognized_keys", path: [], message: `Unrecognized key: "${name}"` };
}

function invalid(issues: readonly Issue[]): Refusal {
  return new Refusal(400, "Invalid request parameters", { issues });
}
