import { arch, platform } from "node:os";
import { basename, join } from "node:path";
import * as vscode from "vscode";
import type { LazyChanges } from "../../../changes/engine/lazyChanges.ts";
import { readFolder, statFile } from "../../../platform/editor/fileReads.ts";
import { activeGitApi } from "../../../platform/editor/git/gitApi.ts";
import { readGitBranch } from "../../../platform/editor/git/gitBranch.ts";
import { workspacePath } from "../../../platform/editor/workspaceUri.ts";
import { readHomeInstructions } from "../../../platform/settings.ts";
import { settings } from "../../../shared/names/ids.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { localZone, zonedText } from "../../../shared/time/zonedTime.ts";
import { checkedUri, editorFiles } from "../../../tools/files/editorFiles.ts";
import type { HomeFiles } from "../../../tools/files/homeFiles.ts";
import type { AppliedFile, PromptSource } from "./chatPrompt.ts";
import type { FolderNames, MachineFacts, WindowFacts } from "./environment.ts";
import {
  type Guidance,
  type GuidanceReader,
  type HomeGuidance,
  noGuidance,
  readGuidance,
  readNested,
} from "./guidance.ts";
import { homeLayout, homePrefix, isHomePath } from "./homeGuidance.ts";

const maxInstructionBytes = 1_000_000;
/** Workspace folders whose files are read, and folders of the tree. */
const maxFolders = 5;
const maxTreeFolders = 40;
/** The question waits for the tree, and a file system may be slow. */
const treeMs = 2_000;

/** Patterns of the files with guidance. */
const guidancePatterns = [
  "**/{AGENTS,CLAUDE,CLAUDE.local}.md",
  ".github/{copilot-instructions.md,instructions/*.md,agents/*.md,chatmodes/*.md,prompts/*.md,skills/*/SKILL.md}",
  "{.agents,.claude}/skills/*/SKILL.md",
];

/** The user's home folder. */
export interface PromptHome {
  readonly files: HomeFiles;
  /** The folder in which the editor keeps what belongs to the user: prompts are in one below it. */
  readonly editorFolder: string;
}

/** Reads the parts of the prompt that describe this window, its workspace and the user. */
export function createEditorPrompt(changes: LazyChanges, home?: PromptHome): PromptSource {
  const reader = createReader(changes);
  const own = home && createHome(changes, home);
  let last = noGuidance;
  return {
    get machine() {
      return readMachine();
    },
    facts: readFacts,
    tree: readTree,
    async guidance() {
      // The user's own files are not of the workspace, so they need no trust in it.
      const folders = vscode.workspace.isTrusted ? prefixes() : [];
      last = await readGuidance(reader, folders, readHomeInstructions() ? own : undefined);
      return last;
    },
    instructionsFor: async (path) => instructionsFor(reader, last, path).catch(() => []),
    onDidChange(listener) {
      const watchers = guidancePatterns.map((pattern) => vscode.workspace.createFileSystemWatcher(pattern));
      return vscode.Disposable.from(
        ...watchers.flatMap((watcher) => [
          watcher,
          watcher.onDidChange(listener),
          watcher.onDidCreate(listener),
          watcher.onDidDelete(listener),
        ]),
        vscode.workspace.onDidGrantWorkspaceTrust(listener),
        vscode.workspace.onDidChangeWorkspaceFolders(listener),
        vscode.workspace.onDidChangeConfiguration((event) => {
          if (event.affectsConfiguration(settings.chatHomeInstructions)) listener();
        }),
      );
    },
  };
}

function createHome(changes: LazyChanges, { files, editorFolder }: PromptHome): HomeGuidance {
  const prompts = files.nameOf(join(editorFolder, "prompts"))?.slice(homePrefix.length);
  return {
    layout: homeLayout(prompts),
    reader: {
      async read(path) {
        const place = await files.place(path);
        if (place === undefined) return undefined;
        // The workspace may be the folder of these files, such as one with the user's settings.
        const original = await acceptedBytes(changes, vscode.Uri.file(place));
        return original ? textOf(original.bytes) : files.readText(path, maxInstructionBytes);
      },
      list: async (path) => (await files.list(path)) ?? [],
    },
  };
}

/** The bytes that the user has accepted, if changes of an agent are pending in a file; undefined if none are. */
async function acceptedBytes(changes: LazyChanges, uri: vscode.Uri) {
  const pending = await changes.load();
  return pending.fileOf(uri) ? { bytes: await pending.originalOf(uri) } : undefined;
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder().decode(bytes);
}

function prefixes(): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? []).slice(0, maxFolders);
  return folders.map((folder) => workspacePath(folder, ""));
}

/**
 * Without pending hunks: a file that told the agent to write its own instructions would else give it orders before the user
 * has accepted them.
 */
function createReader(changes: LazyChanges): GuidanceReader {
  return {
    async read(path) {
      const uri = await checkedUri(path);
      const original = await acceptedBytes(changes, uri);
      if (original) return textOf(original.bytes);
      const found = await statFile(uri).then(undefined, () => undefined);
      if (!found || (found.type & vscode.FileType.File) === 0) return undefined;
      return editorFiles.readText(path, maxInstructionBytes);
    },
    async list(path) {
      const all = await readFolder(await checkedUri(path)).then(undefined, () => []);
      return all.map(([name, type]) => (type & vscode.FileType.Directory ? `${name}/` : name));
    },
  };
}

