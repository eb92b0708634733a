import { parseArgs } from "node:util";
import { LoopbackTransport } from "../../api/transport/loopback.ts";
import { checkBaseUrl, isLoopback } from "../../session/connection/baseUrl.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { environment } from "../../shared/names/ids.ts";
import { localNetwork } from "../../shared/rpc/networks.ts";
import { createEvmLoader } from "../evm/evmLoader.ts";
import { networksOfCell } from "../language/project.ts";
import { createSender, type RpcApi } from "../run/senders.ts";
import { openNotebooks, UsageError } from "./notebookFiles.ts";
import type { HeadlessNotebook } from "./openNotebook.ts";
import { type ReportFile, reportProblem, writeReport } from "./reportFiles.ts";
import { cellText, jsonReport, junitReport, totalsOf, totalsText } from "./reports.ts";
import { type HeadlessDeps, type NotebookResult, runNotebook } from "./runNotebook.ts";
import { givenVariables, variablePrefix } from "./variables.ts";

/** The parts of the process that the command uses. */
export interface CommandProcess {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  print(line: string): void;
  printError(line: string): void;
  readonly startSandbox: () => Promise<{
    readonly baseUrl: string;
    readonly apiKey: string;
    close(): Promise<void>;
  }>;
}

/** Exit status: all cells passed; a cell failed; wrong usage, so nothing was sent; budget reached; stopped. */
export const exitStatus = { passed: 0, failed: 1, usage: 2, budget: 3, stopped: 130 } as const;

const usage = `Usage: node rpc-run.js FILE… [options]

Runs the cells of RPC notebooks (*.rpc.md) and reports those that failed.

  --network NAME     send all cells to this network; "local" is a node on this machine
  --local-node URL   address of the network "local" (default http://127.0.0.1:8545)
  --environment NAME use NAME.rpc.env, for cells without @env
  --env NAME=VALUE   set a variable of the notebooks; may be repeated
  --budget CREDITS   stop before the credits of the run could exceed this number
  --allow-writes     send methods that change a chain; without it such a cell fails
  --sandbox          use the local sandbox: no account, play money
  --junit FILE       write the results as JUnit XML
  --json FILE        write the results as JSON
  --help             show this text

Environment: ${environment.baseUrl} and ${environment.key} name the service and its key. Neither is
needed if all cells use "local", or with --sandbox. ${variablePrefix}NAME sets the variable
NAME of the notebooks. Secrets can't be set with --env.

Exit status: 0 all cells passed, 1 a cell failed, 2 wrong usage (nothing was sent),
3 the budget was reached, 130 stopped.`;

const flags = {
  network: { type: "string" },
  "local-node": { type: "string" },
  environment: { type: "string" },
  env: { type: "string", multiple: true },
  budget: { type: "string" },
  "allow-writes": { type: "boolean" },
  sandbox: { type: "boolean" },
  junit: { type: "string" },
  json: { type: "string" },
  help: { type: "boolean" },
} as const;

