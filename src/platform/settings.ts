import * as vscode from "vscode";
import type { DialectId } from "../api/dialect/dialect.ts";
import {
  type BudgetFault,
  faultOf,
  type ReadBudgets,
  readScopedBudgets,
} from "../shared/money/scopedBudget.ts";
import { formerSettings } from "../shared/names/formerNames.ts";
import { type SettingId, settings } from "../shared/names/ids.ts";
import { stringsIn } from "../shared/stringIn.ts";

/** Budgets of one connection in USD; undefined for no limit. */
export interface Budgets {
  readonly dayUsd: number | undefined;
  readonly monthUsd: number | undefined;
  /** True if calls beyond a budget are refused without a question. */
  readonly hardStop: boolean;
  /** Budgets of parts of the calls, and all budgets that can't be read. */
  readonly parts?: ReadBudgets;
}

/** The settings of this extension, read on each call. Defaults and bounds are in the manifest. */
export interface Settings {
  readonly transport: "host" | "undici";
  readonly timeoutMs: number;
  readonly budgets: Budgets;
  readonly rpc: {
    /** A run above these credits asks for confirmation. */
    readonly askAboveCredits: number;
    /** Address of a node on this machine. */
    readonly localNode: string;
    /** URL of a service that knows contracts, with {chainId} and {address}. Empty if none is asked. */
    readonly abiSource: string;
  };
  /** Confirm a price before the first use of an action, or each time. */
  readonly askPrice: "firstUse" | "always";
  readonly search: {
    readonly provider: "provider_a" | "provider_b";
    /** Number of search results, 1 to 20. */
    readonly limit: number;
  };
  /** Format of the text parser: text with its token count, or plain text. */
  readonly parseFormat: "json" | "text";
  /** Who reads documents: this machine for nothing, the service for a price, or what the user chooses each time. */
  readonly parser: "ask" | "machine" | "service";
  readonly sandbox: {
    readonly dialect: DialectId;
    readonly tokensPerSecond: number;
    /** Addresses of language model servers on this machine, as the user wrote them. */
    readonly modelServers: readonly string[];
  };
}

export function readSettings(): Settings {
  const read = reader();
  return {
    transport: oneOf(read(settings.connectionTransport), ["host", "undici"]),
    timeoutMs: atLeast(read(settings.connectionTimeoutSeconds), 1) * 1000,
    budgets: budgetsOf(read),
    rpc: {
      askAboveCredits: atLeast(read(settings.rpcAskAboveCredits), 0),
      localNode: String(read(settings.rpcLocalNode) ?? ""),
      abiSource: String(read(settings.rpcAbiSource) ?? ""),
    },
    askPrice: askPriceOf(read(settings.accountAskPrice)),
    search: {
      provider: oneOf(read(settings.webSearchProvider), ["provider_a", "provider_b"]),
      limit: Math.min(20, Math.round(atLeast(read(settings.webSearchLimit), 1))),
    },
    parseFormat: oneOf(read(settings.webParseFormat), ["json", "text"]),
    parser: oneOf(read(settings.webParser), ["ask", "machine", "service"]),
    sandbox: {
      dialect: oneOf(read(settings.sandboxDialect), ["standard", "venice"]),
      tokensPerSecond: atLeast(read(settings.sandboxTokensPerSecond), 1),
      modelServers: stringsIn(read(settings.sandboxModelServers)),
    },
  };
}

/** The budgets alone. Separate because they are read at every start. */
export function readBudgets(): Budgets {
  return budgetsOf(reader());
}

function budgetsOf(read: (id: SettingId) => unknown): Budgets {
  const { accountDayBudgetUsd: day, accountMonthBudgetUsd: month, accountBudgetHardStop: stop } = settings;
  const { scoped, faults } = readScopedBudgets(read(settings.accountBudgets), settings.accountBudgets);
  const values = { [day]: read(day), [month]: read(month), [stop]: read(stop) };
  return {
    dayUsd: atLeast(values[day], 0) || undefined,
    monthUsd: atLeast(values[month], 0) || undefined,
    hardStop: values[stop] === true,
    parts: { scoped, faults: [...faultsIn(values), ...faults] },
  };
}

