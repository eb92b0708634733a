import type { RefusalDetails } from "../refusal.ts";

/** What a worker is started with. */
export interface Task {
  readonly name: string;
  readonly input: unknown;
}

/** What a worker tells, in this order: pieces, then one end. */
export type Told =
  | { readonly kind: "piece"; readonly piece: unknown }
  | { readonly kind: "done" }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly message: string;
      readonly details: RefusalDetails;
    }
  | { readonly kind: "failed"; readonly message: string };
