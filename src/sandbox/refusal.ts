/** One thing that is wrong with a request: zod's own shape, cut down to what goes over the wire. */
export interface Issue {
  readonly code: string;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface RefusalDetails {
  readonly issues?: readonly Issue[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Members that this one body carries beside its error, such as an x402 offer. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** The request's member that names the missing thing. */
  readonly param?: string;
  /** Names the reason for programs. */
  readonly code?: string;
}

/** A request that is turned away; errorBody.ts words it as the dialect does. */
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
