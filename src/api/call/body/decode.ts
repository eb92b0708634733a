import type * as z from "zod";
import { messageOf } from "../../../shared/messageOf.ts";
import { parseAnswer } from "../../../shared/text/json/answerJson.ts";
import { isCutJson } from "../../../shared/text/json/parseJson.ts";
import { createBinaryReply } from "../../binary.ts";
import { type Dialect, fromWire } from "../../dialect/dialect.ts";
import { dialectSpelled } from "../../dialect/dialectSigns.ts";
import type { Endpoint } from "../../endpoint.ts";
import { classifyReply, classifyStreamError, type FailedReply, isErrorEvent } from "../../errors/classify.ts";
import { ApiError } from "../../errors/errors.ts";
import { gatewayError } from "../../errors/gateway.ts";
import { rawLimit, redact } from "../../errors/redact.ts";
import { createEventStream, type StreamSource } from "../../stream/eventStream.ts";
import { splitItems } from "../../stream/jsonScan.ts";
import { BadText, createLongText, type LongTextSink } from "../../stream/longText.ts";
import type { TransportResponse } from "../../transport/transport.ts";
import { checkOutput, malformed } from "../../validate.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { AttemptRecorder } from "../record/callRecorder.ts";
import { isTooDeep, maxAnswerBytes, readBytes, readText } from "./readText.ts";

/** A reply whose body has not been read yet. */
export interface DecodedReply {
  readonly response: TransportResponse;
  readonly requestId: string | undefined;
  /** The facts that an error needs about this reply. */
  readonly origin: Omit<FailedReply, "text">;
  /** Called at the end of a stream with its last event that states a price. */
  readonly onStreamEnd: (lastPriced: unknown) => void;
  /** Called if a name of a member shows the dialect. */
  readonly onDialect: (dialect: Dialect) => void;
  readonly onItem: ((item: unknown) => void) | undefined;
  readonly onText: LongTextSink | undefined;
  readonly recorder: AttemptRecorder | undefined;
}

/** Parses the reply by its row. Ends deadline and record, unless the result still reads the body. */
export async function decode(row: Endpoint, reply: DecodedReply, deadline: Deadline): Promise<unknown> {
  const { response, origin, requestId, recorder } = reply;
  const { endpoint, status } = origin;
  const onPiece = onPieceOf(reply, deadline);
  const read = (limit: number) => readText(response.body, limit, onPiece);
  if (!succeeded(response)) {
    const failed = { ...origin, text: (await read(rawLimit)).text };
    throw gatewayError(failed) ?? classifyReply(failed);
  }
  // JSON and HTML in place of what was asked for are read as a whole.
  const isAsked = !isJson(response) && !isHtml(response);
  if (row.decode === "binary" && isAsked) {
    const { headers, body } = response;
    return createBinaryReply({ headers, body, endpoint, deadline, requestId, reply: origin, recorder });
  }
  const source = {
    schema: row.output,
    deadline,
    reply: origin,
    requestId,
    read: (event: unknown) => readNames(reply, event),
    eventOf: row.eventOf,
    isPlain: row.isPlain,
    shaper: row.shaper?.(),
    onEnd: reply.onStreamEnd,
    recorder,
  };
  if (row.decode === "events" && isAsked) return createEventStream({ ...source, body: response.body });
  const tooLarge = () => malformed(endpoint, "the answer is larger than 128 MB", { status, requestId });
  const large = await decodeLarge(row, reply, deadline);
  if (large) {
    if (large.isCut) throw tooLarge();
    deadline.end();
    const value = large.value();
    recorder?.end();
    return value;
  }
  const { text, isCut } = await read(maxAnswerBytes);
  if (isCut) throw tooLarge();
  // Its bytes were counted as they arrived.
  if (row.decode === "events") return wholeAsStream(source, text);
  deadline.end();
  const value = row.decode === "text" && isAsked ? text : readValue(row, reply, text);
  recorder?.end();
  return value;
}

function onPieceOf({ recorder }: DecodedReply, deadline: Deadline): (bytes: Uint8Array) => void {
  return (bytes) => {
    deadline.expect("idleMs");
    recorder?.piece(bytes);
  };
}

/** Reads a body whose items or long text somebody takes as they are read. Undefined for others. */
async function decodeLarge(
  row: Endpoint,
  reply: DecodedReply,
  deadline: Deadline,
): Promise<{ readonly isCut: boolean; readonly value: () => unknown } | undefined> {
  const { response, onItem, onText } = reply;
  const { items } = row;
  const onPiece = onPieceOf(reply, deadline);
  if (items && onItem) {
    const { bytes, isCut } = await readBytes(response.body, maxAnswerBytes, onPiece);
    return { isCut, value: () => readItems(row, items, reply, onItem, bytes) };
  }
  if (!onText || !isLongText(row, response)) return undefined;
  return readLong(row, reply, onText, onPiece);
}

/** Reads a body that is JSON. Throws for one that came in place of a file or a text. */
function readValue(row: Endpoint, reply: DecodedReply, text: string): unknown {
  const { origin, requestId } = reply;
  const { endpoint, status } = origin;
  const value = parseReply(row, reply, text);
  if (row.decode === "json") return checkOutput(endpoint, row.output, value, { status, requestId });
  if (isErrorEvent(value)) throw classifyStreamError(value, text, origin);
  throw malformed(endpoint, "the answer is JSON, but a file or text was requested", { status, requestId });
}

