import { readText } from "../../../api/call/body/readText.ts";
import type { Transport } from "../../../api/transport/transport.ts";
import { isMembers } from "../../../shared/members.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { type OtlpSpan, toExport } from "./otlpSpan.ts";

export interface TraceExporterOptions {
  /** Where spans are posted. */
  readonly url: string;
  readonly extensionVersion: string;
  readonly transport: Pick<Transport, "send">;
  /** False stops sending: the user has revoked the consent. Asked before each batch. */
  readonly maySend: () => boolean;
  /** Spans could not be sent. Called once, until a batch arrives again. */
  readonly onFailure: (reason: string) => void;
  readonly delays?: Partial<typeof defaultDelays>;
}

const defaultDelays = { gatherMs: 2_000, firstRetryMs: 5_000, longestRetryMs: 300_000, timeoutMs: 10_000 };

/** Of the queue, and of a batch: collectors refuse larger ones. Spans with prompts and answers can be long. */
const mostQueued = { spans: 2_048, bytes: 16 * 1024 * 1024 };
const mostInBatch = { spans: 256, bytes: 4 * 1024 * 1024 };
/** Bytes of the answer of a collector that are read. */
const maxAnswer = 65_536;
/** The protocol says that these are tried again. */
const passing = new Set([429, 502, 503, 504]);

interface QueuedSpan {
  readonly span: OtlpSpan;
  readonly bytes: number;
}

/**
 * Sends spans to a collector in batches. The queue is bounded: of too many spans the oldest are dropped. No call waits for
 * it, and its failures are told once.
 */
export class TraceExporter {
  readonly #options: TraceExporterOptions;
  readonly #delays: typeof defaultDelays;
  #queue: readonly QueuedSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #retryMs: number;
  #hasFailed = false;
  readonly #closing = new AbortController();

  constructor(options: TraceExporterOptions) {
    this.#options = options;
    this.#delays = { ...defaultDelays, ...options.delays };
    this.#retryMs = this.#delays.firstRetryMs;
  }

  add(span: OtlpSpan): void {
    const queue = [...this.#queue, { span, bytes: Buffer.byteLength(JSON.stringify(span)) }];
    this.#queue = within(queue.toReversed(), mostQueued).toReversed();
    this.#later(this.#delays.gatherMs);
  }

  /** Sends what is queued now. Never rejects. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    await this.#sending;
  }

  /** Drops what was not sent. */
  dispose(): void {
    this.#closing.abort();
    clearTimeout(this.#timer);
    this.#queue = [];
  }

  #later(ms: number): void {
    if (this.#closing.signal.aborted) return;
    this.#timer ??= setTimeout(() => void this.flush(), ms).unref();
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0 && !this.#closing.signal.aborted) {
      if (!this.#options.maySend()) {
        this.#queue = [];
        return;
      }
      const batch = within(this.#queue, mostInBatch);
      const { isOver, problem } = await this.#send(batch.map(({ span }) => span));
      if (isOver) {
        const sent = new Set(batch);
        this.#queue = this.#queue.filter((queued) => !sent.has(queued));
      }
      this.#tell(problem);
      if (!isOver) {
        this.#later(this.#retryMs);
        this.#retryMs = Math.min(this.#delays.longestRetryMs, this.#retryMs * 2);
        return;
      }
      this.#retryMs = this.#delays.firstRetryMs;
    }
  }

  #tell(problem: string | undefined): void {
    if (problem !== undefined && !this.#hasFailed && !this.#closing.signal.aborted)
      this.#options.onFailure(problem);
    this.#hasFailed = problem !== undefined;
  }

  /** `isOver`: the batch is not sent again, whether it was taken or refused for good. */
  async #send(batch: readonly OtlpSpan[]): Promise<{ readonly isOver: boolean; readonly problem?: string }> {
    const { url, transport, extensionVersion } = this.#options;
    const timeout = AbortSignal.timeout(this.#delays.timeoutMs);
    const signal = AbortSignal.any([timeout, this.#closing.signal]);
    try {
      const { status, body } = await transport.send({
        method: "POST",
        url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(toExport(batch, extensionVersion)),
        signal,
      });
      const { text } = await readText(body, maxAnswer, () => {});
      if (status >= 200 && status < 300) return { isOver: true, ...refusedIn(text) };
      return { isOver: !passing.has(status), problem: `it answered ${status}` };
    } catch (error) {
      const reason = timeout.aborted ? "it did not answer in time" : wordsOf(error);
      return { isOver: false, problem: reason };
    }
  }
}

/** The first spans within both bounds, and the first one in any case. */
function within(spans: readonly QueuedSpan[], { spans: most, bytes: mostBytes }: typeof mostQueued) {
  let bytes = 0;
  const end = spans.findIndex((one, index) => {
    bytes += one.bytes;
    return index > 0 && (index >= most || bytes > mostBytes);
  });
  return end < 0 ? spans : spans.slice(0, end);
}

/** A collector may take a part of a batch. */
function refusedIn(text: string): { readonly problem?: string } {
  const answer = parseJson(text);
  const partial = isMembers(answer) ? answer.partialSuccess : undefined;
  const count = isMembers(partial) ? Number(partial.rejectedSpans ?? 0) : 0;
  return count > 0 ? { problem: `it refused ${count} of the spans` } : {};
}

function wordsOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return messageOf(cause);
}
