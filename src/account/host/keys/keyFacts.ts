import { isKeyEnding } from "../../../shared/keyEnding.ts";
import { type Amounts, nothing } from "../../../shared/money/amounts.ts";
import { type AccountData, periodOfLimit } from "../accountData.ts";
import { readAhead } from "./keyNodes.ts";

/**
 * What is known of the account's keys by their ends, which is how the ledger names them. A key whose end is not known is
 * in none of these, and so are two keys with the same end.
 */
export interface KeyFacts {
  /** Label by end. */
  readonly names: ReadonlyMap<string, string>;
  /** End by id. */
  readonly endings: ReadonlyMap<string, string>;
  /** What the service counts for the calendar month by end; undefined if it was not read. */
  readonly monthSpend: ReadonlyMap<string, Amounts> | undefined;
}

export const noKeyFacts: KeyFacts = { names: new Map(), endings: new Map(), monthSpend: undefined };

/** Reads the list of keys once, and the counts of the service if they are wanted. What can't be read is left out. */
export async function readKeyFacts(data: AccountData, wantsSpend: boolean): Promise<KeyFacts> {
  const { value: list } = data.keys.cached.value ? data.keys.cached : await data.keys.load();
  if (!list) return noKeyFacts;
  const { value: analytics } = wantsSpend
    ? await data.analytics(periodOfLimit("MONTH", data.now())).load()
    : { value: undefined };
  const read = await Promise.all(
    list.keys.map(async ({ id, description, details }, index) => {
      const known = details ?? (await recordOf(data, id, index));
      return { id, name: description || known?.description || id, ending: known?.last6 };
    }),
  );
  const byEnding = Map.groupBy(
    read.filter(({ ending }) => isKeyEnding(ending)),
    ({ ending = "" }) => ending,
  );
  const unique = [...byEnding].flatMap(([ending, keys]) =>
    keys.length === 1 ? keys.map(({ id, name }) => ({ id, name, ending })) : [],
  );
  const endings = new Map(unique.map(({ id, ending }) => [id, ending]));
  const monthSpend = new Map<string, Amounts>();
  for (const { id, spend } of analytics?.keys ?? []) {
    const ending = id === null ? undefined : endings.get(id);
    if (ending !== undefined) monthSpend.set(ending, (monthSpend.get(ending) ?? nothing).plus(spend));
  }
  return {
    names: new Map(unique.map(({ ending, name }) => [ending, name])),
    endings,
    monthSpend: analytics && monthSpend,
  };
}

/** Without a list each record takes one request, so only those are read that the view of the keys reads, too. */
async function recordOf(data: AccountData, id: string, index: number) {
  const resource = data.key(id);
  if (resource.cached.asOfMs !== undefined || index >= readAhead) return resource.cached.value;
  return (await resource.load()).value;
}
