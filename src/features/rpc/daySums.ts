import type { Memento, NotebookDocument } from "vscode";
import { dayOf } from "../../shared/days.ts";

export interface Sum {
  readonly credits: number;
  readonly usd: number;
}

/** What notebooks have cost on the UTC day of now; windows share it, and it outlives them. */
export interface DaySums {
  of(notebook: NotebookDocument): Sum;
  /** Of all notebooks. */
  all(): Sum;
  add(notebook: NotebookDocument, cost: Sum): Promise<void>;
  /** A notebook that is no file may get the name of one that is gone. */
  forget(notebook: NotebookDocument): Promise<void>;
}

interface Kept {
  readonly day: number;
  readonly all: Sum;
  readonly byNotebook: Readonly<Record<string, Sum>>;
}

const key = "rpc.spent";
const nothing: Sum = { credits: 0, usd: 0 };

export function createDaySums(state: Pick<Memento, "get" | "update">, now: () => number): DaySums {
  const today = (): Kept => {
    const kept = state.get<Kept>(key);
    return kept?.day === dayOf(now()) ? kept : { day: dayOf(now()), all: nothing, byNotebook: {} };
  };
  const nameOf = ({ uri }: NotebookDocument) => uri.toString();
  const of = (notebook: NotebookDocument) => today().byNotebook[nameOf(notebook)] ?? nothing;
  return {
    of,
    all: () => today().all,
    async add(notebook, cost) {
      if (cost.credits === 0 && cost.usd === 0) return;
      const { day, all, byNotebook } = today();
      const sum = plus(of(notebook), cost);
      const kept: Kept = {
        day,
        all: plus(all, cost),
        byNotebook: { ...byNotebook, [nameOf(notebook)]: sum },
      };
      await state.update(key, kept);
    },
    async forget(notebook) {
      const { [nameOf(notebook)]: gone, ...byNotebook } = today().byNotebook;
      if (gone) await state.update(key, { ...today(), byNotebook });
    },
  };
}

function plus(a: Sum, b: Sum): Sum {
  return { credits: a.credits + b.credits, usd: a.usd + b.usd };
}
