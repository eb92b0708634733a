// The process at the port, which tests can end.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { startVariable } from "../../../../src/gateway/address/addressLink.ts";

const { folder } = JSON.parse(process.env[startVariable] ?? "{}") as { readonly folder: string };
appendFileSync(join(folder, "pids"), `${process.pid}\n`);
await import("../../../../src/gateway/address/process/main.ts");
