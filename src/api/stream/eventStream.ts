import type * as z from "zod";
import { isMembers } from "../../shared/members.ts";
import { isJson } from "../../shared/text/json/parseJson.ts";
import { isTooDeep } from "../call/body/readText.ts";
import type { Deadline } from "../call/limits/deadline.ts";
import type { AttemptRecorder } from "../call/record/callRecorder.ts";
import { classifyStreamError, type FailedReply, isErrorEvent } from "../errors/classify.ts";
import { isCancelled } from "../errors/errors.ts";
import { classifyThrown } from "../errors/networkError.ts";
import { checkOutput, malformed } from "../validate.ts";
import type { EventShaper } from "./eventShaper.ts";
import { endsAnswer, isEventStream, objectsIn, wordsError } from "./otherBody.ts";
import { createEventCutter } from "./sse.ts";

/** End of a stream: complete, or cut off before `[DONE]`. */
type StreamEnd = "done" | "truncated";

/**
 * The events of a streamed answer, parsed and validated. Iterate once: over `batches()` if speed matters, one array per
 * network chunk, or event by event. Leaving the loop aborts the request. Throws ApiError for an error event, a lost
 * connection, a timeout or the caller's signal, after all earlier events were yielded.
 */
export interface EventStream<Event> extends AsyncIterable<Event> {
  batches(): AsyncIterable<readonly Event[]>;
  /** Undefined until the body has ended. */
  readonly end: StreamEnd | undefined;
  readonly requestId: string | undefined;
}

export interface StreamSource<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly body: AsyncIterable<Uint8Array>;
  readonly deadline: Deadline;
  readonly reply: Omit<FailedReply, "text">;
  readonly requestId: string | undefined;
  /** Converts a complete answer to one event. */
  readonly eventOf: ((reply: unknown) => unknown) | undefined;
  /** Applied to each event before validation. */
  readonly read: (event: unknown) => unknown;
  /** See `Endpoint.isPlain`. */
  readonly isPlain: ((event: unknown) => boolean) | undefined;
  readonly shaper: EventShaper<z.output<Schema>> | undefined;
  /** Called once at the end of the stream, after success or failure. */
  readonly onEnd?: (lastPriced: z.output<Schema> | undefined) => void;
  /** Undefined if nobody wants a record of the call. */
  readonly recorder?: AttemptRecorder | undefined;
}

export function createEventStream<Schema extends z.ZodType>(
  source: StreamSource<Schema>,
): EventStream<z.output<Schema>> {
  let end: StreamEnd | undefined;
  const priced: Priced<z.output<Schema>> = { hasEvents: false };
  const batches = async function* (): AsyncGenerator<readonly z.output<Schema>[]> {
    const cutter = createEventCutter();
    const other = createOtherBody();
    try {
      for await (const bytes of source.body) {
        source.deadline.expect("idleMs");
        source.recorder?.piece(bytes);
        stopIfCancelled(source.deadline);
        if (!priced.hasEvents) other.add(bytes);
        const events = cutter.feed(bytes);
        source.deadline.heard(events.length > 0);
        const reached = yield* decoded(source, events, priced);
        stopIfCancelled(source.deadline);
        end = reached;
        if (end) return yield* heldBack(source);
      }
      end = yield* lastEvents(source, cutter.end(), other, priced);
      yield* heldBack(source);
    } catch (error) {
      if (!endedByCaller(source.deadline)) yield* heldBack(source);
      const { endpoint, secrets } = source.reply;
      const failed = classifyThrown(endpoint, abortReason(source.deadline.signal) ?? error, secrets, true);
      source.recorder?.fails(failed);
      throw failed;
    } finally {
      source.deadline.end();
      source.onEnd?.(priced.event);
      source.recorder?.end();
    }
  };
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches()) {
        for (const event of batch) {
          stopIfCancelled(source.deadline);
          yield event;
        }
      }
    },
    get end() {
      return end;
    },
    requestId: source.requestId,
  };
}

interface Priced<Event> {
  /** The last event that states a price. */
  event?: Event;
  /** True after the first event, with an error or not. */
  hasEvents: boolean;
}

/** Bytes of a body in place of a stream that are kept. */
const maxOtherBytes = 16 * 1024 * 1024;

/** What came before the first event: all of the body if it is no event stream. */
function createOtherBody() {
  const pieces: Uint8Array[] = [];
  let length = 0;
  return {
    add(bytes: Uint8Array): void {
      if (length < maxOtherBytes) pieces.push(bytes.slice());
      length += bytes.byteLength;
    },
    text: () => new TextDecoder().decode(Buffer.concat(pieces)),
  };
}

/** The events after the last complete one, or those of a body that is no event stream. */
function* lastEvents<Schema extends z.ZodType>(
  source: StreamSource<Schema>,
  left: readonly string[],
  other: ReturnType<typeof createOtherBody>,
  priced: Priced<z.output<Schema>>,
): Generator<readonly z.output<Schema>[], StreamEnd> {
  // Drop a trailing partial event.
  const rest = left.filter((data) => data === "[DONE]" || isJson(data));
  const reached = yield* decoded(source, rest, priced);
  return reached ?? (priced.hasEvents ? "truncated" : yield* inPlace(source, other.text(), priced));
}

