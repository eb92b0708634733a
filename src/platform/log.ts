import type { LogOutputChannel } from "vscode";
import type { ClientEvent } from "../api/call/client.ts";

/** Logs one line per request: endpoint, result, duration and request id. Never a body or a header. */
export function logClientEvent(log: LogOutputChannel, event: ClientEvent): void {
  if (event.type === "waiting") {
    const seconds = (event.ms / 1000).toFixed(1);
    log.warn(`${event.endpoint}: ${event.because.kind}, retry in ${seconds} s`);
    return;
  }
  if (event.type === "charged" || event.type === "uncharged" || event.type === "called") return;
  if (event.type === "dialect") {
    log.info(`the service speaks the ${event.dialect.id} dialect`);
    return;
  }
  const id = event.requestId ? ` [${event.requestId}]` : "";
  const again = event.attempt > 0 ? ` (retry ${event.attempt})` : "";
  const line = `${event.method} ${event.path} ${event.status ?? "no answer"} ${Math.round(event.ms)} ms${id}${again}`;
  if (event.error && event.error.kind !== "cancelled")
    log.error(`${line}: ${event.error.kind}: ${oneLine(event.error.message)}`);
  else log.info(event.error ? `${line}: cancelled` : line);
}

/** A service's message must not add lines because they could imitate ours. */
function oneLine(message: string): string {
  return message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}
