import type { WireEvent } from "../agentFormat.ts";
import { errorBody } from "./errorBody.ts";

/** The last event of a stream in the formats of OpenAI that have no named events. */
export const doneEvent: WireEvent = { data: "[DONE]" };

/** Tells such a client that its stream has failed. */
export function failureEvent(status: number, sentence: string): WireEvent {
  return { data: JSON.stringify(errorBody({ status, sentence })) };
}

/** In place of the last event, if the service closed the stream before its end. */
export const cutOffEvent = failureEvent(
  502,
  "The service ended the answer before it was complete. Ask again for a complete answer.",
);
