import type { CallOptions, ClientEvent } from "../../api/call/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import type { GatewayClient } from "./gatewayClient.ts";
import type { GatewayRequest, OpenedService } from "./gatewayDeps.ts";
import { Refused } from "./refused.ts";
import type { AgentSession } from "./sessionBook.ts";
import { wireErrorOf } from "./wireErrorOf.ts";

/** A wait for a limit of the service up to this long is not told to the client. */
const shortWaitMs = 1_000;

type ServiceOptions = Pick<CallOptions, "once" | "observe"> & { readonly signal: AbortSignal };
/** One call of a session over the service. */
type Call = (service: OpenedService, options: ServiceOptions) => Promise<void>;

/**
 * Runs a call of a session, and words its errors. `named`: what the body says of the session. Nothing is sent twice: the
 * client itself repeats what failed. Where the call would wait for a limit, the client is told until when.
 */
export async function overService(
  request: GatewayRequest,
  named: string | undefined,
  call: Call,
): Promise<void> {
  const { message, client, deps, abort } = request;
  const { signal } = abort;
  const session = deps.sessions.of(client, message.headers, named);
  const observe = (event: ClientEvent) => {
    if (event.type === "waiting" && event.ms > shortWaitMs) abort.abort(event.because);
  };
  await inSession(request, session, async () => {
    const service = await deps.open(session);
    try {
      await call(service, { signal, once: true, observe });
    } catch (error) {
      const { error: words, retryAfterSeconds } = wireErrorOf(
        causeOf(signal, error),
        service.name,
        deps.now(),
      );
      throw new Refused(words, retryAfterSeconds);
    }
  });
}

/** Throws `Refused` unless the client may use these models. The service chooses one that is not named. */
export async function checkPrivate(
  service: OpenedService,
  { isPrivateOnly }: GatewayClient,
  models: readonly (string | undefined)[],
): Promise<void> {
  if (!isPrivateOnly) return;
  for (const id of models) {
    if (id !== undefined && (await service.isPrivate(id))) continue;
    const which =
      id === undefined
        ? "The request names no model"
        : `The model ${id} is not one that the service lists as private`;
    const sentence = `${which}, and this client may use private ones alone. Choose a private model, or change the client in VS Code: run “Use with Other Agents…”. Nothing was sent.`;
    throw new Refused({ status: 403, sentence, field: "model" });
  }
}

/** The limit for which a call would have waited, or the reason of the user's stop, if that ended it. */
export function causeOf({ aborted, reason }: AbortSignal, error: unknown): unknown {
  return aborted && (reason instanceof ApiError || reason instanceof Refused) ? reason : error;
}

async function inSession(
  { abort, deps }: Pick<GatewayRequest, "abort" | "deps">,
  session: AgentSession,
  work: () => Promise<void>,
): Promise<void> {
  if (session.refusal) throw new Refused({ status: 403, sentence: session.refusal });
  session.calls += 1;
  session.lastMs = deps.now();
  session.running.add(abort);
  deps.onCall?.(session);
  try {
    await work();
  } finally {
    session.running.delete(abort);
    session.lastMs = deps.now();
    deps.onCall?.(session);
  }
}