/** What is no number must not mean that there is no budget. VS Code marks such a value, and hands it on. */
function faultsIn(values: Readonly<Record<string, unknown>>): BudgetFault[] {
  return Object.entries(values).flatMap(([id, value]) => {
    const isSwitch = id === settings.accountBudgetHardStop;
    const isRight = isSwitch ? typeof value === "boolean" : isAmount(value);
    if (isRight || value === undefined || value === null) return [];
    return faultOf(id, isSwitch ? "has to be true or false" : "has to be a number from 0 on", value, {});
  });
}

/** A number in quotes is one: it counted in earlier versions, too. */
function isAmount(value: unknown): boolean {
  const isText = typeof value === "string" && value.trim() !== "";
  return (isText || typeof value === "number") && Number(value) >= 0;
}

/** True if the sandbox is used when no connection was chosen. Separate because it is read at every start. */
export function readSandboxAutoStart(): boolean {
  // It has no former name, and every start reads it.
  return vscode.workspace.getConfiguration().get(settings.sandboxAutoStart) === true;
}

/** True if all text models are offered to VS Code's own chat, not only the recommended ones. */
export function readListsAllModels(): boolean {
  return reader()(settings.languageModelsAll) === true;
}

/** The settings of inline completions. */
export interface CompletionConfiguration {
  readonly isOn: boolean;
  /** Id of a model; empty for the most suitable one. */
  readonly model: string;
  /** Language ids; `*` for all, `!` before an excluded one. */
  readonly languages: readonly string[];
  readonly debounceMs: number;
  /** Limit of the cost of one hour in USD; 0 for none. */
  readonly hourUsd: number;
}

/** As in the manifest. An invalid limit must not mean no limit. */
const defaultHourUsd = 0.25;

export function readCompletionSettings(): CompletionConfiguration {
  const read = reader();
  const hourUsd = read(settings.completionsHourUsd);
  return {
    isOn: read(settings.completionsEnabled) === true,
    model: String(read(settings.completionsModel) ?? "").trim(),
    languages: stringsIn(read(settings.completionsLanguages)),
    debounceMs: Math.min(5_000, atLeast(read(settings.completionsDebounceMs), 0)),
    hourUsd: typeof hourUsd === "number" && hourUsd >= 0 ? hourUsd : defaultHourUsd,
  };
}

/** True if the user's own instructions, skills and modes for agents are read from the home folder. */
export function readHomeInstructions(): boolean {
  return readUserSetting(settings.chatHomeInstructions) !== false;
}

/** True if MCP clients on this machine may use the tools of the service. */
export function readMcpEnabled(): boolean {
  return reader()(settings.toolsMcpEnabled) === true;
}

/** True if other agents on this machine may use the service. A workspace can't set it. */
export function readGatewayEnabled(): boolean {
  return reader()(settings.gatewayEnabled) === true;
}

/** The port of the gateway for them. */
export function readGatewayPort(): number {
  return Math.min(Math.floor(atLeast(reader()(settings.gatewayPort), lowestPort)), highestPort);
}

/** As in the manifest. */
const [lowestPort, highestPort] = [1024, 65_535];

/** What is kept of the requests, and where their traces are sent. A workspace can't set it. */
export interface RequestSettings {
  /** 0: nothing is kept. */
  readonly keepDays: number;
  /** Address of an OpenTelemetry collector, as the user wrote it; empty for none. */
  readonly traceAddress: string;
  /** True if traces contain what was asked and answered. */
  readonly tracesContent: boolean;
}

export function readRequestSettings(): RequestSettings {
  const keepDays = Math.floor(atLeast(readUserSetting(settings.requestsKeepDays), 0));
  return {
    keepDays: Math.min(keepDays, maxKeepDays),
    traceAddress: String(readUserSetting(settings.requestsTraceAddress) ?? "").trim(),
    tracesContent: readUserSetting(settings.requestsTraceContent) === true,
  };
}

/** As in the manifest. */
const maxKeepDays = 90;

/** True if somebody wants records of calls. Read at each call, so without the slow `inspect`. */
export function readIsRecorded(): boolean {
  const read = reader();
  return Number(read(settings.requestsKeepDays)) > 0 || Boolean(read(settings.requestsTraceAddress));
}

