import type { ChatChunk } from "../../api/endpoints/chat/chatReply.ts";
import type { ChatRequest } from "../../api/endpoints/chat/chatRequest.ts";
import type { Members } from "../../shared/members.ts";

/** A server-sent event. Without a name it has a `data` line alone. */
export interface WireEvent {
  readonly name?: string;
  /** One line, as a rule JSON. */
  readonly data: string;
}

/** An error as a format shows it to its client. */
export interface WireError {
  /** HTTP status, 400 to 599. */
  readonly status: number;
  /** Reason and next step. It never has a secret. */
  readonly sentence: string;
  /** A short code such as `insufficient_quota`. */
  readonly code?: string;
  /** Dotted path of the member that was refused, `tools.2.type`. */
  readonly field?: string;
}

/**
 * Writes one answer in the shape of a format: `begin`, `add` for each chunk, then `end` or `fail`. The events of these
 * are sent in this order if the client asked for a stream, else `whole` is called after `end`. What is written ends as the
 * format says, however the service ended its own. Each may throw ApiError `malformed-response` if the service says that it broke
 * the answer off.
 */
export interface AnswerWriter {
  begin(): readonly WireEvent[];
  add(chunk: ChatChunk): readonly WireEvent[];
  /** `truncated`: the service closed the stream before the answer was complete. */
  end(end: "done" | "truncated"): readonly WireEvent[];
  /** The events that tell the client that a stream has failed after its beginning. */
  fail(error: WireError): readonly WireEvent[];
  /** The complete answer, after `end`. */
  whole(): unknown;
}

/** A request of another agent, translated. */
export interface ReadRequest {
  readonly request: ChatRequest;
  readonly isStreamed: boolean;
  /** What the body says of the session that it belongs to, a text of the client; undefined if it says nothing. */
  readonly session?: string;
  openWriter(): AnswerWriter;
}

/** What a format needs beside the body. */
export interface ReadContext {
  /** Of the client's token: what one client stored is not read by another. */
  readonly client: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A random id with this prefix, `resp_…`. */
  readonly newId: (prefix: string) => string;
}

/**
 * A wire format of other agents, translated to the chat route and back. What can't be translated is refused by name and
 * never dropped: `read` throws an ApiError `invalid-request` whose issues name each such member.
 */
export interface AgentFormat {
  read(body: Members, context: ReadContext): ReadRequest;
  errorBody(error: WireError): unknown;
  /** The status under which the clients of this format show an error and do not repeat it; absent if it is the error's own. */
  errorStatus?(status: number): number;
}
