/** Bounds of what another agent may send and how long it may take. Tests use smaller ones. */
export interface AgentLimits {
  /** Bytes of one message. */
  readonly messageBytes: number;
  /** Bytes of all messages within a minute. */
  readonly minuteBytes: number;
  /** Milliseconds from its start to a session. */
  readonly startMs: number;
  /** Milliseconds of a turn without any message, in which it waits neither for the user nor for the service. */
  readonly silenceMs: number;
  /** Milliseconds from the cancellation of a turn until it is killed. */
  readonly cancelMs: number;
  /** Characters of all texts of a turn. */
  readonly turnLength: number;
  /** Steps of a turn. */
  readonly calls: number;
  /** Questions to the user and files at once. */
  readonly requests: number;
}

export const agentLimits: AgentLimits = {
  messageBytes: 10_000_000,
  minuteBytes: 100_000_000,
  startMs: 120_000,
  silenceMs: 600_000,
  cancelMs: 5_000,
  turnLength: 8_000_000,
  calls: 1_000,
  requests: 32,
};
