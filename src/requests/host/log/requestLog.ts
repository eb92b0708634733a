import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Called } from "../../../api/call/record/callRecorder.ts";
import { createJournal, type Journal } from "../../../platform/files/durable/journal.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { dayMs, dayOf } from "../../../shared/time/days.ts";
import { parseHead, type RequestHead } from "./requestHead.ts";
import { contentPath, headPath, maxLogBytes, newSegment, pruneSegments, segmentsIn } from "./segments.ts";

export interface RequestLogOptions {
  readonly now: () => number;
  /** The setting. 0: nothing is kept. */
  readonly keepDays: () => number;
  /** A call could not be written. Called once. */
  readonly onUnwritable: (error: unknown) => void;
  readonly maxBytes?: number;
}

/** The segment that this window writes to, for one connection. */
interface OpenSegment {
  readonly path: string;
  readonly day: number;
  readonly heads: Journal;
  readonly contents: Journal;
  bytes: number;
}

interface ReadSegment {
  readonly journal: Journal;
  readonly heads: RequestHead[];
}

/** A log has about so many segments, so that a part of it can be deleted. */
const segmentsPerLog = 40;

/**
 * The calls of the last days, of all windows, in a folder per connection. Calls are written one after the other, and
 * nobody waits for them. What can't be written is dropped: no call depends on its record.
 */
export class RequestLog {
  readonly #root: string;
  readonly #options: RequestLogOptions;
  readonly #open = new Map<string, OpenSegment>();
  readonly #read = new Map<string, ReadSegment>();
  readonly #segmentOf = new Map<string, string>();
  readonly #queue = new SerialQueue();
  #isUnwritable = false;

  constructor(root: string, options: RequestLogOptions) {
    this.#root = root;
    this.#options = options;
  }

  /** Resolves when it is written or dropped. */
  add(head: RequestHead, called: Called): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#options.keepDays() <= 0) return;
      try {
        await this.#write(head, called);
      } catch (error) {
        this.#open.delete(head.connectionId);
        if (!this.#isUnwritable) this.#options.onUnwritable(error);
        this.#isUnwritable = true;
      }
    });
  }

  /** All calls, the newest first. */
  read(): Promise<readonly RequestHead[]> {
    return this.#queue.run(async () => {
      const segments = await segmentsIn(this.#root);
      for (const known of this.#read.keys()) if (!segments.includes(known)) this.#read.delete(known);
      for (const segment of segments) await this.#readSegment(segment);
      const oldestMs = this.#options.now() - this.#options.keepDays() * dayMs;
      const heads = [...this.#read.values()].flatMap((read) => read.heads);
      return heads
        .filter(({ queuedMs }) => queuedMs >= oldestMs)
        .sort((a, b) => b.queuedMs - a.queuedMs || (a.id < b.id ? -1 : 1));
    });
  }

  /** A call that `read` has returned; undefined if it was deleted since. */
  async content(id: string): Promise<Called | undefined> {
    const segment = this.#segmentOf.get(id);
    if (segment === undefined) return undefined;
    const start = `{"type":"called","id":${JSON.stringify(id)},`;
    const lines = await createJournal(contentPath(segment)).read();
    const line = lines.find((text) => text.startsWith(start));
    return line === undefined ? undefined : (JSON.parse(line) as Called);
  }

  /** Deletes all calls, of all windows. */
  clear(): Promise<void> {
    return this.#queue.run(async () => {
      await rm(this.#root, { recursive: true, force: true });
      this.#forget();
    });
  }

  /** Deletes what is too old or too much. */
  prune(): Promise<void> {
    return this.#queue.run(() => this.#prune());
  }

  async #prune(): Promise<void> {
    const { now, keepDays, maxBytes = maxLogBytes } = this.#options;
    await pruneSegments(this.#root, now(), { keepDays: keepDays(), maxBytes });
    if (keepDays() <= 0) this.#forget();
  }

  #forget(): void {
    this.#open.clear();
    this.#read.clear();
    this.#segmentOf.clear();
  }

  async #write(head: RequestHead, called: Called): Promise<void> {
    const segment = await this.#segmentFor(head);
    const content = JSON.stringify(called);
    segment.bytes += content.length;
    // The content first: a head without it could be listed and not be opened.
    await segment.contents.append([content]);
    await segment.heads.append([JSON.stringify(head)]);
  }

  async #segmentFor({ connectionId }: RequestHead): Promise<OpenSegment> {
    const { now, maxBytes = maxLogBytes } = this.#options;
    const open = this.#open.get(connectionId);
    const day = dayOf(now());
    if (open && open.bytes < maxBytes / segmentsPerLog && open.day === day) return open;
    await this.#prune();
    const path = newSegment(join(this.#root, connectionId.replace(/[^\w-]/g, "_")), now());
    const heads = createJournal(headPath(path));
    const next = { path, day, heads, contents: createJournal(contentPath(path)), bytes: 0 };
    this.#open.set(connectionId, next);
    return next;
  }

  async #readSegment(segment: string): Promise<void> {
    const read = this.#read.get(segment) ?? { journal: createJournal(headPath(segment)), heads: [] };
    this.#read.set(segment, read);
    for (const line of await read.journal.read()) {
      const head = parseHead(line);
      if (!head) continue;
      read.heads.push(head);
      this.#segmentOf.set(head.id, segment);
    }
  }
}
