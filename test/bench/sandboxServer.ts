// The sandbox in its own process, without rate limits. The first argument is its options as JSON.
import { startTestSandbox, type TestSandboxOptions } from "../serviceKit/testSandbox.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as TestSandboxOptions;
const { baseUrl, apiKey } = await startTestSandbox({ limits: "none", ...options });
process.once("disconnect", () => process.exit());
process.send?.({ baseUrl, apiKey });
