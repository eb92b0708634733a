// Contestants of a comparison, each in its own process: in one process the compiled code, the heap and the garbage of
// one contestant change the speed of the others.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** Prepares a contestant in its process. The work that it returns is measured; its result is sent as JSON. */
export type Prepare<Given, Argument = never> = (given: Given) => Work<Argument> | Promise<Work<Argument>>;
type Work<Argument> = (argument: Argument) => unknown;

export interface Sample {
  readonly ms: number;
  /** Processor time of the contestant's process. */
  readonly cpuMs: number;
  readonly result: unknown;
}

export interface Contestants<Name extends string> {
  /** Runs the work of one contestant once. The others are idle meanwhile. */
  run(name: Name, argument?: unknown): Promise<Sample>;
  close(): void;
}

/** Exports of a module of this folder, each as a contestant. */
export interface Field<Name extends string> {
  /** File from this folder, such as `api/sseContestants.ts`. */
  readonly module: string;
  readonly names: readonly Name[];
  /** Passed to each contestant as JSON. */
  readonly given?: unknown;
}

/** Starts and prepares the contestants one after the other. */
export async function startContestants<Name extends string>(field: Field<Name>): Promise<Contestants<Name>> {
  const { module, names, given = null } = field;
  const processes = new Map<Name, ChildProcess>();
  const close = () => {
    for (const child of processes.values()) child.kill();
  };
  try {
    for (const name of names) {
      const path = join(import.meta.dirname, module);
      const child = fork(join(import.meta.dirname, "contestant.ts"), [path, name, JSON.stringify(given)]);
      processes.set(name, child);
      await reply(child, name);
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    async run(name, argument) {
      const child = processes.get(name);
      if (!child) throw new Error(`${name} was not started`);
      const sample = reply(child, name);
      child.send({ argument });
      return (await sample) as Sample;
    },
    close,
  };
}

/** The next message of a contestant. Rejects if its process ends first. */
async function reply(child: ChildProcess, name: string): Promise<unknown> {
  const settled = new AbortController();
  const { signal } = settled;
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`${name} ended with exit code ${code}`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", { signal }), ended]);
    return message;
  } finally {
    ended.catch(() => {});
    settled.abort();
  }
}

export function msOf(samples: readonly Sample[]): number[] {
  return samples.map(({ ms }) => ms);
}

type Samples<Name extends string> = Readonly<Record<Name, readonly Sample[]>>;

/**
 * Runs the contestants in turn: once as warm-up, then `rounds` times, so that other load on the machine affects all
 * alike. Compare the samples of one round (`paired`). Fails if a result differs from `expected`.
 */
export async function interleave<Name extends string>(
  field: Field<Name> & { readonly rounds: number; readonly expected: unknown },
): Promise<Samples<Name>> {
  const { names, rounds, expected } = field;
  const contestants = await startContestants(field);
  const samples = Object.fromEntries(names.map((name) => [name, [] as Sample[]])) as Record<Name, Sample[]>;
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const name of names) {
        const sample = await contestants.run(name);
        if (sample.result !== expected) throw new Error(`${name}: ${sample.result} instead of ${expected}`);
        if (round > 0) samples[name].push(sample);
      }
    }
  } finally {
    contestants.close();
  }
  return samples;
}
