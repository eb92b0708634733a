import type { MessagePort } from "node:worker_threads";
import type { RefusalDetails } from "../refusal.ts";

export interface Task {
  readonly name: string;
  readonly input: unknown;
}

/** What a worker is told to do, one after the other. */
export interface JobMessage {
  readonly task: Task;
  /** Where it tells what comes of this one; it closes it in the end. */
  readonly port: MessagePort;
}

/** What a worker tells, in this order: pieces, then one end. */
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
