import type { Memento } from "vscode";
import { dayOf } from "../shared/time/days.ts";

/** Counts of inline completions. */
interface CompletionCount {
  readonly shown: number;
  readonly accepted: number;
  /** Typed characters while completions were on. */
  readonly keystrokes: number;
}

/** Counts of inline completions by connection and UTC day, for all windows. */
export interface CompletionCounts {
  add(connectionId: string, counted: Partial<CompletionCount>): void;
  /** Sum of the days from this one on. */
  since(connectionId: string, day: number): CompletionCount;
  /** Writes what was counted since the last write. */
  flush(): void;
}

type Days = Readonly<Record<string, CompletionCount>>;

const stateKey = "completions.counts";
/** Days that are kept. */
const mostDays = 40;
const mostConnections = 40;
const flushMs = 10_000;
const none: CompletionCount = { shown: 0, accepted: 0, keystrokes: 0 };

/** Stored in the global Memento, at most once in ten seconds. */
export function createCompletionCounts(state: Memento, now: () => number): CompletionCounts {
  const waiting = new Map<string, CompletionCount>();
  let timer: NodeJS.Timeout | undefined;
  const stored = () => new Map(Object.entries(state.get<Readonly<Record<string, Days>>>(stateKey, {})));
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.size === 0) return;
    const all = stored();
    for (const [key, counted] of waiting) {
      const [day = "", id = ""] = splitKey(key);
      const days = new Map(Object.entries(all.get(id) ?? {}));
      days.set(day, plus(days.get(day), counted));
      const recent = [...days].sort(([a], [b]) => Number(a) - Number(b)).slice(-mostDays);
      // The last connection in use is the last to be dropped.
      all.delete(id);
      all.set(id, Object.fromEntries(recent));
    }
    waiting.clear();
    void state.update(stateKey, Object.fromEntries([...all].slice(-mostConnections)));
  };
  return {
    add(connectionId, counted) {
      const key = `${dayOf(now())} ${connectionId}`;
      waiting.set(key, plus(waiting.get(key), counted));
      timer ??= setTimeout(flush, flushMs).unref();
    },
    since(connectionId, from) {
      const entries = Object.entries(stored().get(connectionId) ?? {});
      const kept = entries.filter(([day]) => Number(day) >= from).map(([, count]) => count);
      const fresh = [...waiting].flatMap(([key, count]) => {
        const [day, id] = splitKey(key);
        return id === connectionId && Number(day) >= from ? [count] : [];
      });
      return [...kept, ...fresh].reduce(plus, none);
    },
    flush,
  };
}

function splitKey(key: string): readonly [day: string, connectionId: string] {
  const space = key.indexOf(" ");
  return [key.slice(0, space), key.slice(space + 1)];
}

function plus(a: CompletionCount = none, b: Partial<CompletionCount> = none): CompletionCount {
  return {
    shown: (a.shown ?? 0) + (b.shown ?? 0),
    accepted: (a.accepted ?? 0) + (b.accepted ?? 0),
    keystrokes: (a.keystrokes ?? 0) + (b.keystrokes ?? 0),
  };
}
