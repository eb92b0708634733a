import { Worker } from "node:worker_threads";

/** Threads between two jobs. One that has its libraries loaded and compiled does the next job in half the time. */
export interface Threads {
  /** One that has nothing to do: the one that worked last, else a new one. */
  take(): Worker;
  /** Keeps a thread for the next job; ends it where none comes for a while. */
  keep(worker: Worker): void;
}

/** Its memory, up to some hundred MB after a large picture, is given back after so long. */
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
      idle.push({ worker, timer: setTimeout(() => void worker.terminate(), idleMs).unref() });
    },
  };
}

/** Beside this file when run from source; the build makes it a bundle of its own. */
function workerUrl(): URL {
  const here = import.meta.url;
  return new URL(here.endsWith(".ts") ? "./worker.ts" : "./work/worker.mjs", here);
}
