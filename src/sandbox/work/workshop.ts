import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { Refusal } from "../refusal.ts";
import type { JobInput, JobName, JobPiece } from "./jobs.ts";
import type { Task, Told } from "./messages.ts";
import { createSlots } from "./slots.ts";

/** Does heavy work off this thread. */
export interface Workshop {
  /** The pieces of a job's result as they come. Throws a Refusal, or the signal's reason; leaving the loop ends the job. */
  pieces<Name extends JobName>(
    name: Name,
    input: JobInput<Name>,
    signal: AbortSignal,
  ): AsyncGenerator<JobPiece<Name>>;
  /** The result of a job that gives it in one piece. */
  run<Name extends JobName>(name: Name, input: JobInput<Name>, signal: AbortSignal): Promise<JobPiece<Name>>;
}

/** A damaged or hostile file may keep a reader busy for ever. */
const jobTimeoutMs = 120_000;

/** At most `threads` jobs run at once, the others wait. */
export function createWorkshop(threads = 2): Workshop {
  const slots = createSlots(threads);
  async function* pieces<Name extends JobName>(name: Name, input: JobInput<Name>, signal: AbortSignal) {
    const release = await slots.take(signal);
    yield* toldBy<JobPiece<Name>>(start({ name, input }, signal, release));
  }
  return {
    pieces,
    async run(name, input, signal) {
      for await (const piece of pieces(name, input, signal)) return piece;
      throw new Error(`the job ${name} gave nothing`);
    },
  };
}

interface Running {
  readonly worker: Worker;
  /** Fires when the caller leaves or the job takes too long, whose reason it has. */
  readonly stopped: AbortSignal;
}

/** The place is given back when the thread is gone, whether or not anybody listens to it until then. */
function start(task: Task, signal: AbortSignal, release: () => void): Running {
  const stop = new AbortController();
  const worker = new Worker(workerUrl(), { workerData: task, execArgv: [] });
  const leave = () => stop.abort(signal.reason);
  const tooLong = new Refusal(504, `The sandbox gave up after ${jobTimeoutMs / 1000} s`);
  const timer = setTimeout(() => stop.abort(tooLong), jobTimeoutMs);
  signal.addEventListener("abort", leave, { once: true });
  stop.signal.addEventListener("abort", () => void worker.terminate(), { once: true });
  worker.once("exit", () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", leave);
    release();
  });
  return { worker, stopped: stop.signal };
}

async function* toldBy<Piece>({ worker, stopped }: Running): AsyncGenerator<Piece> {
  const messages = on(worker, "message", { signal: stopped, close: ["exit"] });
  try {
    for await (const [told] of messages as AsyncIterable<[Told]>) {
      if (told.kind === "done") return;
      if (told.kind === "piece") yield told.piece as Piece;
      else throw toError(told);
    }
    throw new Error("the job ended early");
  } catch (error) {
    stopped.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}

function toError(told: Exclude<Told, { kind: "piece" | "done" }>): Error {
  if (told.kind === "failed") return new Error(told.message);
  return new Refusal(told.status, told.message, told.details);
}

/** Beside this file when run from source; the build makes it a bundle of its own. */
function workerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./work/worker.mjs", here);
}
