import { parseJson } from "../../shared/text/json/parseJson.ts";

/** Stands for a result that was removed. */
export const goneSentence = "This result is no longer stored.";

/** A hit of a web search. Its texts have no markup. */
export interface SearchHit {
  readonly title: string;
  /** http or https; empty if the service names none. */
  readonly url: string;
  /** As the service wrote it. May be empty. */
  readonly date: string;
  readonly snippet: string;
}

interface Stored {
  /** Sorts by time. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

export interface StoredSearch extends Stored {
  readonly kind: "search";
  readonly query: string;
  readonly provider: "provider_a" | "provider_b";
  readonly hits: readonly SearchHit[];
}

/** A web page. Its Markdown is in a separate file. */
interface StoredPage extends Stored {
  readonly kind: "page";
  /** The address that was read, after redirects. */
  readonly url: string;
  /** The address that was asked for. Results of earlier versions have none. */
  readonly asked?: string;
  readonly title: string;
}

/** A parsed file. Its text is in a separate file. */
interface StoredDocument extends Stored {
  readonly kind: "document";
  readonly name: string;
  readonly uri: string;
  /** Undefined if raw text was requested. */
  readonly tokens?: number;
  /** SHA-256 of the file in hex. Results of earlier versions have none. */
  readonly hash?: string;
}

/** The result of a paid call. Opening it again is free. */
export type StoredResult = StoredSearch | StoredPage | StoredDocument;
export type NewResult = StoredResult extends infer Each
  ? Each extends StoredResult
    ? Omit<Each, "id" | "atMs">
    : never
  : never;

/** Undefined if the file is damaged or of a later version. */
export function toStoredResult(json: string): StoredResult | undefined {
  const value = parseJson(json);
  return isStoredResult(value) ? value : undefined;
}

function isStoredResult(value: unknown): value is StoredResult {
  if (!hasMembers(value, { id: "string", atMs: "number", kind: "string" })) return false;
  if (value.kind === "search") {
    const { hits } = value;
    return hasMembers(value, { query: "string" }) && Array.isArray(hits) && hits.every(isHit);
  }
  if (value.kind === "page") return hasMembers(value, { url: "string", title: "string" });
  return value.kind === "document" && hasMembers(value, { name: "string", uri: "string" });
}

function isHit(value: unknown): boolean {
  return hasMembers(value, { title: "string", url: "string", date: "string", snippet: "string" });
}

function hasMembers(
  value: unknown,
  types: Readonly<Record<string, "string" | "number">>,
): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const members = value as Record<string, unknown>;
  return Object.entries(types).every(([name, type]) => typeof members[name] === type);
}
