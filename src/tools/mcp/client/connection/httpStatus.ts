import { SseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/**
 * The status of the response that an error of a transport is about; NaN for any other. An error that a server has put into a
 * message has a code of its own, which is none.
 */
export function httpStatusOf(error: unknown): number {
  if (error instanceof StreamableHTTPError || error instanceof SseError) return error.code ?? Number.NaN;
  const [, status] =
    error instanceof Error ? (/^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(error.message) ?? []) : [];
  return Number(status);
}

/** What to do about the statuses 401 and 403. */
export function deniedText(status: number): string {
  return `It refused the request (${status}). Write what it needs, such as an Authorization header, into its headers in mcp.json.`;
}
