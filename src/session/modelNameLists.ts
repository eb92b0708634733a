import type { Api } from "../api/call/client.ts";
import { type ApiError, isApiError } from "../api/errors/errors.ts";
import type { Table } from "../api/table.ts";
import type { NameLists } from "../shared/chat/modelNames.ts";

type NameCalls = Pick<Api<Table>["models"], "traits" | "compatibilityMapping">;

/** The service may give a trait to another model at any time. */
const freshMs = 10 * 60_000;
/** Entries of a list that are read, and characters of a name or an id. */
const mostNames = 1000;
const longestName = 200;

/**
 * The names that one service accepts in place of the ids of text models: traits and other vendors' names. Each list is
 * read on first need; a service without its route has none. A failure is thrown, and the next call tries again.
 */
export class ModelNameLists {
  readonly #calls: () => NameCalls;
  readonly #now: () => number;
  #read: { readonly lists: Promise<NameLists>; readonly atMs: number } | undefined;

  constructor(calls: () => NameCalls, now: () => number = Date.now) {
    this.#calls = calls;
    this.#now = now;
  }

  get(): Promise<NameLists> {
    const known = this.#read;
    if (known && this.#now() - known.atMs < freshMs) return known.lists;
    const mine = { lists: readLists(this.#calls()), atMs: this.#now() };
    this.#read = mine;
    mine.lists.catch(() => {
      if (this.#read === mine) this.#read = undefined;
    });
    return mine.lists;
  }
}

async function readLists({ traits, compatibilityMapping }: NameCalls): Promise<NameLists> {
  const [byTrait, byMapping] = await Promise.all([
    listOrNone(traits({ type: "text" })),
    listOrNone(compatibilityMapping({ type: "text" })),
  ]);
  return { traits: byTrait, mapping: byMapping };
}

async function listOrNone(
  reply: Promise<{ readonly data: Readonly<Record<string, string>> }>,
): Promise<Readonly<Record<string, string>>> {
  try {
    const entries = Object.entries((await reply).data).filter(([name, id]) => isShort(name) && isShort(id));
    return Object.fromEntries(entries.slice(0, mostNames));
  } catch (error) {
    if (isApiError(error) && isRouteMissing(error)) return {};
    throw error;
  }
}

function isRouteMissing({ kind, details }: ApiError): boolean {
  return kind === "not-found" || kind === "gone" || details.status === 405;
}

function isShort({ length }: string): boolean {
  return length > 0 && length <= longestName;
}
