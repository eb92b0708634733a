// `npm test`: all checks of the project with few random cases, and of the UI tests a path through each feature, in
// parallel if that saves time. `npm run test:all` takes all cases and all UI tests; with `-- --rest` it runs only what
// `npm test` leaves out. `-- --only unit,rules` runs some steps, `-- --seed any` uses new random cases. `-- --changed`
// checks what differs from the last commit, in less than a minute for one file: all types, the changed files' style and
// the tests that import them, without an editor.
import { randomInt } from "node:crypto";
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { casesVariable } from "./runner/cases.ts";
import { runNodeTests, type TestResult, testFiles, writeDurations } from "./runner/nodeTests.ts";
import { reachedTests } from "./runner/reached.ts";
import { type FirstResult, secondResult } from "./runner/secondRun.ts";
import { uiPaths } from "./runner/uiPaths.ts";
import { installCodeServer } from "./tools/installCodeServer.ts";
import { editorState, results, root } from "./tools/paths.ts";
import { runToEnd } from "./tools/processGroup.ts";
import { failWith, KnownFailure, seconds } from "./tools/progress.ts";
import { installChromium } from "./vscode/chromium.ts";
import { hostTestFiles } from "./vscode/hostBundle.ts";
import { describeHostResult, runHostTests } from "./vscode/hostRun.ts";

interface Step {
  readonly run: () => Promise<FirstResult>;
  /** Steps that must pass first. */
  readonly needs?: readonly string[];
  /** Steps to wait for if they run at all. */
  readonly after?: readonly string[];
}

const cores = availableParallelism();

type Steps = Readonly<Record<string, Step>>;

/**
 * The steps of `npm test`, or with all UI tests, by priority. Those of the real editor, which wait most, follow each other;
 * all others are beside them.
 */
const completeSteps = (isAll: boolean): Steps => ({
  // In a separate process, because it silences the console while it packages, which would lose lines of other steps.
  package: { run: () => check(() => npmRun("package")) },
  editor: { run: () => check(installEditor) },
  host: { run: () => hostTests(), needs: ["package", "editor"] },
  // Not beside the host, as two editors at once run into their timeouts.
  ui: { run: () => uiTests(isAll ? undefined : uiPaths), needs: ["package", "editor"], after: ["host"] },
  typecheck: { run: () => check(() => npmRun("typecheck")) },
  lint: { run: () => check(() => npmRun("lint")) },
  contract: { run: () => contractTests() },
  unit: { run: () => unitTests() },
  rules: { run: () => rulesTests(), needs: ["package"] },
  output: outputStep(["host", "ui", "unit", "contract", "rules"]),
});

/**
 * What `npm test` leaves out: files that take cases, and the UI tests, whose paths continue in the same windows. The
 * package is that of `npm test`.
 */
function restSteps(): Steps {
  // The runner gives the number of cases to each property that names none.
  const withProperties = globSync("{src,test}/**/*.ts", { cwd: root }).filter((file) =>
    readFileSync(join(root, file), "utf8").includes('from "fast-check"'),
  );
  const taking = reachedTests(root, ["test/runner/cases.ts", ...withProperties]);
  const ofKind = (kind: string) => taking.filter((file) => file.startsWith(`test/${kind}/`));
  const inHost = hostTestFiles().filter((file) =>
    readFileSync(join(root, file), "utf8").includes("/runner/cases.ts"),
  );
  return {
    host: { run: () => hostTests(inHost) },
    ui: { run: () => uiTests(), after: ["host"] },
    unit: { run: () => unitTests(ofKind("unit")) },
    contract: { run: () => contractTests(ofKind("contract")) },
    output: outputStep(["unit", "contract", "host", "ui"]),
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      seed: { type: "string" },
      all: { type: "boolean" },
      rest: { type: "boolean" },
      changed: { type: "boolean" },
      pictures: { type: "boolean" },
    },
  });
  process.env.INFERENCE_TEST_SEED = String(seedOf(values.seed)); // inherited by the processes
  if (values.pictures) process.env.INFERENCE_TEST_PICTURES = "yes"; // UI tests take pictures along the way
  if (!values.all) process.env[casesVariable] = "few";
  const steps = await stepsOf(values);
  const done = await runSteps(steps, chosen(steps, values.only));
  printSlowest(done);
  const sum = (of: "passed" | "failed" | "rerun") =>
    done.reduce((total, result) => total + (result[of] ?? 0), 0);
  console.log(`${sum("passed")} passed (${sum("rerun")} in a second run only), ${sum("failed")} failed`);
  process.exitCode = sum("failed") > 0 || sum("passed") === 0 ? 1 : 0;
}

