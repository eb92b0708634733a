import { Worker } from "node:worker_threads";

/** Idle time limit in milliseconds. A thread can hold some hundred MB after a large image. */
const idleMs = 5_000;

/** Idle threads. A thread with compiled libraries does the next job in half the time. */
export class Threads {
  readonly #idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];

  /** The most recently used idle thread, else a new one. */
  take(): Worker {
    const { worker, timer } = this.#idle.pop() ?? {};
    clearTimeout(timer);
    worker?.ref();
    return worker ?? this.#start();
  }

  /** Keeps a thread for the next job. Terminates it when it is idle for too long. */
  keep(worker: Worker): void {
    worker.unref(); // nobody's process waits for it
    const end = () => {
      // At once: until it has exited, it could be taken for a job that it never does.
      this.#forget(worker);
      void worker.terminate();
    };
    this.#idle.push({ worker, timer: setTimeout(end, idleMs).unref() });
  }

  #start(): Worker {
    const worker = new Worker(workerUrl(), { execArgv: [] });
    worker.on("error", () => {}); // told to who waits for its job, if anybody does
    worker.once("exit", () => this.#forget(worker));
    return worker;
  }

  #forget(worker: Worker): void {
    const index = this.#idle.findIndex((idle) => idle.worker === worker);
    if (index >= 0) clearTimeout(this.#idle.splice(index, 1)[0]?.timer);
  }
}

/** Next to this file in the sources. In the build it is a separate bundle. */
function workerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./work/worker.mjs", here);
}
