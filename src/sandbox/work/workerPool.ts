import { on, once } from "node:events";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { Refusal } from "../refusal.ts";
import type { JobInput, JobName, JobPiece } from "./jobs.ts";
import type { JobMessage, JobResult, Task } from "./messages.ts";
import { Threads } from "./threads.ts";

/** Runs heavy work in worker threads. */
export interface WorkerPool {
  /** The pieces of a job's result. Throws a Refusal or the signal's reason. Leaving the loop cancels the job. */
  pieces<Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    signal: AbortSignal,
  ): AsyncGenerator<JobPiece<Name>>;
  /** The result of a job with one piece. */
  run<Name extends JobName>(name: Name, input: JobInput<Name>, signal: AbortSignal): Promise<JobPiece<Name>>;
}

/** Time limit in milliseconds, because a damaged or hostile file can block a reader. */
const jobTimeoutMs = 120_000;

/** At most `count` jobs run at a time. The others wait. */
export function createWorkerPool(count = 2): WorkerPool {
  const slots = createSlots(count);
  const threads = new Threads();
  async function* pieces<Name extends JobName>(name: Name, input: JobInput<Name>, signal: AbortSignal) {
    const release = await slots.take(signal);
    yield* resultsOf<JobPiece<Name>>(start(threads, { name, input }, signal, release));
  }
  return {
    pieces,
    async run(name, input, signal) {
      const reported: JobPiece<typeof name>[] = [];
      for await (const piece of pieces(name, input, signal)) reported.push(piece); // to its end: the thread is free then
      if (reported.length !== 1) throw new Error(`the job ${name} gave ${reported.length} pieces`);
      return reported[0] as JobPiece<typeof name>;
    },
  };
}

interface Running {
  readonly port: MessagePort;
  /** Aborted with the reason when the caller cancels or the job takes too long. */
  readonly stopped: AbortSignal;
  /** Cancels the job if it still runs. Resolves when its thread is idle or terminated. */
  end(): Promise<void>;
}

/**
 * Releases the slot when the thread is idle, even if the caller has left. Only a thread whose job succeeded is
 * reused, because a damaged file may leave a bad state behind.
 */
function start(threads: Threads, task: Task, signal: AbortSignal, release: () => void): Running {
  const worker = threads.take();
  const { port1: port, port2 } = new MessageChannel();
  const stop = new AbortController();
  const leave = () => stop.abort(signal.reason);
  const fail = (error: unknown) => stop.abort(error);
  const tooLong = new Refusal(504, `The sandbox stopped after ${jobTimeoutMs / 1000} s`);
  const timer = setTimeout(() => stop.abort(tooLong), jobTimeoutMs);
  signal.addEventListener("abort", leave, { once: true });
  worker.once("error", fail);
  stop.signal.addEventListener("abort", () => void worker.terminate(), { once: true });
  let isDone = false;
  port.on("message", ({ kind }: JobResult) => {
    isDone ||= kind === "done";
  });
  const ended = once(port, "close").then(async () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    if (isDone && !stop.signal.aborted) threads.keep(worker);
    else await worker.terminate();
    worker.off("error", fail);
    release();
  });
  worker.postMessage({ task, port: port2 } satisfies JobMessage, [port2]);
  return {
    port,
    stopped: stop.signal,
    end() {
      if (!isDone) stop.abort();
      return ended;
    },
  };
}

async function* resultsOf<Piece>({ port, stopped, end }: Running): AsyncGenerator<Piece> {
  const messages = on(port, "message", { signal: stopped, close: ["close"] });
  try {
    for await (const [reported] of messages as AsyncIterable<[JobResult]>) {
      if (reported.kind === "done") return;
      if (reported.kind === "piece") yield reported.piece as Piece;
      else throw toError(reported);
    }
    throw new Error("the job ended early");
  } catch (error) {
    stopped.throwIfAborted();
    throw error;
  } finally {
    await end();
  }
}

function toError(reported: Exclude<JobResult, { kind: "piece" | "done" }>): Error {
  if (reported.kind === "failed") return new Error(reported.message);
  return new Refusal(reported.status, reported.message, reported.details);
}

/** A counting semaphore with a queue. */
interface Slots {
  /** Resolves to the function that releases the slot. Rejects with the signal's reason if it is aborted before. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const give = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  return {
    take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return Promise.resolve(give);
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(enter);
          reject(signal.reason);
        };
        const enter = () => {
          waiting.delete(enter);
          signal.removeEventListener("abort", leave);
          resolve(give);
        };
        waiting.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
