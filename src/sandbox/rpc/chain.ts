/** One JSON-RPC call. */
export interface ChainCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The outcome of one call. */
export type CallOutcome = { readonly result: unknown } | { readonly error: ChainError };

export interface ChainError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A node of one network. */
export interface Chain {
  /** One outcome per call, in order. Throws a Refusal if the node can't be reached. */
  answer(calls: readonly ChainCall[], signal: AbortSignal): Promise<readonly CallOutcome[]>;
}

/** Thrown by a method to return an error item. */
export class ChainFault extends Error {
  override readonly name = "ChainFault";
  readonly error: ChainError;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.error = data === undefined ? { code, message } : { code, message, data };
  }
}

type ChainMethod = (params: readonly unknown[]) => unknown;
export type ChainMethods = Readonly<Record<string, ChainMethod>>;

/** A chain as a table of methods. Other methods go to `rest`, or are not found. */
export function tableChain(methods: ChainMethods, rest?: Chain): Chain {
  return {
    async answer(calls, signal) {
      const others = calls.filter(({ method }) => !Object.hasOwn(methods, method));
      const forwarded = rest && others.length > 0 ? [...(await rest.answer(others, signal))] : [];
      const outcomes: CallOutcome[] = [];
      for (const { method, params } of calls) {
        const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
        outcomes.push(known ? await attempt(known, params) : (forwarded.shift() ?? notFound));
      }
      return outcomes;
    },
  };
}

const notFound: CallOutcome = { error: { code: -32601, message: "Method not found" } };

async function attempt(method: ChainMethod, params: readonly unknown[]): Promise<CallOutcome> {
  try {
    return { result: await method(params) };
  } catch (error) {
    if (error instanceof ChainFault) return { error: error.error };
    throw error;
  }
}
