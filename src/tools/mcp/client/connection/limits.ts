/** Bounds of what a server may send and how long it may take. Tests use smaller ones. */
export interface ServerLimits {
  /** Bytes of one message. */
  readonly messageBytes: number;
  /** Bytes of all messages within a minute. */
  readonly minuteBytes: number;
  /** Milliseconds to start: a package may be downloaded. */
  readonly startMs: number;
  /** Milliseconds of a call without progress. */
  readonly silenceMs: number;
  /** Milliseconds of a call with progress. */
  readonly callMs: number;
  /** Milliseconds between two readings of its list of tools. */
  readonly listMs: number;
  /** Milliseconds in which a server that has just started may add the tool that is called. */
  readonly lateMs: number;
  /** How often its list may change in one run. */
  readonly lists: number;
  /** Questions to the user in one call. */
  readonly questions: number;
}

export const serverLimits: ServerLimits = {
  messageBytes: 32_000_000,
  minuteBytes: 256_000_000,
  startMs: 120_000,
  silenceMs: 300_000,
  callMs: 1_800_000,
  listMs: 1_000,
  lateMs: 5_000,
  lists: 50,
  questions: 5,
};
