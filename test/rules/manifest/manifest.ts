import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../tools/paths.ts";

interface Command {
  readonly command: string;
  readonly title?: string;
  readonly category?: string;
  readonly enablement?: string;
}
export interface Setting {
  readonly type: string | readonly string[];
  readonly scope?: string;
  readonly default?: unknown;
  readonly markdownDescription?: string;
  readonly markdownDeprecationMessage?: string;
  readonly enum?: readonly string[];
}
interface MenuItem {
  readonly command?: string;
  readonly when?: string;
}
interface View {
  readonly id: string;
  readonly when?: string;
}
interface Walkthrough {
  readonly id: string;
  readonly steps: readonly {
    readonly id: string;
    readonly description: string;
    readonly media: { readonly svg: string };
    readonly completionEvents: readonly string[];
  }[];
}
interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly engines: { readonly vscode: string };
  readonly dependencies?: object;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly activationEvents?: readonly string[];
  readonly enabledApiProposals?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly languageModelTools: readonly { readonly name: string; readonly icon: string }[];
    readonly commands: readonly Command[];
    readonly keybindings: readonly { readonly when?: string }[];
    readonly viewsContainers: Readonly<Record<string, readonly { id: string; icon: string }[]>>;
    readonly views: Readonly<Record<string, readonly View[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string }[];
    readonly walkthroughs: readonly Walkthrough[];
    readonly notebooks: readonly { readonly type: string }[];
    readonly languages: readonly { readonly id: string }[];
    readonly notebookRenderer: readonly { readonly id: string; readonly mimeTypes: readonly string[] }[];
    readonly menus?: Readonly<Record<string, readonly MenuItem[]>>;
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

const text = readFileSync(join(root, "package.json"), "utf8");
export const manifest = JSON.parse(text) as Manifest;
export const { contributes } = manifest;
const properties = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));
/** The settings, by id. */
export const declared: Readonly<Record<string, Setting>> = Object.fromEntries(
  properties.filter(([, setting]) => setting.markdownDeprecationMessage === undefined),
);
/** The settings under their former names, which are declared so that VS Code applies their scope. */
export const deprecated: Readonly<Record<string, Setting>> = Object.fromEntries(
  properties.filter(([, setting]) => setting.markdownDeprecationMessage !== undefined),
);

/** The domains that have commands or settings, by the folder in src, with their titles. */
export const domains: Readonly<Record<string, string>> = {
  account: "Account",
  changes: "Changes",
  chat: "Chat",
  completions: "Completions",
  connection: "Connection",
  editor: "Editor",
  images: "Images",
  languageModels: "Language Models",
  rpc: "RPC",
  sandbox: "Sandbox",
  speech: "Speech",
  gateway: "Gateway",
  tools: "Tools",
  requests: "Requests",
  wallet: "Wallet",
  web: "Web",
};

/** The domain of `inference.<domain>.<name>`. */
export function domainOf(id: string): string {
  const [, domain = "", name = "", ...more] = id.split(".");
  assert.match(name, /^[a-z][A-Za-z]*$/, id);
  assert.deepEqual(more, [], id);
  assert.ok(id.startsWith("inference.") && domains[domain] !== undefined, `${id} has no domain`);
  return domain;
}

/** The name in ids.ts of `inference.<domain>.<name>`: `domainName`. */
export function keyOf(id: string): string {
  const [, domain = "", name = ""] = id.split(".");
  return domain + name.charAt(0).toUpperCase() + name.slice(1);
}
export const declaredViews = Object.values(contributes.views).flat();
export const menuItems = Object.values(contributes.menus ?? {}).flat();

export function assertSame(actual: readonly string[], expected: readonly string[]): void {
  assert.deepEqual([...actual].sort(), [...expected].sort());
}
