import { isApiError } from "../api/errors/errors.ts";
import { explain } from "../platform/errors/errorMessage.ts";
import type { Connection } from "../session/connection/connection.ts";
import { messageOf } from "../shared/messageOf.ts";

/** The reason of a failed call and the next step, as one text for the model and the user. */
export function toolErrorText(error: unknown, connection: Connection | undefined): string {
  if (!isApiError(error)) return messageOf(error);
  const kind = connection === undefined ? {} : { kind: connection.kind };
  return explain(error, { service: connection?.name ?? "The service", ...kind }).sentence;
}