interface Extent {
  readonly all?: boolean | undefined;
  readonly rest?: boolean | undefined;
  readonly changed?: boolean | undefined;
}

async function stepsOf({ all = false, rest = false, changed = false }: Extent): Promise<Steps> {
  if (rest && !all) throw new KnownFailure("--rest goes with --all: npm run test:all -- --rest");
  if (changed) return changedSteps(await changedFiles());
  return rest ? restSteps() : completeSteps(all);
}

const slowestFiles = 20;

function printSlowest(done: readonly TestResult[]): void {
  const slowest = done
    .flatMap(({ durations }) => [...(durations ?? [])])
    .sort(([, a], [, b]) => b - a)
    .slice(0, slowestFiles);
  if (slowest.length === 0) return;
  console.log("The slowest test files, in seconds:");
  for (const [file, ms] of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)}  ${file}`);
}

/** The seed of random cases: constant unless `--seed` is given. */
function seedOf(asked = "1"): number {
  const seed = asked === "any" ? randomInt(2 ** 31) : Number(asked);
  if (!Number.isSafeInteger(seed))
    throw new KnownFailure(`--seed takes a whole number, or "any": not "${asked}".`);
  if (asked === "any") console.log(`seed ${seed}`);
  return seed;
}

/** The steps of `--only` with their dependencies; all without it. */
function chosen(steps: Steps, only: string | undefined): string[] {
  const names = only?.split(",") ?? Object.keys(steps);
  const unknown = names.find((name) => !(name in steps));
  if (unknown !== undefined) {
    throw new KnownFailure(`No step "${unknown}". There are: ${Object.keys(steps).join(", ")}.`);
  }
  const needed = new Set(names.flatMap((name) => [...(steps[name]?.needs ?? []), name]));
  return Object.keys(steps).filter((name) => needed.has(name));
}

/** A step of the real editor and two others, since each waits, and has fewer processes at its end. */
const stepsAtOnce = 3;

/** Starts each step once its dependencies have passed. */
async function runSteps(steps: Steps, names: readonly string[]): Promise<TestResult[]> {
  const done = new Map<string, FirstResult>();
  const running = new Map<string, Promise<void>>();
  const isReady = (name: string) =>
    [...(steps[name]?.needs ?? []), ...(steps[name]?.after ?? [])].every(
      (other) => done.has(other) || !names.includes(other),
    );
  while (done.size < names.length) {
    const next = names.find((name) => !done.has(name) && !running.has(name) && isReady(name));
    if (next !== undefined && running.size < stepsAtOnce) {
      const needed = (steps[next]?.needs ?? []).find((other) => (done.get(other)?.failed ?? 0) > 0);
      const ended = runStep(steps, next, needed).then((result) => {
        done.set(next, result);
        running.delete(next);
      });
      running.set(next, ended);
    } else {
      await Promise.race(running.values());
    }
  }
  const results: TestResult[] = [];
  for (const [name, first] of done)
    results.push(first.again ? await runAndPrint(`${name}, once more`, () => secondResult(first)) : first);
  return results;
}

/** Runs one step. */
function runStep(steps: Steps, name: string, failedBefore: string | undefined): Promise<FirstResult> {
  const notRun = { passed: 0, failed: 1, output: `Not run, as ${failedBefore} failed.` };
  return runAndPrint(name, async () =>
    failedBefore ? notRun : (steps[name]?.run() ?? Promise.reject(new Error(name))),
  );
}

/** Runs a step and prints its line, and all its output if it failed. */
async function runAndPrint<Result extends FirstResult>(
  name: string,
  work: () => Promise<Result>,
): Promise<FirstResult> {
  const start = performance.now();
  const result: FirstResult = await work().catch(toFailure);
  const tests = result.passed + result.failed > 1 ? `${result.passed} passed, ${result.failed} failed, ` : "";
  if (result.failed > 0 && !result.again) console.log(`\n${result.output}`);
  if (result.warning) console.log(`\n${result.warning}`);
  console.log(`${result.failed > 0 ? "✖" : "✔"} ${name} (${tests}${seconds(start)})`);
  return result;
}

/** A step without own tests counts only when it fails. */
async function check(work: () => Promise<unknown>): Promise<TestResult> {
  await work();
  return { passed: 0, failed: 0, output: "" };
}

function toFailure(error: unknown): TestResult {
  const known = error instanceof KnownFailure ? error.message : undefined;
  return {
    passed: 0,
    failed: 1,
    output: known ?? (error instanceof Error ? (error.stack ?? "") : String(error)),
  };
}

function npmRun(script: string): Promise<string> {
  return npm("run", "--silent", script);
}

function npm(...args: readonly string[]): Promise<string> {
  const windows = process.platform === "win32";
  return runToEnd(windows ? "npm.cmd" : "npm", args, { cwd: root, shell: windows });
}

/** Some wait for timers and for answers that come token by token, so one more process than cores fits. */
async function unitTests(only?: readonly string[]): Promise<FirstResult> {
  const timeoutMs = 600_000;
  const first = await runNodeTests("unit", {
    concurrency: cores + 1,
    timeoutMs,
    inBackground: true,
    filesPerProcess: 16,
    withPages: reachedTests(root, ["test/unit/webview/browser.ts"]),
    first: [
      ...["growth", "readers", "cuts"].map((topic) => `webview/markdown/markdownStream.${topic}`),
      ...["turn/Conversation", "turn/Conversation.goOn", "App.smallPage"].map((name) => `chat/page/${name}`),
      ...["language/project.growth", "language/parse/parseCell.fuzz"].map((name) => `rpc/${name}`),
      ...["unit/pageColours", "chat/host/tools/rounds/toolCards", "chat/host/conversation/messageTree"],
    ],
    ...(only && { only }),
  });
  return withSecondRun("unit", first, timeoutMs);
}

/** Many of them use real pages, servers and nodes: as with the editor, a race is printed, and is a defect to find. */
function withSecondRun(kind: string, first: TestResult, timeoutMs: number): FirstResult {
  // A test may stand in a module that several files call.
  const places = (first.failedFiles ?? []).filter((file) => file.startsWith("test/"));
  const failed = reachedTests(root, places).filter((file) => file.startsWith(`test/${kind}/`));
  if (first.failed === 0 || failed.length === 0) return first;
  return { ...first, again: () => runNodeTests(kind, { concurrency: 1, timeoutMs, only: failed }) };
}

/** They often wait for timeouts and backoffs, so more processes than cores fit. */
async function contractTests(only?: readonly string[]): Promise<FirstResult> {
  const timeoutMs = 600_000;
  const first = await runNodeTests("contract", {
    concurrency: cores * 2,
    timeoutMs,
    inBackground: true,
    first: ["rowsVenice", "rowsStandard", "anyReply", "faults"],
    ...(only && { only }),
  });
  return withSecondRun("contract", first, timeoutMs);
}

/** A rule about what the other steps wrote, which is a step of its own after them. */
const ruleOfOutput = "test/rules/package/canary.test.ts";

function outputStep(after: readonly string[]): Step {
  const options = { only: [ruleOfOutput], concurrency: 1, timeoutMs: 60_000 };
  return { run: () => runNodeTests("output", options), after };
}

function rulesTests(only?: readonly string[]): Promise<TestResult> {
  const files = only ?? testFiles("rules").filter((file) => file !== ruleOfOutput);
  return runNodeTests("rules", { only: files, concurrency: cores, timeoutMs: 60_000, inBackground: true });
}

/** Files that differ from the last commit, new ones included, from the root. */
async function changedFiles(): Promise<string[]> {
  const git = (...args: string[]) => runToEnd("git", ["-c", "core.quotePath=false", ...args], { cwd: root });
  const lists = await Promise.all([
    git("diff", "--name-only", "--relative", "HEAD"),
    git("ls-files", "--others", "--exclude-standard"),
  ]);
  return lists.flatMap((list) => list.split("\n")).filter((file) => file !== "");
}

/** Rules that need sources only, without a build. */
const rulesOfSources = [
  "docs",
  "manifest/manifest",
  "manifest/palette",
  "manifest/settings",
  "storage",
  "structure/complexity/complexity",
  "structure/globals",
  "structure/imports",
  "structure/structure",
];

function changedSteps(files: readonly string[]): Steps {
  const tests = reachedTests(root, files);
  const ofKind = (kind: string) => tests.filter((file) => file.startsWith(`test/${kind}/`));
  const present = files.filter((file) => existsSync(join(root, file)));
  const [unit, contract] = [ofKind("unit"), ofKind("contract")];
  const rules = rulesOfSources.map((name) => `test/rules/${name}.test.ts`);
  console.log(`${files.length} files differ; they reach ${tests.length} test files.`);
  return {
    typecheck: { run: () => check(() => npmRun("typecheck")) },
    ...(present.length > 0 && {
      lint: {
        run: () =>
          check(() => npm("exec", "--no", "--", "biome", "check", "--no-errors-on-unmatched", ...present)),
      },
    }),
    ...(unit.length > 0 && { unit: { run: () => unitTests(unit) } }),
    ...(contract.length > 0 && { contract: { run: () => contractTests(contract) } }),
    rules: { run: () => rulesTests(rules) },
  };
}

async function installEditor(): Promise<void> {
  await installChromium();
  await installCodeServer();
}

/** Only these files; all without them. */
async function hostTests(only?: readonly string[]): Promise<FirstResult> {
  clean("host");
  const run = async (): Promise<TestResult> => {
    const result = await runHostTests(only);
    const { passed, failed, durations } = result;
    const output = describeHostResult(result);
    writeDurations("host", durations);
    const failedTests = failed.map(({ title }) => title);
    return { passed: passed.length, failed: failed.length, failedTests, output, durations };
  };
  const first = await run();
  return first.failed > 0 ? { ...first, again: run } : first;
}

/** Only these titles of these files; all without them. */
async function uiTests(paths?: Readonly<Record<string, readonly string[]>>): Promise<FirstResult> {
  clean("ui");
  const timeoutMs = 1_200_000;
  // A browser, its editor and the server of both use two cores: two windows at once take as long as one after the other.
  const concurrency = Math.max(1, Math.floor(cores / 2));
  // The longest do not run alone at the end.
  const longest = ["connection", "chatReading", "firstRun", "rpcWriting", "agent", "editor", "rpcCells"].map(
    (name) => `${name}.ui`,
  );
  const chosen = paths && { only: Object.keys(paths), titles: Object.values(paths).flat() };
  const first = await runNodeTests("ui", { concurrency, timeoutMs, first: longest, ...chosen });
  const only = first.failedFiles ?? [];
  return first.failed > 0
    ? { ...first, again: () => runNodeTests("ui", { concurrency: 1, timeoutMs, ...chosen, only }) }
    : first;
}

/** Removes the results of an earlier run. */
function clean(kind: string): void {
  for (const folder of [results, editorState]) rmSync(join(folder, kind), { recursive: true, force: true });
}

await main().catch(failWith);
