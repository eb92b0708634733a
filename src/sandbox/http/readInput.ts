import type * as z from "zod";
import { type Dialect, dialects } from "../../api/dialect.ts";
import { type Issue, Refusal } from "../refusal.ts";
import type { Matched } from "./routes.ts";

export type Members = Readonly<Record<string, unknown>>;

/** A body as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON body's members. Refuses what is not JSON by its type (415) or no JSON object (400). */
export function readMembers(contentType: string, body: unknown): Members {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new Refusal(415, "Send the body as application/json");
  }
  if (body === undefined) throw new Refusal(400, "The request body is not valid JSON");
  if (isMembers(body)) return body;
  throw new Refusal(400, "The request body must be a JSON object");
}

/** One member of a body of which nothing is known yet. */
export function peek(body: unknown, name: string): string | undefined {
  const value = isMembers(body) ? body[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export interface CheckedInput {
  readonly input: unknown;
  readonly streamed: boolean;
}

/** Holds query or body against the row's schema, under the dialect's own names. */
export function checkInput(given: Members, { route, params }: Matched, dialect: Dialect): CheckedInput {
  const { stream, ...rest } = given;
  const members = route.streams ? rest : given;
  const streamed = route.streams && streamFlag(stream);
  const named = { ...fromDialect(members, dialect), ...params };
  const known = route.row.encode === "query" ? withoutUnknown(named, route.row.input) : named;
  const result = route.row.input.safeParse(known);
  if (result.success) return { input: result.data, streamed };
  throw invalid(result.error.issues.map((issue) => toIssue(issue, dialect)));
}

function streamFlag(value: unknown): boolean {
  if (value === undefined || typeof value === "boolean") return value ?? false;
  throw invalid([{ code: "invalid_type", path: ["stream"], message: "Invalid input: expected boolean" }]);
}

const ours = dialects.standard.parametersMember;

/** The schema knows the spec's names only: on another dialect that spelling is an unknown member like any. */
function fromDialect(members: Members, { parametersMember: theirs }: Dialect): Members {
  if (theirs === ours) return members;
  if (ours in members) throw invalid([unknownMember(ours)]);
  if (!(theirs in members)) return members;
  const { [theirs]: parameters, ...rest } = members;
  return { ...rest, [ours]: parameters };
}

/** Bodies are closed (wire.md section 3); of queries nothing is said, so what no one reads is let be. */
function withoutUnknown(members: Members, schema: z.ZodType): Members {
  const shape = "shape" in schema ? (schema.shape as object) : {};
  return Object.fromEntries(Object.entries(members).filter(([name]) => Object.hasOwn(shape, name)));
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
