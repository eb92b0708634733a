import type { DialectId } from "../../api/dialect/dialect.ts";
import type { Issue, Refusal } from "../refusal.ts";

/**
 * The body of an error. spec.md shows none, so `standard` uses the simplest form of wire.md section 8. `venice` has a
 * form per status.
 */
export function errorBody(dialect: DialectId, refusal: Refusal, requestId: string): object {
  const { code } = refusal.details;
  if (code !== undefined) return { code, error: refusal.message };
  return dialect === "standard" ? standardBody(refusal) : veniceBody(refusal, requestId);
}

function standardBody({ message, details }: Refusal): object {
  const { issues, members } = details;
  if (!issues) return { error: message, ...members };
  return { error: message, details: issueTree(issues), issues, ...members };
}

function veniceBody(refusal: Refusal, requestId: string): object {
  const { status, message, details } = refusal;
  if (details.members) return { error: message, ...details.members };
  if (details.param) {
    const nested = { message, type: "invalid_request_error", param: details.param, code: "not_found" };
    return { error: nested };
  }
  if (details.issues) return issueBody(details.issues);
  if (status === 413) return { code: "PAYLOAD_TOO_LARGE", error: message };
  if (status >= 500) return { error: message, request_id: requestId };
  return { error: message };
}

/** Unknown members are sent as a list, broken rules as tree and list. */
function issueBody(issues: readonly Issue[]): object {
  if (issues.every((issue) => issue.code === "unrecognized_keys")) return { error: issues };
  return { error: "Invalid request parameters", details: issueTree(issues), issues };
}

interface IssueTree {
  _errors: string[];
  [field: string]: IssueTree | string[];
}

/** `{_errors: [], field: {_errors: []}}`, nested like the request. */
function issueTree(issues: readonly Issue[]): IssueTree {
  const root: IssueTree = { _errors: [] };
  for (const { path, message } of issues) {
    let node = root;
    for (const step of path) node = branch(node, String(step));
    node._errors.push(message);
  }
  return root;
}

function branch(node: IssueTree, name: string): IssueTree {
  const existing = Object.hasOwn(node, name) ? node[name] : undefined;
  if (existing && !Array.isArray(existing)) return existing;
  const made: IssueTree = { _errors: [] };
  // A field may be named __proto__. It must become a member, not the prototype.
  Object.defineProperty(node, name, { value: made, enumerable: true, configurable: true, writable: true });
  return made;
}
