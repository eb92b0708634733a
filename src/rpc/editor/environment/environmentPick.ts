import * as vscode from "vscode";
import { applyOrWarn } from "../../../platform/editor/changeDocument.ts";
import { ask } from "../../../platform/editor/dialogs/ask.ts";
import { variablesUsedIn } from "../../language/assist/references.ts";
import { envFileEnding, isEnvironmentName, newEnvText } from "../../language/environment/envFile.ts";
import {
  directivesOf,
  environmentOfCell,
  environmentsOf,
  namedEnvironment,
  type Project,
  variableOfCell,
} from "../../language/project.ts";
import { targetOf } from "../commands/selectedCell.ts";
import { type Projects, toRange } from "../explorer/projects.ts";
import { environmentOfNotebook, withNotebookEnvironment } from "../serializer.ts";
import { type EnvironmentFiles, environmentFolders } from "./environmentFiles.ts";

/**
 * Chooses the environment. Replaces the one of the cell's @env or of the front matter; otherwise the choice is stored for
 * the workspace.
 */
export async function chooseEnvironment(
  files: EnvironmentFiles,
  projects: Projects,
  target: unknown,
): Promise<void> {
  const found = targetOf(target);
  if (!found) return;
  const { cell, notebook } = found;
  await projects.settled(notebook);
  const { project, cells } = projects.of(notebook);
  const one = cell && project.cells[cells.indexOf(cell)];
  const [directive] = one ? directivesOf(one.cell, "env") : [];
  const inHead = environmentOfNotebook(notebook.metadata) !== undefined;
  const now = environmentOfCell(project, directive ? one : undefined);
  const title = directive ? "Environment of this cell" : "Environment of RPC notebooks";
  const isOptional = !directive && !inHead;
  const picked = await pickEnvironment(environmentsOf(project).offered, now, { title, isOptional });
  if (picked === undefined) return;
  if (picked === create) return createEnvironment(notebook, project);
  const edit = new vscode.WorkspaceEdit();
  if (cell && directive && picked !== none) {
    const { offset, statement } = directive;
    const span = { start: offset + statement.word.start - 1, end: offset + statement.end };
    edit.replace(cell.document.uri, toRange(cell.document, span), `@env ${picked}`);
  } else if (inHead && picked !== none) {
    const metadata = withNotebookEnvironment(notebook.metadata, picked);
    edit.set(notebook.uri, [vscode.NotebookEdit.updateNotebookMetadata(metadata)]);
  } else return files.choose(picked === none ? undefined : picked);
  await applyOrWarn(edit);
}

const none = Symbol("no environment");
const create = Symbol("new environment");

interface Choice extends vscode.QuickPickItem {
  readonly value?: string | typeof none | typeof create;
}

async function pickEnvironment(
  offered: readonly string[],
  now: string | undefined,
  { title, isOptional }: { readonly title: string; readonly isOptional: boolean },
): Promise<Choice["value"]> {
  const known = offered.map(
    (name): Choice => ({
      label: name,
      description: `${name}${envFileEnding}${name === now ? " · current" : ""}`,
      value: name,
    }),
  );
  const without: Choice = { label: "$(circle-slash) No Environment", value: none };
  const line = { label: "", kind: vscode.QuickPickItemKind.Separator };
  const fresh: Choice = {
    label: "$(new-file) New Environment…",
    description: `a file NAME${envFileEnding} beside the notebook`,
    value: create,
  };
  const items: Choice[] = [...known, ...(isOptional && now !== undefined ? [without] : []), line, fresh];
  const placeHolder = now === undefined ? "No environment is chosen" : `Current: ${now}`;
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.value;
}

/** Opens a new file, which the user saves. */
async function createEnvironment(notebook: vscode.NotebookDocument, project: Project): Promise<void> {
  const [folder] = environmentFolders(notebook);
  if (!folder)
    return void vscode.window.showWarningMessage("Save the notebook first. The file is created beside it.");
  const answer = await ask({
    title: "New Environment",
    prompt: `Its variables are in the file NAME${envFileEnding}.`,
    value: missingEnvironment(project) ?? "staging",
    problem: (name) => (isEnvironmentName(name) ? undefined : "Use letters, digits, _ and -."),
  });
  if (typeof answer !== "object") return;
  const uri = vscode.Uri.joinPath(folder, `${answer.value}${envFileEnding}`);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  const document = await vscode.workspace.openTextDocument(isThere ? uri : uri.with({ scheme: "untitled" }));
  const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  if (isThere || document.getText() !== "") return;
  const text = newEnvText(unknownVariables(project));
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
  const end = editor.document.lineAt(text.startsWith("#") ? 1 : 0).range.end;
  editor.selection = new vscode.Selection(end, end);
}

/** An environment that a cell names and that has no file. */
function missingEnvironment(project: Project): string | undefined {
  const { offered } = environmentsOf(project);
  return project.cells
    .flatMap(({ cell }) => namedEnvironment(cell) ?? [])
    .find((name) => !offered.includes(name));
}

/** The names that cells use and that have no value yet. */
function unknownVariables(project: Project): readonly string[] {
  return project.cells.flatMap(({ cell }, index) =>
    variablesUsedIn(cell)
      .variables.map(({ name }) => name)
      .filter((name) => !hasValue(project, index, name)),
  );
}

function hasValue(project: Project, index: number, name: string): boolean {
  const found = variableOfCell(project, index, name);
  return found !== undefined && "variable" in found;
}
