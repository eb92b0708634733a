// A worker thread for jobs. Images, speech and documents would block the extension host. Terminating the thread
// stops a job at any point and frees its memory.
import { parentPort } from "node:worker_threads";
import { Refusal } from "../refusal.ts";
import { type JobName, jobs } from "./jobs.ts";
import type { JobMessage, JobResult } from "./messages.ts";

async function work({ task: { name, input }, port }: JobMessage): Promise<void> {
  const report = (reported: JobResult) => port.postMessage(reported);
  const job = jobs[name as JobName] as (input: unknown) => AsyncGenerator<unknown>;
  try {
    for await (const piece of job(input)) report({ kind: "piece", piece });
    report({ kind: "done" });
  } catch (error) {
    if (error instanceof Refusal) {
      report({ kind: "refused", status: error.status, message: error.message, details: error.details });
    } else report({ kind: "failed", message: String(error) });
  } finally {
    port.close();
  }
}

parentPort?.on("message", (order: JobMessage) => void work(order));
