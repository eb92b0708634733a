/** One short line on stderr, so that who waits sees what for; stdout stays free for what a script is asked for. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Says what is being done, and how long it took once it is done. */
export async function saying<T>(what: string, work: () => Promise<T>): Promise<T> {
  say(`${what} …`);
  const start = performance.now();
  const value = await work();
  say(`${what}: done in ${seconds(start)}`);
  return value;
}

/** The time since `start` (of `performance.now()`), as text in seconds. */
export function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Ends the process with the one line that names the cause, or the stack where the cause is not known. */
export function failWith(error: unknown): never {
  say(
    error instanceof KnownFailure
      ? `\n${error.message}`
      : `\n${error instanceof Error ? error.stack : error}`,
  );
  process.exit(1);
}

/** A failure whose message already says the cause and what mends it: no stack is needed. */
export class KnownFailure extends Error {}