/** A body without events: a complete answer, one or more events as JSON, an error, or words, which are the error. */
function* inPlace<Schema extends z.ZodType>(
  source: StreamSource<Schema>,
  body: string,
  priced: Priced<z.output<Schema>>,
): Generator<readonly z.output<Schema>[], StreamEnd> {
  if (isEventStream(body)) return "truncated";
  const { endpoint, status } = source.reply;
  const { requestId } = source;
  if (isTooDeep(body)) throw malformed(endpoint, "the answer nests too deep", { status, requestId });
  const objects = objectsIn(body);
  if (!objects?.every((value) => "choices" in value || isErrorEvent(value)))
    throw wordsError(body, source.reply, requestId);
  const events = objects.map((value) => (isErrorEvent(value) ? value : (source.eventOf?.(value) ?? value)));
  yield* decoded(
    source,
    events.map((value) => JSON.stringify(value)),
    priced,
  );
  return objects.some(endsAnswer) ? "done" : "truncated";
}

/** Nothing that arrived is lost, however the stream ended. */
function* heldBack<Schema extends z.ZodType>({
  shaper,
}: StreamSource<Schema>): Generator<readonly z.output<Schema>[]> {
  const event = shaper?.end();
  if (event !== undefined) yield [event];
}

function* decoded<Schema extends z.ZodType>(
  source: StreamSource<Schema>,
  events: readonly string[],
  priced: Priced<z.output<Schema>>,
): Generator<readonly z.output<Schema>[], "done" | undefined> {
  const batch: z.output<Schema>[] = [];
  for (const data of events) {
    const isFirst = !priced.hasEvents;
    priced.hasEvents = true;
    if (data === "[DONE]") {
      if (batch.length > 0) yield batch;
      return "done";
    }
    try {
      addEvent(batch, source, parseEvent(source, data, isFirst), data, priced);
    } catch (error) {
      // Yield the events that arrived before the failure.
      if (batch.length > 0) yield batch;
      throw error;
    }
  }
  if (batch.length > 0) yield batch;
  return undefined;
}

/** Throws the error that an event states. */
function addEvent<Schema extends z.ZodType>(
  batch: z.output<Schema>[],
  source: StreamSource<Schema>,
  event: unknown,
  data: string,
  priced: Priced<z.output<Schema>>,
): void {
  if (isErrorEvent(event)) {
    for (const words of lastWords(source, event, data)) batch.push(shaped(source, words));
    throw classifyStreamError(event, data, source.reply);
  }
  source.recorder?.event(event);
  batch.push(shaped(source, checkEvent(source, event, data, priced)));
}

function shaped<Schema extends z.ZodType>(
  { shaper }: StreamSource<Schema>,
  event: z.output<Schema>,
): z.output<Schema> {
  return shaper ? shaper.add(event) : event;
}

function parseEvent(
  { read, reply, requestId }: StreamSource<z.ZodType>,
  data: string,
  isFirst: boolean,
): unknown {
  try {
    return read(JSON.parse(data));
  } catch {
    // No answer has begun: these are the words of a gateway.
    if (isFirst) throw wordsError(data, reply, requestId);
    // The parser's message quotes the event, which may be private.
    throw malformed(reply.endpoint, "an event is not JSON", { status: reply.status, requestId });
  }
}

/** An error chunk may contain the end of the answer. */
function lastWords<Schema extends z.ZodType>(
  { isPlain, schema }: StreamSource<Schema>,
  event: Readonly<Record<string, unknown>>,
  data: string,
): z.output<Schema>[] {
  if (!Array.isArray(event.choices) || event.choices.length === 0) return [];
  if (isPlain?.(event)) return [event as z.output<Schema>];
  const read = isTooDeep(data) ? undefined : schema.safeParse(event);
  return read?.success ? [read.data] : [];
}

function checkEvent<Schema extends z.ZodType>(
  source: StreamSource<Schema>,
  value: unknown,
  data: string,
  priced: Priced<z.output<Schema>>,
): z.output<Schema> {
  if (source.isPlain?.(value)) return value as z.output<Schema>;
  const { endpoint, status } = source.reply;
  const { requestId } = source;
  // Deep unknown members are kept as well, and must be serialized again for the next request.
  if (isTooDeep(data)) throw malformed(endpoint, "an event nests too deep", { status, requestId });
  const event = checkOutput(endpoint, source.schema, value, { status, requestId });
  if (reportsPrice(event)) priced.event = withEarlier(priced.event, event);
  return event;
}

/** Usage and cost in separate events are one charge. */
function withEarlier<Event>(earlier: Event | undefined, event: Event): Event {
  if (!isMembers(earlier) || !isMembers(event)) return event;
  return { ...event, usage: event.usage ?? earlier.usage, cost: event.cost ?? earlier.cost };
}

/** Usage and cost of a chat arrive in one of its last events (wire.md section 5). */
function reportsPrice(event: unknown): boolean {
  if (typeof event !== "object" || event === null) return false;
  return ("usage" in event && Boolean(event.usage)) || ("cost" in event && Boolean(event.cost));
}

/**
 * After a cancellation nothing is yielded, even if it has arrived. After a timeout all events that arrived are yielded.
 */
function stopIfCancelled(deadline: Deadline): void {
  if (endedByCaller(deadline)) throw deadline.signal.reason;
}

function endedByCaller({ signal }: Deadline): boolean {
  return signal.aborted && isCancelled(signal.reason);
}

/** The reason of an aborted signal is more specific than the socket's error. */
export function abortReason(signal: AbortSignal): unknown {
  return signal.aborted ? signal.reason : undefined;
}
