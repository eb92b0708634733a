import { similar } from "../../../../shared/text/similar.ts";
import { type TextUse, type VariableUse, variablesUsedIn } from "../../assist/references.ts";
import { envFileEnding } from "../../environment/envFile.ts";
import { useVariable, variablesIn } from "../../environment/environments.ts";
import type { LiteralCell } from "../../parse/literal.ts";
import type { Span } from "../../parse/nodes.ts";
import type { Cell, LinesCell } from "../../parse/parseCell.ts";
import {
  directivesOf,
  environmentOfCell,
  environmentsOf,
  type Project,
  textOf,
  variableOfCell,
} from "../../project.ts";
import { fix, type Problem, problem } from "../problems.ts";

/** The problems of variables and of the file of @env. */
export function diagnoseVariables(project: Project, index: number, cell: Cell): Problem[] {
  const { variables, texts } = variablesUsedIn(cell);
  if (cell.form === "literal") return [...variableProblems(project, index, variables), ...inJson(cell)];
  return [
    ...fileProblems(project, cell),
    ...variableProblems(project, index, variables),
    ...texts.flatMap(inQuotes),
  ];
}

function fileProblems(project: Project, cell: LinesCell): Problem[] {
  const { files, offered } = environmentsOf(project);
  return directivesOf(cell, "env").flatMap(({ offset, statement }) =>
    statement.args.flatMap((arg) => {
      const [name = ""] = textOf(arg);
      const file = files.get(name);
      if (!file || !("problem" in file)) return [];
      const span = { start: offset + arg.start, end: offset + arg.end };
      const fixes = similar(name, offered).map((near) => fix(`Use @env ${near}`, span, near));
      return [problem(span, "environment", file.problem, { fixes })];
    }),
  );
}

/** Problems with fixes, because similar names are looked up among all variables. */
const mostFixed = 20;

function variableProblems(project: Project, index: number, uses: readonly VariableUse[]): Problem[] {
  const problems: Problem[] = [];
  for (const use of uses) {
    const found = use.name === "" ? undefined : variableOfCell(project, index, use.name);
    const used = found && useVariable(found, use.name, use.unit);
    if (!used || !("problem" in used)) continue;
    const { start, unit } = use;
    // A similar name replaces the braces, not the unit behind them.
    const span = { start, end: unit ? use.end - (unit.end - unit.start) : use.end };
    const fixes = problems.length < mostFixed ? fixesFor(project, index, use.name, span) : [];
    problems.push(problem(use, "variable", used.problem, { fixes }));
  }
  return problems;
}

function fixesFor(project: Project, index: number, name: string, span: Span) {
  const environments = environmentsOf(project);
  const environment = environmentOfCell(project, project.cells[index]);
  if (environment === undefined)
    return environments.offered
      .slice(0, 5)
      .map((one) => fix(`Use @env ${one}`, startOfCell, `@env ${one}\n`));
  const known = [...variablesIn(environments, environment).keys()];
  const written = project.cells[index]?.cell.text.slice(span.start, span.end) ?? "";
  const after = written.slice(written.trimEnd().length);
  return similar(name.slice(0, 60), known).map((near) => fix(`Use {{${near}}}`, span, `{{${near}}}${after}`));
}

const startOfCell: Span = { start: 0, end: 0 };

const variable = /\{\{[ \t]*[\w.-]+[ \t]*\}\}/;

/** Texts are sent as they are written. */
function inQuotes({ text, start, end }: TextUse): Problem[] {
  const [found] = variable.exec(text) ?? [];
  if (found === undefined) return [];
  const message = `A text in quotes is sent as written, so ${found} is not replaced`;
  if (found !== text)
    return [problem({ start, end }, "variable", message, { severity: "warning", refuses: false })];
  return [
    problem({ start, end }, "variable", message, { fixes: [fix(`Write ${found}`, { start, end }, found)] }),
  ];
}

/** A variable as a value of JSON. */
const quoted = /"\{\{[ \t]*[\w.-]+[ \t]*\}\}"/;

function inJson({ text, start }: LiteralCell): Problem[] {
  const found = quoted.exec(text.slice(start));
  if (!found) return [];
  const at = start + found.index;
  const message = `JSON-RPC is sent as written, so ${found[0]} is not replaced. Convert the cell to lines to use variables of *${envFileEnding} files`;
  return [problem({ start: at, end: at + found[0].length }, "variable", message)];
}