async function instructionsFor(
  reader: GuidanceReader,
  { scoped }: Guidance,
  path: string,
): Promise<readonly AppliedFile[]> {
  // A path that leads out of the workspace has none.
  await checkedUri(path);
  const prefix = prefixes().find((one) => path.startsWith(one));
  if (prefix === undefined) return [];
  const nested = vscode.workspace.isTrusted ? await readNested(reader, prefix, path) : [];
  const matching = scoped.filter(
    (file) =>
      (isHomePath(file.path) || file.path.startsWith(prefix)) && file.isFor(path.slice(prefix.length)),
  );
  return [
    ...nested.map(({ path: of, text, folder }) => ({ path: of, text, scope: `the files below ${folder}` })),
    ...matching.map(({ path: of, text, pattern }) => ({ path: of, text, scope: `files like ${pattern}` })),
  ];
}

const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: "macOS",
  linux: "Linux",
  win32: "Windows",
};

function readMachine(): MachineFacts {
  const folders = (vscode.workspace.workspaceFolders ?? []).slice(0, maxFolders);
  return {
    folders: folders.map(({ uri }) => (uri.scheme === "file" ? uri.fsPath : uri.toString())),
    system: `${systems[platform()] ?? platform()} ${arch()}`,
    shell: platform() === "win32" ? basename(process.env.ComSpec ?? "cmd.exe") : "/bin/sh",
    editor: vscode.env.appName,
  };
}

async function readFacts(): Promise<WindowFacts> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const active = vscode.window.activeTextEditor;
  const activePath = active && pathOf(active.document.uri);
  const open = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? (pathOf(input.uri) ?? []) : [])),
  );
  const unsaved = vscode.workspace.textDocuments
    .filter(({ isDirty }) => isDirty)
    .flatMap(({ uri }) => pathOf(uri) ?? []);
  return {
    date: zonedText(Date.now(), localZone()).slice(0, 10),
    ...(folder ? await gitFacts(folder.uri) : {}),
    ...(activePath === undefined ? {} : { activeFile: { path: activePath, ...selectedLines(active) } }),
    openFiles: [...new Set(open)].sort(),
    unsavedFiles: [...new Set(unsaved)].sort(),
  };
}

/** The state of the repository as the git extension knows it; without it the branch alone. */
async function gitFacts(
  uri: vscode.Uri,
): Promise<Pick<WindowFacts, "branch" | "ahead" | "behind" | "changes">> {
  if (uri.scheme !== "file") return {};
  const branch = await readGitBranch(uri.fsPath).catch(() => undefined);
  if (branch === undefined) return {};
  const repositories = activeGitApi()?.repositories ?? [];
  const repository = repositories
    .filter(({ rootUri }) => uri.path === rootUri.path || uri.path.startsWith(`${rootUri.path}/`))
    .sort((a, b) => b.rootUri.path.length - a.rootUri.path.length)[0];
  if (!repository) return { branch };
  const { HEAD, indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
  const changed = [...indexChanges, ...workingTreeChanges, ...untrackedChanges].map(uriOfChange);
  return {
    branch,
    changes: new Set(changed).size,
    ...(HEAD?.ahead === undefined ? {} : { ahead: HEAD.ahead }),
    ...(HEAD?.behind === undefined ? {} : { behind: HEAD.behind }),
  };
}

function uriOfChange(change: unknown): string {
  const isNamed = typeof change === "object" && change !== null && "uri" in change;
  return isNamed ? String(change.uri) : "";
}

/** Lines from 1; 0 without a selection. */
function selectedLines(editor: vscode.TextEditor | undefined): { firstLine: number; lastLine: number } {
  const selection = editor?.selection;
  if (!selection || selection.isEmpty) return { firstLine: 0, lastLine: 0 };
  return { firstLine: selection.start.line + 1, lastLine: selection.end.line + 1 };
}

/** As the tools name it; undefined outside of the workspace and for a file of secrets. */
function pathOf(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder || uri.scheme !== folder.uri.scheme || looksSecret(uri.path)) return undefined;
  return workspacePath(folder, uri.path.slice(folder.uri.path.length).replace(/^\//, ""));
}

/** The folders of the first level with their names, as far as they are read in time. */
async function readTree(): Promise<readonly FolderNames[]> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), treeMs);
  const found: FolderNames[] = [];
  const read = async () => {
    for (const prefix of prefixes()) {
      const names = await namesIn(prefix.replace(/\/$/, ""));
      found.push({ folder: prefix === "" ? "./" : prefix, names });
      const folders = names.filter((name) => name.endsWith("/")).slice(0, maxTreeFolders);
      for (const folder of folders) {
        if (found.length > maxTreeFolders) return;
        found.push({ folder: `${prefix}${folder}`, names: await namesIn(`${prefix}${folder.slice(0, -1)}`) });
      }
    }
  };
  await Promise.race([read().catch(() => undefined), late]);
  clearTimeout(timer);
  return [...found];
}

/** Folders last, and without files of secrets. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const { names } = await editorFiles.list(folder);
  const shown = names.filter((name) => name !== ".git/" && !looksSecret(name.replace(/\/$/, "")));
  const isFolder = (name: string) => name.endsWith("/");
  return [...shown.filter((name) => !isFolder(name)), ...shown.filter(isFolder)];
}
