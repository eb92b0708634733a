/** A range of text in UTF-16 code units, `end` exclusive, relative to the start of the statement. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word with its span. */
export interface Name extends Span {
  readonly text: string;
}

/** A syntax error of a statement. */
export interface SyntaxProblem extends Span {
  readonly message: string;
}

export const units = { wei: 0, gwei: 9, ether: 18, lamport: 0, sol: 9 } as const;
/** Units of Solana, whose nodes take amounts as JSON numbers, not as hex. */
export const solanaUnits: ReadonlySet<string> = new Set(["lamport", "sol"]);
export const durations = {
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  hour: 3600,
  d: 86_400,
  day: 86_400,
} as const;
export const functions = ["abi", "topic", "keccak", "pad", "hex", "str"] as const;

/** Short forms of methods. */
export const sugar = ["call", "logs", "send", "wait"] as const;

export interface Member extends Span {
  readonly key: Name;
  readonly value: Value;
}

/** A parameter in the source. A part that is not written yet is `missing`. */
export type Value = Span &
  (
    | { readonly kind: "object"; readonly members: readonly Member[] }
    | { readonly kind: "array"; readonly items: readonly Value[] }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "number"; readonly text: string; readonly unit?: Name }
    | { readonly kind: "hex"; readonly text: string }
    /** `text` is how it is written: `null` or `_`. */
    | { readonly kind: "literal"; readonly value: boolean | null; readonly text: string }
    /** `$head.number`, `$logs[0].data`. */
    | { readonly kind: "reference"; readonly name: string; readonly path: readonly (string | number)[] }
    /** `{{TOKEN}}`, a variable of the environment. A unit may follow it. */
    | { readonly kind: "variable"; readonly name: string; readonly unit?: Name }
    | { readonly kind: "apply"; readonly fn: Name; readonly args: readonly Value[] }
    /** `balanceOf(address)(uint256)`. */
    | { readonly kind: "signature"; readonly text: string }
    /** `from:-200`. */
    | { readonly kind: "option"; readonly name: Name; readonly value: Value }
    | { readonly kind: "word"; readonly text: string }
    | { readonly kind: "missing" }
  );

export type Statement = {
  /** Length of its text, including the line end. */
  readonly length: number;
  /** End of its last token, before trailing space and comment. */
  readonly end: number;
  readonly problems: readonly SyntaxProblem[];
} & (
  | { readonly kind: "blank" }
  | { readonly kind: "comment" }
  | { readonly kind: "directive"; readonly word: Name; readonly args: readonly Value[] }
  | { readonly kind: "constant"; readonly name: Name; readonly value: Value }
  | Request
  | Expectation
);

/** A line with a call. */
export interface Request {
  readonly kind: "request";
  /** The name of its result. */
  readonly name?: Name;
  readonly method: Name;
  readonly args: readonly Value[];
}

/** A line with `expect`: it sends nothing and is checked after the requests of its cell. */
export interface Expectation {
  readonly kind: "expect";
  /** `gas`, `cost` and `error` are words; they are about the request above. */
  readonly subject: Value;
  /** One of `operators`; empty if it is missing. */
  readonly operator: Name;
  /** The other side; undefined for `is-null`, and for any `error`. */
  readonly object?: Value;
}

/** `error` expects that a request fails. */
export const operators = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "matches",
  "is-null",
  "error",
] as const;
export type Operator = (typeof operators)[number];

/** Subjects that are no values of the notebook: of the request above, and the credits of the cell. */
export const measures = ["gas", "cost"] as const;

/** The values that a statement contains. */
export function valuesOf(statement: Statement): readonly Value[] {
  switch (statement.kind) {
    case "constant":
      return [statement.value];
    case "request":
    case "directive":
      return statement.args;
    case "expect":
      return statement.object ? [statement.subject, statement.object] : [statement.subject];
    default:
      return [];
  }
}

/** A statement with its position in the cell. Its spans are relative to `offset`. */
export interface Placed<S = Statement> {
  readonly offset: number;
  /** Zero-based line of its first character. */
  readonly line: number;
  readonly statement: S;
}
