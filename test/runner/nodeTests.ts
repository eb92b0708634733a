import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { results, root } from "../tools/paths.ts";
import { writeBatches } from "./batches.ts";

/** The result of a test run. */
export interface TestResult {
  readonly passed: number;
  readonly failed: number;
  readonly output: string;
  /** Files with a failed test, if known. */
  readonly failedFiles?: readonly string[];
  /** Names of the failed tests, each with its file, if known. Suites are not listed beside their tests. */
  readonly failedTests?: readonly string[];
  /** How many tests failed at first and passed in a second run. */
  readonly rerun?: number;
  /** Shown although no test failed. */
  readonly warning?: string;
  /** Milliseconds of each test file, if known. */
  readonly durations?: ReadonlyMap<string, number>;
}

export interface NodeTestOptions {
  /** Only these files, from the root; default: all of the kind. */
  readonly only?: readonly string[];
  /** Maximum number of concurrent processes. */
  readonly concurrency: number;
  /** Timeout of one process, in milliseconds. */
  readonly timeoutMs: number;
  /** Test files per process; default 1. Starting a process costs more than the tests of most files. */
  readonly filesPerProcess?: number;
  /** Names of files that start first, each in its own process, because they take longest. */
  readonly first?: readonly string[];
  /** Files with pages. Those that have no process of their own are in processes that start a browser once. */
  readonly withPages?: readonly string[];
  /** Only tests with these titles; default: all. */
  readonly titles?: readonly string[];
  /** The processes leave the processors to those of other steps. */
  readonly inBackground?: boolean;
}

/** Node's compile cache: stripping the types and compiling take half of a start. */
const compileCache = join(root, "node_modules", ".cache", "compile");

/** The modules that import several test files each. */
const batches = join(results, "batches");

/** Makes random cases the same in each run. */
const seeding = pathToFileURL(join(import.meta.dirname, "seed.ts")).href;
const yielding = pathToFileURL(join(import.meta.dirname, "background.ts")).href;

/** The test files of a kind, from the root. */
export function testFiles(kind: string): string[] {
  return globSync(`test/${kind}/**/*.test.ts`, { cwd: root }).sort();
}

/** Runs the test files of a kind by node:test. Fails if there is none. */
export async function runNodeTests(kind: string, options: NodeTestOptions): Promise<TestResult> {
  const { only, concurrency, timeoutMs, filesPerProcess = 1, first = [], withPages = [], titles } = options;
  const found = only ?? testFiles(kind);
  if (found.length === 0) return { passed: 0, failed: 1, output: `There is no test of ${kind}.` };
  const isNamed = (file: string, name: string) => file.endsWith(`/${name}.test.ts`);
  const unknown = only ? undefined : first.find((name) => !found.some((file) => isNamed(file, name)));
  if (unknown !== undefined) return { passed: 0, failed: 1, output: `No file is ${unknown}.test.ts.` };
  const isFirst = (file: string) => first.some((name) => isNamed(file, name));
  const isAlone = (file: string) => isFirst(file) || replacesModules(file);
  const [early, others] = [found.filter(isAlone), found.filter((file) => !isAlone(file))];
  const pages = new Set(withPages);
  const files = [
    ...early.map((file) => join(root, file)),
    ...filesOrBatches(
      `${kind}-pages`,
      others.filter((file) => pages.has(file)),
      Math.ceil(filesPerProcess / 2), // they take longer
      oneBrowser,
    ),
    ...filesOrBatches(
      kind,
      others.filter((file) => !pages.has(file)),
      filesPerProcess,
    ),
  ];
  process.env.NODE_COMPILE_CACHE ??= compileCache; // inherited by the processes
  process.env.TMPDIR ??= memoryFolder();
  const stream = run({
    files,
    concurrency,
    timeout: timeoutMs,
    execArgv: ["--import", seeding, ...(options.inBackground ? ["--import", yielding] : [])],
    ...(titles && { testNamePatterns: titles.map(exactly) }),
  });
  const failedFiles = new Set<string>();
  const failedTests: string[] = [];
  stream.on("test:fail", ({ file, name, details }) => {
    if (file !== undefined) failedFiles.add(relative(root, file));
    if (details.type !== "suite") failedTests.push(`${file ?? ""}: ${name}`);
  });
  const durations = new Map<string, number>();
  stream.on("test:complete", ({ name, details, nesting }) => {
    // The suite of a file in a batch. A process with a single file has a summary.
    if (nesting === 0 && details.type === "suite" && name.endsWith(".test.ts"))
      durations.set(name, details.duration_ms);
  });
  let passed = 0;
  let failed = 1; // until the summary of the whole run arrives
  stream.on("test:summary", ({ file, counts, success, duration_ms }) => {
    if (file !== undefined) {
      if (!file.includes(batches)) durations.set(relative(root, file), duration_ms);
      return;
    }
    passed = counts.passed;
    const bad = counts.tests - counts.passed; // a skipped test counts as failed: it did not run
    failed = success ? bad : Math.max(bad, 1);
  });
  const output = (await stream.compose(new spec()).toArray()).join("");
  writeDurations(kind, durations);
  return { passed, failed, output, failedFiles: [...failedFiles], failedTests, durations };
}

/** Matches this title only. */
function exactly(title: string): RegExp {
  return new RegExp(`^${title.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`);
}

/** Modules are loaded once for a process, so a file with an editor double of its own has a process of its own. */
function replacesModules(file: string): boolean {
  return readFileSync(join(root, file), "utf8").includes("registerHooks(");
}

/** Writes how long each test file took, the slowest first: test-results/durations/KIND.json, in seconds. */
export function writeDurations(kind: string, durations: ReadonlyMap<string, number>): void {
  const folder = join(results, "durations");
  mkdirSync(folder, { recursive: true });
  const slowestFirst = [...durations]
    .sort(([, a], [, b]) => b - a)
    .map(([file, ms]) => [file, Math.round(ms / 100) / 10]);
  writeFileSync(
    join(folder, `${kind}.json`),
    `${JSON.stringify(Object.fromEntries(slowestFirst), undefined, 1)}\n`,
  );
}

const neededBytes = 2 ** 30;
const memory = "/dev/shm";

/** The folder for temporary files: in memory if there is room, because each durable write waits for the disk. */
function memoryFolder(): string {
  if (process.platform !== "linux") return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < neededBytes) return tmpdir();
    const folder = mkdtempSync(join(memory, "inference-workbench-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return tmpdir(); // no such folder, or it is not writable
  }
}

/** Keeps the browser of a process open between its suites. */
const oneBrowser = `import ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "oneBrowser.ts")).href)};\n`;

/** Modules that each import `size` test files. With a size of 1 none is written, and the files are returned. */
function filesOrBatches(
  name: string,
  files: readonly string[],
  size: number,
  head?: string,
): readonly string[] {
  const batched = files.map((file) => ({ name: file, path: join(root, file) }));
  return size === 1
    ? batched.map(({ path }) => path)
    : writeBatches(join(batches, name), batched, size, head);
}
