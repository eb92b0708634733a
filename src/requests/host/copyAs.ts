import type { Called } from "../../api/call/record/callRecorder.ts";
import { shellQuoted } from "../../shared/text/shellQuoted.ts";
import type { RequestHead } from "./log/requestHead.ts";

/** Stands in place of an address that is not known: of the sandbox, or of a removed connection. */
const unknownRoot = "$BASE_URL";

/**
 * The last attempt as a command of curl for a POSIX shell. The credential is `$KEY`. `root` is the API root of its
 * connection. Undefined if nothing was sent.
 */
export function toCurl({ attempts }: Called, root: string | undefined): string | undefined {
  const attempt = attempts.at(-1);
  if (!attempt) return undefined;
  const { method, path, requestHeaders, request } = attempt;
  const url = root === undefined ? `"${unknownRoot}"${shellQuoted(path)}` : shellQuoted(root + path);
  const headers = Object.entries(requestHeaders).map(([name, value]) => `-H ${headerText(name, value)}`);
  const note = request?.isChanged ? "# Not all of the body was kept.\n" : "";
  const body = request?.text === undefined ? [] : [`--data-raw ${shellQuoted(request.text)}`];
  return `${note}${["curl", `-X ${method}`, url, ...headers, ...body].join(" \\\n  ")}\n`;
}

/** Double quotes, so that the shell puts the key in. */
function headerText(name: string, value: string): string {
  if (/^authorization$/i.test(name)) return `"${name}: Bearer $KEY"`;
  return value.includes("***") ? `"${name}: $KEY"` : shellQuoted(`${name}: ${value}`);
}

/** All that is recorded, as JSON text. */
export function toJsonText(head: RequestHead, called: Called): string {
  const { connection, cost, isCostUnknown } = head;
  const { type: _, ...rest } = called;
  const price = cost ?? (isCostUnknown ? "unknown" : undefined);
  return `${JSON.stringify({ connection, ...(price ? { price } : {}), ...rest }, undefined, 2)}\n`;
}
