/** A validation error, in the shape of zod's issues. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface RefusalDetails {
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the body, such as an x402 offer. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The request member with the missing id. */
  readonly param?: string;
  /** A machine-readable reason. */
  readonly code?: string;
}

/** A refused request. http/errorBody.ts encodes it in the dialect. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly details: RefusalDetails;

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** A 400 for one field. */
export function badField(path: readonly (string | number)[], message: string): Refusal {
  return new Refusal(400, message, { issues: [{ code: "custom", path, message }] });
}
