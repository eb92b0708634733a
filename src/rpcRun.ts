// The command `node dist/rpc-run.js`: runs RPC notebooks without an editor.
import { runHeadless } from "./features/rpc/headless/command.ts";

const stop = new AbortController();
process.once("SIGINT", () => stop.abort());
process.once("SIGTERM", () => stop.abort());

runHeadless({
  args: process.argv.slice(2),
  env: process.env,
  signal: stop.signal,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  // This dialect has all networks of the other one, and Solana.
  startSandbox: async () => (await import("./sandbox/main.ts")).startSandbox({ dialect: "venice" }),
}).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
