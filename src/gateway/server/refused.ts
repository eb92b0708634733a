import type { WireError } from "../formats/agentFormat.ts";

/** An error for a client, and the seconds after which it may try again, if they are known. */
export interface Answered {
  readonly error: WireError;
  readonly retryAfterSeconds?: number;
}

/** A request that was not answered, with its words. */
export class Refused extends Error {
  readonly answered: Answered;

  constructor(error: WireError, retryAfterSeconds?: number) {
    super(error.sentence);
    this.answered = retryAfterSeconds === undefined ? { error } : { error, retryAfterSeconds };
  }
}
