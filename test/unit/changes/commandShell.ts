// Real processes for the random cases, started by one shell: a start of the shell for each would take most of their time.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import type { Readable, Writable } from "node:stream";

/** Variables of the user would change what programs write. */
const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", LC_ALL: "C" };

/** Runs one command line at a time. It ends with the process. */
class CommandShell {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  #count = 0;
  #written = "";
  #onWritten = () => {};
  #onEnded = () => {};

  constructor() {
    this.#child = spawn("/bin/sh", { env, cwd: tmpdir(), stdio: ["pipe", "pipe", "inherit"] });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#written += text;
      this.#onWritten();
    });
    this.#child.once("close", () => this.#onEnded());
    this.#hold(false);
    this.#child.unref();
    process.once("exit", () => this.#child.kill("SIGKILL"));
  }

  /** Resolves after the end of the command and of all that it has started. Whether it fails does not matter. */
  async run(line: string, folder: string): Promise<void> {
    const end = `end ${this.#count++}\n`;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#onWritten = () => this.#written.endsWith(end) && resolve();
    this.#onEnded = () => reject(new Error("The shell has ended."));
    this.#hold(true);
    this.#child.stdin.write(
      `(cd ${quoted(folder)} || exit; ${line}\n) </dev/null >/dev/null 2>&1; echo ${end}`,
    );
    await promise;
    this.#hold(false);
    this.#written = "";
  }

  /** A process of the tests ends although the shell is there, but not while a command runs. */
  #hold(isHeld: boolean): void {
    const { stdin, stdout } = this.#child;
    for (const pipe of [stdin, stdout]) {
      const name = isHeld ? "ref" : "unref";
      if (name in pipe) (pipe as unknown as Record<typeof name, () => void>)[name]();
    }
  }
}

let shell: CommandShell | undefined;

export function runLine(line: string, folder: string): Promise<void> {
  shell ??= new CommandShell();
  return shell.run(line, folder);
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
