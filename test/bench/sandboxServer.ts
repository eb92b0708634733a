// The sandbox in its own process, without rate limits. The first argument is its options as JSON.
import { type SandboxOptions, startSandbox } from "../../src/sandbox/main.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as SandboxOptions;
const { baseUrl, apiKey } = await startSandbox({ limits: "none", ...options });
process.once("disconnect", () => process.exit());
process.send?.({ baseUrl, apiKey });
