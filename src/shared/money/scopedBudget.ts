import { isMembers, type Members } from "../members.ts";
import { visibleLine } from "../text/html/visibleText.ts";
import { shortened } from "../text/shortened.ts";

export type BudgetPeriod = "day" | "month";

/** What a budget can name of a call. */
export const budgetDimensions = ["folder", "branch", "model", "client", "key"] as const;
export type BudgetDimension = (typeof budgetDimensions)[number];

/**
 * The calls that a budget counts: those that have all of these values. An empty text selects the calls without one, such as
 * those of no folder. A client is a part of the extension (`mcp`), or one program in it (`mcp:claude-code`). Without any
 * member, all calls.
 */
export type BudgetScope = { readonly [Name in BudgetDimension]?: string } & {
  /** Which one of the folders with this name, as the ledger has it. No setting has it. */
  readonly folderId?: string;
};

/** A budget of a part of the calls of each connection, as the user set it. */
export interface ScopedBudget {
  readonly per: BudgetScope;
  /** Present if it counts the calls of each folder apart. No setting has it. */
  readonly each?: "folder";
  readonly period: BudgetPeriod;
  /** USD. */
  readonly limitUsd: number;
  /** `warn`: a notice before, and a question for each call beyond it. `stop`: a call that may pass it is refused. */
  readonly onReach: "warn" | "stop";
  /** `the cap per day of Codex`; absent for a budget of the setting, which its scope names. */
  readonly name?: string;
}

/** A budget that can't be read. Nothing is spent that it may concern, because it may be a limit. */
export interface BudgetFault {
  /** `inference.account.budgets[2].limitUsd`. */
  readonly field: string;
  /** `has to be a number above 0`. */
  readonly rule: string;
  /** What is there, as JSON of bounded length. */
  readonly value: string;
  /** The calls that it may concern. */
  readonly per: BudgetScope;
}

/** The budgets of a setting, and what of it can't be read. */
export interface ReadBudgets {
  readonly scoped: readonly ScopedBudget[];
  readonly faults: readonly BudgetFault[];
}

/** Clients that a budget can name: the kinds of `SpendSource`, and a task of an agent apart from the rest of the chat. */
export const clientNames = {
  chat: "Chat",
  agent: "Agent",
  notebook: "RPC notebook",
  studio: "Image studio",
  editor: "Editor actions",
  web: "Web and documents",
  speech: "Speech",
  account: "Account",
  connection: "Connection check",
  nativeChat: "VS Code chat",
  tool: "Tool of an agent",
  mcp: "MCP client",
  completion: "Inline completions",
  replay: "Request sent again",
  gateway: "Other agent",
} as const;

/** As many as can be judged before each call. */
const mostBudgets = 50;
/** Names in the ledger have at most 100 characters, and a client has its kind before it. */
const longestValue = 120;
/** Characters of a key that the ledger has. */
const keyLength = 6;
const highestUsd = 1_000_000_000;

/** Reads a list of budgets as a user wrote it. `setting` is its id. */
export function readScopedBudgets(value: unknown, setting: string): ReadBudgets {
  if (value === undefined || value === null) return { scoped: [], faults: [] };
  if (!Array.isArray(value) || value.length > mostBudgets) {
    const rule = `has to be a list of at most ${mostBudgets} budgets`;
    return { scoped: [], faults: [faultOf(setting, rule, value, {})] };
  }
  const read = value.map((entry, index) => readBudget(entry, `${setting}[${index}]`));
  return {
    scoped: read.flatMap((one) => ("limitUsd" in one ? one : [])),
    faults: read.flatMap((one) => ("limitUsd" in one ? [] : one)),
  };
}

export function faultOf(field: string, rule: string, value: unknown, per: BudgetScope): BudgetFault {
  const text = value === undefined ? "missing" : (JSON.stringify(value) ?? String(value));
  return { field, rule, value: shortened(visibleLine(text.slice(0, 200)), 60), per };
}

/** `inference.account.budgets[2].limitUsd has to be a number above 0, and is "ten"`. */
export function faultText({ field, rule, value }: BudgetFault): string {
  return `${field} ${rule}, and is ${value}`;
}

