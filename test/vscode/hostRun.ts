// Runs the tests of test/host inside the extension host of a real VS Code: a desktop one if requested, else the one from npm.
import { join } from "node:path";
import { environment, type HostEvent } from "../host/protocol.ts";
import { casesVariable } from "../runner/cases.ts";
import { editorState, root } from "../tools/paths.ts";
import { addExtension, createProfile } from "../tools/profile.ts";
import { failWith } from "../tools/progress.ts";
import { bundleHostTests, hostTestFiles } from "./hostBundle.ts";
import { type HostResult, openHostChannel } from "./hostChannel.ts";
import { startDesktopHost, wantsDesktop } from "./hostDesktop.ts";
import { type HostLaunch, type HostServer, startHostServer } from "./hostServer.ts";
import { writeTestCertificates } from "./testCertificates.ts";

export interface HostRunOptions {
  /** Names the bundle and the profile. */
  readonly name: string;
  /** Test files, from the root. */
  readonly files: readonly string[];
  /** The folder of our extension; default: the root. */
  readonly extension?: string;
  /** Folders of additional extensions. */
  readonly extensions?: readonly string[];
  /** Environment variables for the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly onEvent?: (event: HostEvent) => void;
}

/** Runs test files in a new extension host with our extension (dist/ must be built) and returns their results. */
export async function runInHost(options: HostRunOptions): Promise<HostResult> {
  const [result] = await runInHosts(options, 1);
  if (!result) throw new Error("nothing was run");
  return result;
}

/** Runs test files `count` times, one after the other, each in a new extension host of the same profile. */
export async function runInHosts(options: HostRunOptions, count: number): Promise<readonly HostResult[]> {
  const {
    name,
    files,
    extension = root,
    extensions = [],
    timeoutMs = 1_800_000,
    onEvent = () => {},
  } = options;
  const tests = await bundleHostTests(name, files);
  // In a browser, the editor saves by itself after a second, which on a busy machine comes before the next step of a test.
  const profile = createProfile(join(editorState, "host", name), { "files.autoSave": "off" });
  for (const folder of extensions) addExtension(profile, folder);
  const certificates = writeTestCertificates(join(editorState, "host", `${name}-certificates`));
  const channel = await openHostChannel(onEvent);
  const env = {
    SHELL: "/bin/bash",
    HOME: profile.home,
    ...options.env,
    ...certificates.env,
    [environment.port]: String(channel.port),
  };
  const results: HostResult[] = [];
  try {
    const editor = await startEditor({ profile, extension, tests, env });
    try {
      for (let run = 0; run < count; run++) {
        const host = await editor.open();
        try {
          results.push(await channel.result(host, timeoutMs));
        } finally {
          await host.end();
        }
      }
    } finally {
      await editor.end();
    }
  } finally {
    channel.close();
  }
  return results;
}

/** A desktop VS Code is started for each extension host, and exits with it. */
async function startEditor(launch: HostLaunch): Promise<HostServer> {
  if (!wantsDesktop()) return startHostServer(launch);
  return { open: () => startDesktopHost(launch), end: async () => {} };
}

/** A test extension that exports the context that VS Code passes to every extension. */
export const probe = join(root, "test", "host", "probe");

/** Runs tests of test/host in a new extension host: all, unless files are given. They take as many cases as this process. */
export function runHostTests(files: readonly string[] = hostTestFiles()): Promise<HostResult> {
  const cases = process.env[casesVariable];
  const env = cases === undefined ? {} : { [casesVariable]: cases };
  return runInHost({ name: "tests", files, extensions: [probe], env });
}

/** The result as text: one line per passed test, the stack of each failed one. */
export function describeHostResult({ passed, failed }: HostResult): string {
  return [
    ...passed.map(({ title, ms }) => `✔ ${title} (${ms} ms)`),
    ...failed.map(({ title, stack }) => `✖ ${title}\n${stack.replace(/^/gm, "    ")}`),
  ].join("\n");
}

if (import.meta.main) {
  const result = await runHostTests().catch(failWith);
  console.log(describeHostResult(result));
  process.exitCode = result.failed.length > 0 ? 1 : 0;
}