/** A long list is parsed and validated by element. Parsed as a whole, it needs many times the memory of its bytes. */
function readItems(
  row: Endpoint,
  { member, schema }: NonNullable<Endpoint["items"]>,
  reply: DecodedReply,
  onItem: (item: unknown) => void,
  bytes: Uint8Array,
): unknown {
  const { endpoint, status } = reply.origin;
  const details = { status, requestId: reply.requestId };
  const { rest, items } = splitItems(bytes, member);
  const value = checkOutput(endpoint, row.output, parseReply(row, reply, rest), details);
  for (const item of items) onItem(checkOutput(endpoint, schema, parseReply(row, reply, item), details));
  return value;
}

function isLongText(row: Endpoint, response: TransportResponse): boolean {
  if (row.decode === "text") return !isJson(response) && !isHtml(response);
  return row.decode === "json" && row.longText !== undefined;
}

/** A long text is passed on in chunks. The rest of a JSON answer is parsed and validated as usual. */
async function readLong(
  row: Endpoint,
  reply: DecodedReply,
  onText: LongTextSink,
  onPiece: (bytes: Uint8Array) => void,
) {
  const { endpoint, status } = reply.origin;
  const details = { status, requestId: reply.requestId };
  const take: LongTextSink = async (piece) => {
    try {
      await onText(piece);
    } catch (error) {
      throw notTaken(reply, error);
    }
  };
  const json = row.longText === undefined ? undefined : createLongText(row.longText, take);
  let read = 0;
  try {
    for await (const piece of reply.response.body) {
      onPiece(piece);
      await (json ? json.push(piece) : take(piece));
      read += piece.byteLength;
      release(piece);
      if (read >= maxAnswerBytes) break;
    }
  } catch (error) {
    if (error instanceof BadText)
      throw malformed(endpoint, `the answer is not JSON: ${error.message}`, details);
    throw error;
  }
  const value = () =>
    json ? checkOutput(endpoint, row.output, parseReply(row, reply, json.rest()), details) : "";
  return { isCut: read >= maxAnswerBytes, value };
}

/**
 * Frees the memory of a chunk at once. Otherwise an answer of several MB stays until the next full collection. A chunk
 * that is a view of a larger buffer is not freed.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Carries the status of the answer, which rules out a retry: the answer did arrive, though it could not be saved. */
function notTaken({ origin, requestId }: DecodedReply, cause: unknown): ApiError {
  const { endpoint, status, secrets } = origin;
  const words = redact(messageOf(cause), secrets);
  return new ApiError("network", `the answer arrived, but could not be saved: ${words}`, {
    endpoint,
    status,
    reason: "other",
    mayHaveArrived: true,
    ...(requestId === undefined ? {} : { requestId }),
    cause,
  });
}

/** A service may ignore `stream` and send one complete reply (wire.md section 5). It becomes the only event. */
function wholeAsStream(source: Omit<StreamSource<z.ZodType>, "body">, text: string) {
  return createEventStream({ ...source, body: once(new TextEncoder().encode(text)) });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The names of our schemas, whichever the service uses. */
function readNames({ onDialect }: DecodedReply, value: unknown): unknown {
  const spelled = dialectSpelled(value);
  if (spelled) onDialect(spelled);
  return fromWire(value);
}

function parseReply(row: Endpoint, reply: DecodedReply, text: string): unknown {
  const { origin, requestId } = reply;
  if (row.exact && isTooDeep(text))
    throw malformed(origin.endpoint, "the answer nests too deep", { status: origin.status, requestId });
  try {
    return readNames(reply, row.exact ? parseAnswer(text) : JSON.parse(text));
  } catch {
    const { endpoint, status, secrets } = origin;
    if (isCutJson(text)) throw brokenOff(endpoint, requestId);
    const what = /^\s*</.test(text) ? "the answer is an HTML page, not JSON" : "the answer is not JSON";
    throw malformed(endpoint, what, { status, requestId, raw: redact(text, secrets) });
  }
}

/**
 * A reply that is cut is a lost connection: fetch tells nothing of a compressed body that breaks off, nor of one without a
 * length. There is no status, so that what only reads is asked for again.
 */
function brokenOff(endpoint: string, requestId: string | undefined): ApiError {
  return new ApiError("network", "the answer broke off", {
    endpoint,
    reason: "reset",
    mayHaveArrived: true,
    ...(requestId === undefined ? {} : { requestId }),
  });
}

function succeeded({ status }: TransportResponse): boolean {
  return status >= 200 && status <= 299;
}

/**
 * An HTML page comes from a proxy or gateway, whatever the status: the service never sends HTML as a stream or file.
 */
function isHtml({ headers }: TransportResponse): boolean {
  return /^(text\/html|application\/xhtml\+xml)\b/i.test(headers.get("content-type") ?? "");
}

function isJson({ headers }: TransportResponse): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(headers.get("content-type") ?? "");
}
