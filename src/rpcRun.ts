// The command `node dist/rpc-run.js`: runs RPC notebooks without an editor.
import { runHeadless } from "./rpc/cli/command.ts";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

// The reader of a pipe may end first, such as `head`: nobody reads the rest, so nothing more is spent.
process.stdout.on("error", () => stop.abort());

/** Each write to a pipe takes as long as a short cell, so lines that are printed soon after each other are one write. */
const printMs = 30;
let waiting: string[] = [];
let printing: NodeJS.Timeout | undefined;
const flush = () => {
  clearTimeout(printing);
  printing = undefined;
  if (waiting.length > 0) process.stdout.write(`${waiting.join("\n")}\n`);
  waiting = [];
};

runHeadless({
  args: process.argv.slice(2),
  env: process.env,
  signal: stop.signal,
  print(line) {
    waiting.push(line);
    printing ??= setTimeout(flush, printMs);
  },
  printError(line) {
    flush();
    console.error(line);
  },
  // This dialect has all networks of the other one, and Solana.
  startSandbox: async () => (await import("./sandbox/main.ts")).startSandbox({ dialect: "venice" }),
}).then(
  (status) => {
    flush();
    process.exitCode = status;
  },
  (error: unknown) => {
    flush();
    console.error(error);
    process.exitCode = 1;
  },
);
