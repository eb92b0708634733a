import type { WireError } from "../agentFormat.ts";

/** An error as OpenAI's libraries read it. */
export function errorBody({ sentence, status, code, field }: WireError): unknown {
  return { error: { message: sentence, type: typeOf(status), code: code ?? null, param: field ?? null } };
}

function typeOf(status: number): string {
  if (status === 401) return "authentication_error";
  if (status === 402) return "insufficient_quota";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}
