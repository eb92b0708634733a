// A thread that does one job and ends: drawing, speaking and reading files would hold up whoever else lives in the
// editor's extension host. Ending the thread stops the job wherever it is and gives its memory back.
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "../refusal.ts";
import { type JobName, jobs } from "./jobs.ts";
import type { Task, Told } from "./messages.ts";

const tell = (told: Told) => parentPort?.postMessage(told);

async function work({ name, input }: Task): Promise<void> {
  const job = jobs[name as JobName] as (input: unknown) => AsyncGenerator<unknown>;
  for await (const piece of job(input)) tell({ kind: "piece", piece });
}

try {
  await work(workerData as Task);
  tell({ kind: "done" });
} catch (error) {
  if (error instanceof Refusal) {
    tell({ kind: "refused", status: error.status, message: error.message, details: error.details });
  } else tell({ kind: "failed", message: String(error) });
}
