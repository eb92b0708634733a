import { Worker } from "node:worker_threads";

/** Idle threads. A thread with compiled libraries does the next job in half the time. */
export interface Threads {
  /** The most recently used idle thread, else a new one. */
  take(): Worker;
  /** Keeps a thread for the next job. Terminates it when it is idle for too long. */
  keep(worker: Worker): void;
}

/** Idle time limit in milliseconds. A thread can hold some hundred MB after a large image. */
const idleMs = 5_000;

export function createThreads(): Threads {
  const idle: { readonly worker: Worker; readonly timer: NodeJS.Timeout }[] = [];
  const forget = (worker: Worker) => {
    const index = idle.findIndex((one) => one.worker === worker);
    if (index >= 0) clearTimeout(idle.splice(index, 1)[0]?.timer);
  };
  const start = () => {
    const worker = new Worker(workerUrl(), { execArgv: [] });
    worker.on("error", () => {}); // told to who waits for its job, if anybody does
    worker.once("exit", () => forget(worker));
    return worker;
  };
  return {
    take() {
      const { worker, timer } = idle.pop() ?? {};
      clearTimeout(timer);
      worker?.ref();
      return worker ?? start();
    },
    keep(worker) {
      worker.unref(); // nobody's process waits for it
      const end = () => {
        // At once: until it has exited, it could be taken for a job that it never does.
        forget(worker);
        void worker.terminate();
      };
      idle.push({ worker, timer: setTimeout(end, idleMs).unref() });
    },
  };
}

/** Next to this file in the sources. In the build it is a separate bundle. */
function workerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./work/worker.mjs", here);
}
