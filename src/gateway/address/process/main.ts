// The process at the port of the gateway. A window starts it, and it outlives that window.
import { isMembers } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { type AddressStart, startVariable } from "../addressLink.ts";
import { AddressProcess } from "./addressProcess.ts";

function readStart(text: string | undefined): AddressStart | undefined {
  const value = parseJson(text ?? "");
  if (!isMembers(value)) return undefined;
  const { folder, port, version, holdMs, aloneMs } = value;
  if (typeof folder !== "string" || typeof version !== "string") return undefined;
  if (typeof port !== "number" || typeof holdMs !== "number" || typeof aloneMs !== "number") return undefined;
  return { folder, port, version, holdMs, aloneMs };
}

async function main(): Promise<void> {
  const start = readStart(process.env[startVariable]);
  if (!start) throw new Error(`${startVariable} is not set: a window of VS Code starts this process`);
  const outcome = await new AddressProcess(start, () => process.exit()).begin();
  process.stdout.on("error", () => {});
  process.stdout.write(`${outcome}\n`, () => {
    if (outcome !== "ready") process.exit();
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error}\n`);
  process.exit(1);
});
