import type { MessagePort } from "node:worker_threads";
import type { RefusalDetails } from "../refusal.ts";

export interface Task {
  readonly name: string;
  readonly input: unknown;
}

/** A job for a worker. */
export interface JobMessage {
  readonly task: Task;
  /** Receives the results of this job. The worker closes it at the end. */
  readonly port: MessagePort;
}

/** Messages of a worker: pieces, then one end. */
export type JobResult =
  | { readonly kind: "piece"; readonly piece: unknown }
  | { readonly kind: "done" }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly message: string;
      readonly details: RefusalDetails;
    }
  | { readonly kind: "failed"; readonly message: string };
