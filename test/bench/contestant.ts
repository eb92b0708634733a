// One contestant of a comparison in its own process. Arguments: module, name of its export, its input as JSON.
import { pathToFileURL } from "node:url";
import type { Prepare, Sample } from "./interleave.ts";

const [, , path = "", name = "", given = "null"] = process.argv;
const contestants = (await import(pathToFileURL(path).href)) as Readonly<
  Record<string, Prepare<unknown, unknown>>
>;
const prepare = contestants[name];
if (!prepare) throw new Error(`${path} exports no ${name}`);
const work = await prepare(JSON.parse(given));

process.once("disconnect", () => process.exit());
process.on("message", async ({ argument }: { readonly argument?: unknown }) => {
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const result = await work(argument);
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const sample: Sample = { ms, cpuMs: (user + system) / 1000, result };
  process.send?.(sample);
});
process.send?.("ready");
