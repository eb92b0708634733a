import * as vscode from "vscode";
import { languages, notebooks } from "../../shared/ids.ts";
import { localNetwork, networks } from "../../shared/rpc/networks.ts";
import type { AbiFiles } from "./abiFiles.ts";
import { networksInHead } from "./file/frontMatter.ts";
import { declarationsOf, isAbiPath } from "./language/declarations.ts";
import { type Cell, parseCell } from "./language/parseCell.ts";
import type { Project } from "./language/project.ts";
import { headOf, readCellMetadata } from "./serializer.ts";

/** A notebook with the cells that its project has, in the same order. */
export interface OpenProject {
  readonly notebook: vscode.NotebookDocument;
  readonly cells: readonly vscode.NotebookCell[];
  readonly project: Project;
}

/** What notebooks say, as the language sees it. */
export interface Projects {
  of(notebook: vscode.NotebookDocument): OpenProject;
  /** The notebook of a cell's document, and the cell's place in its project. */
  at(document: vscode.TextDocument): (OpenProject & { readonly index: number }) | undefined;
  /** The networks that can be asked; those of the service once it was heard. */
  offered: readonly string[];
  /** Resolves when the files that a notebook names are read. */
  settled(notebook: vscode.NotebookDocument): Promise<unknown>;
  /** Fires when such a file was read, or has changed. */
  readonly onDidChangeFiles: vscode.Event<void>;
}

interface Parsed {
  readonly version: number;
  readonly cell: Cell;
}

export function createProjects(abiFiles: AbiFiles): Projects {
  const parsed = new WeakMap<vscode.TextDocument, Parsed>();
  const cellOf = (document: vscode.TextDocument): Cell => {
    const known = parsed.get(document);
    if (known?.version === document.version) return known.cell;
    const cell = parseCell(document.getText(), known?.cell);
    parsed.set(document, { version: document.version, cell });
    return cell;
  };
  const pathsIn = (notebook: vscode.NotebookDocument) =>
    notebook
      .getCells()
      .filter(isRequestCell)
      .flatMap(({ document }) => declarationsOf(cellOf(document)))
      .filter(isAbiPath);
  const projects: Projects = {
    onDidChangeFiles: abiFiles.onDidChange,
    async settled(notebook) {
      abiFiles.of(notebook, pathsIn(notebook));
      await abiFiles.settled();
    },
    offered: [...networks.map(({ slug }) => slug), localNetwork],
    of(notebook) {
      const cells = notebook.getCells().filter(isRequestCell);
      const project: Project = {
        networks: networksInHead(headOf(notebook.metadata)),
        offered: projects.offered,
        abiFiles: abiFiles.of(notebook, pathsIn(notebook)),
        cells: cells.map(({ document, metadata }) => ({
          key: document.uri.toString(),
          cell: cellOf(document),
          facts: readCellMetadata(metadata).facts,
        })),
      };
      return { notebook, cells, project };
    },
    at(document) {
      for (const notebook of vscode.workspace.notebookDocuments) {
        if (notebook.notebookType !== notebooks.rpc) continue;
        if (!notebook.getCells().some((cell) => cell.document === document)) continue;
        const open = projects.of(notebook);
        const index = open.cells.findIndex((cell) => cell.document === document);
        return index < 0 ? undefined : { ...open, index };
      }
      return undefined;
    },
  };
  return projects;
}

export function isRequestCell({ kind, document }: vscode.NotebookCell): boolean {
  return kind === vscode.NotebookCellKind.Code && document.languageId === languages.rpc;
}
