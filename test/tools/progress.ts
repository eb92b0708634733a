/** Prints a short line on stderr; stdout is for the results of a script. */
export function printLine(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Prints what is being done, and its duration at the end. */
export async function withProgress<T>(what: string, work: () => Promise<T>): Promise<T> {
  printLine(`${what} …`);
  const start = performance.now();
  const value = await work();
  printLine(`${what}: done in ${seconds(start)}`);
  return value;
}

/** The time since `start` (of `performance.now()`), as text in seconds. */
export function seconds(start: number): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}

/** Exits with the message of a known failure, or the stack of any other error. */
export function failWith(error: unknown): never {
  printLine(
    error instanceof KnownFailure
      ? `\n${error.message}`
      : `\n${error instanceof Error ? error.stack : error}`,
  );
  process.exit(1);
}

/** A failure whose message names the cause and the remedy, so that no stack is needed. */
export class KnownFailure extends Error {}