function readBudget(entry: unknown, field: string): ScopedBudget | BudgetFault {
  if (!isMembers(entry)) return faultOf(field, "has to be an object", entry, {});
  const { per, limitUsd, period, onReach } = entry;
  const bad = scopeFault(per, `${field}.per`);
  if (bad) return bad;
  const scope = per as BudgetScope;
  if (!(typeof limitUsd === "number" && limitUsd > 0 && limitUsd <= highestUsd))
    return faultOf(`${field}.limitUsd`, "has to be a number of USD above 0", limitUsd, scope);
  if (period !== "day" && period !== "month")
    return faultOf(`${field}.period`, 'has to be "day" or "month"', period, scope);
  if (onReach !== "warn" && onReach !== "stop")
    return faultOf(`${field}.onReach`, 'has to be "warn" or "stop"', onReach, scope);
  return { per: scope, period, limitUsd, onReach };
}

/** A scope that can't be read may be any, so that its fault concerns all calls. */
function scopeFault(per: unknown, field: string): BudgetFault | undefined {
  const rule = `has to name one or more of ${budgetDimensions.join(", ")}`;
  if (!isMembers(per) || Object.keys(per).length === 0) return faultOf(field, rule, per, {});
  return Object.entries(per)
    .map(([name, value]) => memberFault(per, name, value, field))
    .find((fault) => fault !== undefined);
}

function memberFault(per: Members, name: string, value: unknown, field: string): BudgetFault | undefined {
  const member = `${field}.${name}`;
  if (!budgetDimensions.some((known) => known === name))
    return faultOf(field, `can have no “${name}”: it names ${budgetDimensions.join(", ")}`, per, {});
  if (typeof value !== "string" || value.length > longestValue)
    return faultOf(member, `has to be a text of at most ${longestValue} characters`, value, {});
  if (name === "key" && value !== "" && value.length !== keyLength)
    return faultOf(member, `has to be the last ${keyLength} characters of a key`, value, {});
  if (name !== "client" || value === "" || Object.hasOwn(clientNames, clientKind(value))) return undefined;
  return faultOf(member, `has to begin with one of ${Object.keys(clientNames).join(", ")}`, value, {});
}

/** `mcp` of `mcp:claude-code`. */
function clientKind(client: string): string {
  return client.split(":", 1)[0] ?? "";
}

/** `mcp:claude-code`: one program of a kind. */
export function namedClient(kind: string, name: string): string {
  return `${kind}:${name}`;
}

/** The same text for the same calls alone. */
export function scopeId(per: BudgetScope): string {
  const { folderId } = per;
  const values = budgetDimensions.map((name) => per[name] ?? null);
  return JSON.stringify(folderId === undefined ? values : [...values, folderId]);
}

/** In a sentence: `the folder app, the branch main`, `the client “Agent”`, `calls without a folder`. */
export function scopeText(per: BudgetScope): string {
  return partsOf(per, partText).join(", ") || "all calls";
}

/** In a list: `folder app, branch main`, `Agent`, `no folder`. */
export function scopeLabel(per: BudgetScope): string {
  return partsOf(per, partLabel).join(", ") || "all calls";
}

function partsOf(per: BudgetScope, textOf: (name: BudgetDimension, value: string) => string): string[] {
  return budgetDimensions.flatMap((name) => {
    const value = per[name];
    return value === undefined ? [] : [textOf(name, visibleLine(value))];
  });
}

function partLabel(name: BudgetDimension, value: string): string {
  if (value === "") return `no ${name}`;
  if (name === "key") return `key …${value}`;
  return name === "client" ? clientText(value) : `${name} ${value}`;
}

function partText(name: BudgetDimension, value: string): string {
  if (value === "") return `calls without a ${name}`;
  if (name === "key") return `the key …${value}`;
  return name === "client" ? `the client “${clientText(value)}”` : `the ${name} ${value}`;
}

/** `MCP client`, `MCP client claude-code`. */
function clientText(client: string): string {
  const kind = clientKind(client);
  const known = Object.hasOwn(clientNames, kind) ? clientNames[kind as keyof typeof clientNames] : kind;
  const own = client.slice(kind.length + 1);
  return own === "" ? known : `${known} ${own}`;
}
