// The part of the editor's API that dialogs use, for tests in plain Node: texts are recorded, and nobody answers.
import { registerHooks } from "node:module";
import { after, before, type TestContext } from "node:test";

/** Every text to show, in order. */
export const shown: string[] = [];

export function note(value: unknown): void {
  if (typeof value === "string") shown.push(value);
  else if (Array.isArray(value)) value.forEach(note);
  else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
}

const event = () => ({ dispose() {} });
const noted = async (...reported: readonly unknown[]) => note(reported);

/** Input boxes and quick picks: their properties are recorded. */
function quickInput(): object {
  const input: Record<string, unknown> = { items: [], value: "" };
  for (const name of ["onDidHide", "onDidAccept", "onDidChangeValue", "onDidTriggerButton"])
    input[name] = event;
  input.show = () =>
    note([input.title, input.prompt, input.placeholder, input.items, input.validationMessage]);
  input.dispose = () => {};
  return input;
}

class Uri {
  readonly path: string;
  readonly scheme: string;
  readonly query: string;
  private constructor(path: string, scheme = "file", query = "") {
    this.path = path;
    this.scheme = scheme;
    this.query = query;
  }
  with({ path }: { readonly path: string }): Uri {
    return new Uri(path, this.scheme, this.query);
  }
  toString(): string {
    return `${this.scheme}://${this.path}${this.query && `?${this.query}`}`;
  }
  get fsPath(): string {
    return this.path;
  }
  static parse = (text: string) => new Uri(text.replace(/^file:\/\//, ""));
  static file = (path: string) => new Uri(path);
  static joinPath = ({ path, scheme }: Uri, ...parts: readonly string[]) =>
    new Uri([path, ...parts].join("/"), scheme);
  static from = ({
    path,
    scheme,
    query,
  }: {
    readonly path: string;
    readonly scheme: string;
    readonly query?: string;
  }) => new Uri(path, scheme, query);
}

/** A part of a message to a language model, like the editor's classes. */
function partClass(...members: readonly string[]) {
  return class {
    constructor(...values: readonly unknown[]) {
      members.forEach((member, index) => {
        Object.assign(this, { [member]: values[index] });
      });
    }
  };
}

class LanguageModelError extends Error {
  readonly code: string;
  constructor(message?: string, code = "", cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
  static NoPermissions = (message?: string) => new LanguageModelError(message, "NoPermissions");
  static Blocked = (message?: string) => new LanguageModelError(message, "Blocked");
  static NotFound = (message?: string) => new LanguageModelError(message, "NotFound");
}

class EventEmitter {
  readonly #listeners = new Set<(value: unknown) => unknown>();
  readonly event = (listener: (value: unknown) => unknown) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(value: unknown): void {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

const parts = {
  Uri,
  EventEmitter,
  ThemeIcon: class {},
  ThemeColor: class {},
  Range: partClass("startLine", "startCharacter", "endLine", "endCharacter"),
  Selection: partClass("anchor", "active"),
  EndOfLine: { LF: 1, CRLF: 2 },
  WorkspaceEdit: class {
    readonly replaced: (readonly [uri: unknown, range: unknown, text: string])[] = [];
    replace(...change: readonly [uri: unknown, range: unknown, text: string]): void {
      this.replaced.push(change);
    }
  },
  TabInputText: partClass("uri"),
  ViewColumn: { Beside: -2 },
  OverviewRulerLane: { Left: 1 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  Disposable: {
    from: (...all: readonly { dispose(): unknown }[]) => ({
      dispose: () => void all.map((one) => one.dispose()),
    }),
  },
  QuickInputButtons: { Back: {} },
  QuickPickItemKind: { Separator: -1 },
  ProgressLocation: { Window: 10, Notification: 15 },
  FileType: { File: 1, Directory: 2 },
  ConfigurationTarget: { Global: 1, Workspace: 2 },
  UIKind: { Desktop: 1, Web: 2 },
  env: { uiKind: 1, clipboard: { readText: async () => "", writeText: noted } },
  LanguageModelChatMessageRole: { User: 1, Assistant: 2 },
  LanguageModelChatToolMode: { Auto: 1, Required: 2 },
  LanguageModelTextPart: partClass("value"),
  LanguageModelThinkingPart: partClass("value"),
  LanguageModelDataPart: partClass("data", "mimeType"),
  LanguageModelToolCallPart: partClass("callId", "name", "input"),
  LanguageModelToolResultPart: partClass("callId", "content"),
  LanguageModelPromptTsxPart: partClass("value"),
  LanguageModelToolResult: partClass("content"),
  LanguageModelError,
  CancellationError: class extends Error {},
  MarkdownString: class extends partClass("value") {
    appendCodeblock() {}
    appendText() {}
  },
  window: {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    showWarningMessage: noted,
    showInformationMessage: noted,
    showErrorMessage: noted,
    showQuickPick: noted,
    showSaveDialog: async ({ defaultUri }: { readonly defaultUri?: Uri }) => note(defaultUri?.path),
    withProgress: async ({ title }: { readonly title?: string }, task: () => unknown) => {
      note(title);
      return task();
    },
    createInputBox: quickInput,
    createQuickPick: quickInput,
    tabGroups: { onDidChangeTabs: event },
  },
  workspace: {
    isTrusted: true,
    workspaceFolders: [{ uri: Uri.file("/work"), name: "work" }],
    getWorkspaceFolder: (): unknown => undefined,
    getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
    registerTextDocumentContentProvider: event,
    fs: { stat: () => Promise.reject(new Error("nothing is there")) },
  },
  lm: { tools: [] },
  extensions: {
    getExtension: (_id: string): unknown => undefined,
  },
  commands: {
    executeCommand: async (command: string, ...reported: readonly unknown[]) =>
      command === "vscode.diff" ? note(reported[2]) : undefined,
  },
};

/** The double itself. Its parts can be changed by `replace` only. */
export const double = {
  ...parts,
  window: guarded(parts.window),
  workspace: guarded(parts.workspace),
  extensions: guarded(parts.extensions),
  commands: guarded(parts.commands),
  env: guarded(parts.env),
};

/** The original members with those that tests replace, of each part. */
const replaced = {
  window: layered(parts.window),
  workspace: layered(parts.workspace),
  extensions: layered(parts.extensions),
  commands: layered(parts.commands),
  env: layered(parts.env),
};

/** The newest of the `layers` wins, in whatever order they are removed. */
function layered(part: object) {
  const original = { ...part };
  const layers = new Set<object>();
  const show = () => {
    for (const name of Object.keys(part)) Reflect.deleteProperty(part, name);
    Object.assign(part, original, ...layers);
  };
  return { layers, show };
}

/** Refuses changes: several test files run in one process, so what one of them left behind would reach the next. */
function guarded<Part extends object>(part: Part): Part {
  const refuse = (_: Part, name: string | symbol) => {
    throw new Error(`Change "${String(name)}" of the editor's API by replace().`);
  };
  return new Proxy(part, { set: refuse, defineProperty: refuse, deleteProperty: refuse });
}

/** Replaces members of a part of the API until the test ends; without a test, while the tests of the file run. */
export function replace(
  name: "window" | "workspace" | "extensions" | "commands" | "env",
  members: Readonly<Record<string, unknown>>,
  t?: TestContext,
): void {
  const { layers, show } = replaced[name];
  const apply = () => {
    layers.add(members);
    show();
  };
  const restore = () => {
    layers.delete(members);
    show();
  };
  if (t) {
    apply();
    t.after(restore);
  } else {
    before(apply);
    after(restore);
  }
}

Object.assign(globalThis, { vscodeDouble: double });
const names = Object.keys(double);
const source = names.map((name) => `export const ${name} = globalThis.vscodeDouble.${name};`).join("\n");
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "vscode" && !context.parentURL?.includes("?editorModel")
      ? { url: `data:text/javascript,${encodeURIComponent(source)}`, format: "module", shortCircuit: true }
      : next(specifier, context),
});
