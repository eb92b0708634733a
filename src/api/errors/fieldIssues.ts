import { isMembers } from "../../shared/members.ts";
import type { FieldIssue } from "./errors.ts";

/** Limit for the issues of one refusal. */
const issueLimit = 50;

/** The violated rules of an error body, in any of the known shapes (wire.md section 8), limited in number. */
export function issuesOf(body: unknown): FieldIssue[] {
  if (!isMembers(body)) return [];
  const nested = isMembers(body.error) ? body.error : {};
  const lists = [body.issues, body.error, nested.issues].filter((value) => Array.isArray(value));
  const listed = lists.flat().slice(0, issueLimit).flatMap(listedIssue);
  if (listed.length > 0) return listed;
  if (typeof nested.param === "string" && typeof nested.message === "string") {
    return [issue(nested.param, nested.message)];
  }
  return [body.details, nested.details].flatMap((details) => detailIssues(details)).slice(0, issueLimit);
}

function listedIssue(listed: unknown): FieldIssue[] {
  if (!isMembers(listed) || typeof listed.message !== "string") return [];
  const path = Array.isArray(listed.path) ? listed.path.slice(0, 16).map(String).join(".") : "";
  return [issue(path, listed.message)];
}

/** Reads `{_errors: [], field: {_errors: []}}`, `{field: "sentence" or ["sentence"]}` and plain text, up to 16 deep. */
function detailIssues(node: unknown, path: readonly string[] = []): FieldIssue[] {
  if (typeof node === "string") return node === "" ? [] : [issue(path.join("."), node)];
  if (Array.isArray(node)) {
    return node
      .slice(0, issueLimit)
      .flatMap((said) => (typeof said === "string" ? detailIssues(said, path) : []));
  }
  if (!isMembers(node) || path.length > 16) return [];
  const { _errors: own, ...fields } = node;
  const below = Object.entries(fields).slice(0, issueLimit);
  return [
    detailIssues(own, path),
    ...below.map(([name, child]) => detailIssues(child, [...path, name])),
  ].flat();
}

function issue(field: string, message: string): FieldIssue {
  return { field: field.slice(0, 200), message: message.slice(0, 500) };
}
