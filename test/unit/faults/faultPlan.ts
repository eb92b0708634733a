// What happens to the disk of a process (faultyDisk.ts).

/** Where the plan is, as JSON; and the file that gets the calls of a run without a fault. */
export const planVariable = "INFERENCE_TEST_FAULT";
export const callsVariable = "INFERENCE_TEST_FAULT_CALLS";
/** Set for all faults, which take minutes; without it the tests take an eighth of them. */
export const allFaultsVariable = "INFERENCE_TEST_ALL_FAULTS";

/**
 * `kill`: SIGKILL before the call, after half of its bytes, or after it. `full`: this call and all later ones fail with
 * ENOSPC, `data` with half of their bytes written while new files can still be created, `all` with nothing written.
 */
export type FaultPlan =
  | { readonly kind: "none" }
  | { readonly kind: "kill"; readonly call: number; readonly when: "before" | "half" | "after" }
  | { readonly kind: "full"; readonly call: number; readonly fails: "data" | "all" };

/** A call that changes the disk. */
export interface DiskCall {
  readonly name: string;
  /** It writes bytes, which may be written in part. */
  readonly hasData: boolean;
  /** It needs space on the disk. */
  readonly needsSpace: boolean;
  /** The files of `src` that led to it. */
  readonly sources: readonly string[];
}
