import * as vscode from "vscode";
import { agentFile } from "../../../../changes/engine/files/changeablePlace.ts";
import { questionAbout } from "../../../../changes/engine/files/fileRisk.ts";
import { inFormOf, mostTextBytes, replaceText } from "../../../../changes/engine/files/replaceText.ts";
import { isNotebookPath } from "../../../../changes/engine/notebooks/notebookText.ts";
import type { AgentWriter, FileChange, WriteOptions } from "../../../../changes/engine/pendingChanges.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import type { SerialQueue } from "../../../../shared/serialQueue.ts";
import { encodingOf } from "../../../../tools/files/textSearch.ts";
import type { SubagentTree } from "./subagentTree.ts";

/** Files that one subagent may change. */
export const mostChanged = 500;

/**
 * Changes the files of a subagent and nothing else. What an agent may not write in the workspace, or not without a question,
 * is refused here already: nobody is asked for a subagent.
 */
export class TreeWriter implements AgentWriter {
  readonly #tree: SubagentTree;
  readonly #folder: vscode.Uri;
  readonly #order: SerialQueue;

  /** `order`: no change is made while a command of the subagent runs. */
  constructor(tree: SubagentTree, folder: vscode.Uri, order: SerialQueue) {
    this.#tree = tree;
    this.#folder = folder;
    this.#order = order;
  }

  edit(
    path: string,
    change: Parameters<AgentWriter["edit"]>[1],
    signal: AbortSignal,
    options?: WriteOptions,
  ): Promise<FileChange> {
    return this.#inTurn(signal, async () => {
      const { uri, name } = await this.#checked(path);
      const before = await this.#tree.textOf(name);
      const after = typeof change === "function" ? change(before) : replaceText(name, before, change);
      return this.#put({ uri, name }, before, after, options);
    });
  }

  write(path: string, text: string, signal: AbortSignal, options?: WriteOptions): Promise<FileChange> {
    return this.#inTurn(signal, async () => {
      const { uri, name } = await this.#checked(path);
      this.#refuseFolders(name);
      const before = this.#tree.paths.has(name) ? await this.#tree.textOf(name) : undefined;
      return this.#put({ uri, name }, before, inFormOf(before, text), options);
    });
  }

  async editCells(path: string): Promise<never> {
    throw ofAgent(path, "A notebook");
  }

  move(from: string, to: string, signal: AbortSignal): Promise<readonly FileChange[]> {
    return this.#inTurn(signal, async () => {
      const [source, target] = [await this.#checked(from), await this.#checked(to)];
      if (!this.#tree.paths.has(source.name)) throw new Refusal(`There is no file ${from}.`);
      if (this.#tree.paths.has(target.name)) throw new Refusal(`${to} exists, so ${from} was not moved.`);
      this.#refuseFolders(target.name);
      await this.#tree.move(source.name, target.name);
      const content = nameOfText(source.name);
      return [
        { uri: source.uri.toString(), before: content, after: null },
        { uri: target.uri.toString(), before: null, after: content },
      ];
    });
  }

  remove(path: string, signal: AbortSignal): Promise<FileChange> {
    return this.#inTurn(signal, async () => {
      const { uri, name } = await this.#checked(path);
      if (!this.#tree.paths.has(name)) throw new Refusal(`There is no file ${path}.`);
      const before = nameOfText(await this.#tree.textOf(name));
      await this.#tree.remove(name);
      return { uri: uri.toString(), before, after: null };
    });
  }

  #inTurn<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    return this.#order.run(() => {
      signal.throwIfAborted();
      return work();
    });
  }

  async #checked(path: string): Promise<{ readonly uri: vscode.Uri; readonly name: string }> {
    const uri = await agentFile(path);
    const name = await this.#tree.nameOf(path);
    if (questionAbout(name) !== undefined) throw ofAgent(path, "A file that says what programs run");
    if (isNotebookPath(name)) throw ofAgent(path, "A notebook");
    if (this.#tree.changes().length >= mostChanged)
      throw new Refusal(
        `${path} was not changed: a subagent changes at most ${mostChanged} files. End with an answer that says what is left.`,
      );
    return { uri, name };
  }

  /** A file has no files below it, and a folder is no file. */
  #refuseFolders(name: string): void {
    const parts = name.split("/");
    const above = parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
    const isBelowFile = above.some((one) => this.#tree.paths.has(one));
    const isFolder = [...this.#tree.paths].some((one) => one.startsWith(`${name}/`));
    if (isBelowFile || isFolder)
      throw new Refusal(`${name} was not written, because a ${isFolder ? "folder" : "file"} is there.`);
  }

  async #put(
    { uri, name }: { readonly uri: vscode.Uri; readonly name: string },
    before: string | undefined,
    after: string,
    { known, onWritten }: WriteOptions = {},
  ): Promise<FileChange> {
    const length = Buffer.byteLength(after);
    if (length > mostTextBytes)
      throw new Refusal(
        `${name} was not changed: it would have ${length} bytes, and the limit is ${mostTextBytes}.`,
      );
    if (before !== after) {
      await this.#tree.put(name, after, await this.#searchedBytes(after));
      onWritten?.({ uri, path: name, before, after });
    }
    known?.add(after);
    return {
      uri: uri.toString(),
      before: before === undefined ? null : nameOfText(before),
      after: nameOfText(after),
    };
  }

  /** The search reads the files in the encoding of the folder. */
  async #searchedBytes(text: string): Promise<Uint8Array> {
    if (encodingOf({ uri: this.#folder }) === undefined) return new TextEncoder().encode(text);
    const encoding = vscode.workspace.getConfiguration("files", this.#folder).get("encoding", "utf8");
    return vscode.workspace.encode(text, { encoding });
  }
}

function ofAgent(path: string, what: string): Refusal {
  return new Refusal(
    `${path} was not changed. ${what} is changed only by the agent itself, because the user may have to be asked: write in your answer what is to be changed there.`,
  );
}

function nameOfText(text: string): string {
  return sha256(Buffer.from(text));
}