/** Who is told about budgets and balances. A workspace can't set it. */
export interface AlertSettings {
  /** A program and its arguments; empty for none. */
  readonly command: readonly string[];
  /** As the user wrote it; empty for none. */
  readonly address: string;
  /** True if alerts name folders, branches, models, clients and key endings of budgets. */
  readonly hasNames: boolean;
}

export function readAlertSettings(): AlertSettings {
  return {
    command: stringsIn(readUserSetting(settings.accountAlertCommand)),
    address: String(readUserSetting(settings.accountAlertAddress) ?? "").trim(),
    hasNames: readUserSetting(settings.accountAlertNames) === true,
  };
}

/** The user's program that signs for a wallet, and its arguments; empty if none is set. A workspace can't set it. */
export function readWalletCommand(): readonly string[] {
  return stringsIn(readUserSetting(settings.walletCommand));
}

/** The network settings of VS Code. */
export interface NetworkSettings {
  readonly proxy: string;
  readonly proxySupport: string;
  readonly noProxy: readonly string[];
  readonly systemCertificates: boolean;
}

export function readNetworkSettings(): NetworkSettings {
  const http = vscode.workspace.getConfiguration("http");
  return {
    proxy: http.get<string>("proxy") ?? "",
    proxySupport: http.get<string>("proxySupport") ?? "override",
    noProxy: http.get<string[]>("noProxy") ?? [],
    systemCertificates: http.get<boolean>("systemCertificates") ?? true,
  };
}

export interface ChatConfiguration {
  readonly sendWith: "enter" | "ctrlEnter";
  /** By the name that follows the slash. */
  readonly prompts: Readonly<Record<string, string>>;
}

export function readChatSettings(): ChatConfiguration {
  const read = reader();
  const prompts = read(settings.chatPrompts);
  const entries = typeof prompts === "object" && prompts !== null ? Object.entries(prompts) : [];
  return {
    sendWith: oneOf(read(settings.chatSendWith), ["enter", "ctrlEnter"]),
    prompts: Object.fromEntries(
      entries.filter(([name, text]) => /^[\w-]{1,40}$/.test(name) && typeof text === "string"),
    ),
  };
}

/** True if the user wants a message when a task waits or ends out of sight. */
export function readTaskNotices(): boolean {
  return reader()(settings.chatTaskNotices) !== false;
}

/** All values come from one configuration object, because VS Code builds it on each call, which is slow. */
function reader(): (id: SettingId) => unknown {
  const configuration = vscode.workspace.getConfiguration();
  return (id) => settingValue(configuration, id);
}

/** A value under the former name counts until it is moved, and if it can't be: a budget must not be lost. */
function settingValue(configuration: vscode.WorkspaceConfiguration, id: SettingId): unknown {
  const former = formerSettings[id];
  // The default of a former name is null. `inspect` takes 60 times as long as `get`, and budgets are read at every start.
  const value = former && configuration.get<unknown>(former);
  if (value === undefined || value === null) return configuration.get(id);
  return configuration.inspect(id)?.globalValue ?? value;
}

/** The value of one setting. */
export function readSetting(id: SettingId): unknown {
  return settingValue(vscode.workspace.getConfiguration(), id);
}

/** The user's value of a setting, or the default. A workspace's value is not read, whatever the scope. */
export function readUserSetting(id: SettingId): unknown {
  const configuration = vscode.workspace.getConfiguration();
  const found = configuration.inspect(id);
  const former = formerSettings[id];
  const user = found?.globalValue ?? (former && configuration.inspect(former)?.globalValue);
  return user ?? found?.defaultValue;
}

/** Writes the user's value of a setting; undefined removes it. Throws if the file has unsaved changes, for example. */
export async function writeUserSetting(id: SettingId, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
}

/** What is neither must not ask less than the user meant. */
function askPriceOf(value: unknown): Settings["askPrice"] {
  return value === undefined || value === "firstUse" ? "firstUse" : "always";
}

function oneOf<const T extends string>(value: unknown, values: readonly [T, ...T[]]): T {
  return values.find((known) => known === value) ?? values[0];
}

function atLeast(value: unknown, minimum: number): number {
  const number = Number(value);
  return Number.isFinite(number) ? Math.max(minimum, number) : minimum;
}