/** Runs the command; resolves to its exit status. */
export async function runHeadless(host: CommandProcess): Promise<number> {
  try {
    const options = readOptions(host);
    if (options.help) {
      host.print(usage);
      return exitStatus.passed;
    }
    const notebooks = await openNotebooks(options);
    const service = await connect(host, options, notebooks);
    try {
      const problem = await reportProblem(options.reports, options.files);
      if (problem !== undefined) throw new UsageError(problem);
      return await runAll(host, options, notebooks, service);
    } finally {
      await service.close();
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    host.printError(`${error.message}\nSee node rpc-run.js --help.`);
    return exitStatus.usage;
  }
}

type Options = ReturnType<typeof readOptions>;

function readOptions({ args, env }: Pick<CommandProcess, "args" | "env">) {
  const { values, positionals: files } = parsed(args);
  if (!values.help && files.length === 0) throw new UsageError("No notebook is named.");
  const { budget, "local-node": localNode = "http://127.0.0.1:8545" } = values;
  if (budget !== undefined && !/^\d{1,15}$/.test(budget))
    throw new UsageError(`--budget must be a whole number of credits of at most 15 digits, not "${budget}".`);
  if (!isLoopback(localNode))
    throw new UsageError(`--local-node must be an address of this machine, not "${localNode}".`);
  const variables = givenVariables(values.env ?? [], env);
  if ("problem" in variables) throw new UsageError(variables.problem);
  const { junit, json } = values;
  return {
    files,
    given: variables.given,
    environment: values.environment,
    network: values.network,
    localNode,
    budget: budget === undefined ? undefined : Number(budget),
    mayWrite: values["allow-writes"] === true,
    usesSandbox: values.sandbox === true,
    reports: [
      ...(junit === undefined ? [] : [{ option: "--junit", file: junit } as const]),
      ...(json === undefined ? [] : [{ option: "--json", file: json } as const]),
    ],
    help: values.help === true,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

interface Service {
  /** For messages. */
  readonly name: string;
  readonly isPlayMoney: boolean;
  /** Undefined if all cells use a node on this machine. */
  readonly api?: RpcApi;
  readonly close: () => Promise<void>;
}

async function connect(
  host: CommandProcess,
  { usesSandbox }: Options,
  notebooks: readonly HeadlessNotebook[],
): Promise<Service> {
  if (usesSandbox) {
    const { baseUrl, apiKey, close } = await host.startSandbox();
    return { name: "The sandbox", isPlayMoney: true, api: await apiOf(baseUrl, apiKey), close };
  }
  const { [environment.baseUrl]: baseUrl = "", [environment.key]: apiKey = "" } = host.env;
  const close = async () => {};
  if (networksIn(notebooks).every((network) => network === localNetwork))
    return { name: "The service", isPlayMoney: false, close };
  const missing = [environment.baseUrl, environment.key].find((name) => !host.env[name]);
  if (missing !== undefined)
    throw new UsageError(
      `The environment variable ${missing} is not set. Set it, or add --sandbox or --network ${localNetwork}.`,
    );
  const checked = checkBaseUrl(baseUrl);
  if (!checked.ok) throw new UsageError(`${environment.baseUrl} can't be used. ${checked.problem}`);
  return {
    name: new URL(checked.url).host,
    isPlayMoney: false,
    api: await apiOf(checked.url, apiKey),
    close,
  };
}

/** The networks that the cells use. */
function networksIn(notebooks: readonly HeadlessNotebook[]): readonly string[] {
  return notebooks.flatMap(({ project }) => project.cells.flatMap((cell) => networksOfCell(project, cell)));
}

async function runAll(
  host: CommandProcess,
  options: Options,
  opened: readonly HeadlessNotebook[],
  service: Service,
): Promise<number> {
  const { signal, print } = host;
  const notebooks = await withOfferedNetworks(opened, service, signal);
  const { api } = service;
  const deps: HeadlessDeps = {
    sender: createSender(
      async () => api ?? Promise.reject(new Error("there is no service")),
      () => options.localNode,
      new LoopbackTransport(),
      "The option --local-node changes the address.",
    ),
    evm: createEvmLoader(),
    service: service.name,
    isPlayMoney: service.isPlayMoney,
    mayWrite: options.mayWrite,
    budget: { limit: options.budget, spent: 0, isReached: false },
  };
  const results: NotebookResult[] = [];
  for (const notebook of notebooks)
    results.push(await runNotebook(deps, notebook, signal, (cell) => print(cellText(notebook.file, cell))));
  const totals = totalsOf(results);
  const isPlayMoney =
    service.isPlayMoney && networksIn(notebooks).some((network) => network !== localNetwork);
  print(totalsText(totals, isPlayMoney));
  const areWritten = await writeReports(host, options.reports, {
    "--junit": () => junitReport(results),
    "--json": () => jsonReport(results, service.isPlayMoney),
  });
  if (signal.aborted) return exitStatus.stopped;
  if (deps.budget.isReached) return exitStatus.budget;
  return totals.failed > 0 || !areWritten ? exitStatus.failed : exitStatus.passed;
}

/** Writes all that can be written. False if one could not. */
async function writeReports(
  { printError }: CommandProcess,
  reports: readonly ReportFile[],
  texts: Readonly<Record<ReportFile["option"], () => string>>,
): Promise<boolean> {
  const problems: string[] = [];
  for (const report of reports) {
    const problem = await writeReport(report, texts[report.option]());
    if (problem !== undefined) problems.push(problem);
  }
  for (const problem of problems) printError(problem);
  return problems.length === 0;
}

/** A network that is not known may be on the service's list, which is free. */
async function withOfferedNetworks(
  notebooks: readonly HeadlessNotebook[],
  { api }: Service,
  signal: AbortSignal,
): Promise<readonly HeadlessNotebook[]> {
  const used = [...new Set(networksIn(notebooks))];
  const isKnown = notebooks.every(({ project }) =>
    used.every((network) => project.offered.includes(network)),
  );
  if (isKnown || !api) return notebooks;
  // Without the list, the cells with such a network fail with that reason.
  const listed = await api.rpc.networks({}, { signal }).catch(() => undefined);
  if (!listed || listed.networks.length === 0) return notebooks;
  const offered = [...listed.networks, localNetwork];
  return notebooks.map((notebook) => ({ ...notebook, project: { ...notebook.project, offered } }));
}

async function apiOf(baseUrl: string, apiKey: string): Promise<RpcApi> {
  const { createServiceApi } = await import("./service.ts");
  return createServiceApi(baseUrl, apiKey);
}
