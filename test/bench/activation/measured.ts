/** Ids of the empty extensions of a sample: the same code, each loaded anew. */
export const emptyExtensions = ["a", "b", "c"].map((name) => `inference-workbench.empty-${name}`);

/** Milliseconds of an activation, and of the processor time of the extension host during it. */
export interface ActivationTime {
  readonly ms: number;
  readonly cpuMs: number;
}

/** What is measured in one extension host. */
export interface ActivationSample {
  readonly ours: ActivationTime;
  /** Of each empty extension, in order. */
  readonly empty: readonly ActivationTime[];
}
