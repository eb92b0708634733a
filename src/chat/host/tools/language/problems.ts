import * as vscode from "vscode";
import type { BackgroundTabs } from "./backgroundTabs.ts";
import { reportOf } from "./languageServices.ts";
import { bounded, openedUri, shownPlace } from "./shownLines.ts";

/** The problems of all files. */
export function problemsText(): string {
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, problems]) => problems.map((problem) => ({ uri, problem })));
  const listed = bounded(problemLines(all), "The editor shows no errors or warnings.");
  return `${listed}\n(Only files that the language services have looked at, such as open ones, are listed.)`;
}

/** The problems of a file, after the language services have looked at it. */
export async function fileProblemsText(
  path: string,
  tabs: BackgroundTabs,
  signal: AbortSignal,
): Promise<string> {
  const uri = await openedUri(path);
  const { problems, isReported, isServed } = await reportOf(uri, tabs, signal);
  signal.throwIfAborted();
  const lines = problemLines(problems.map((problem) => ({ uri, problem })));
  if (lines.length > 0) return bounded(lines);
  if (isReported) return `The editor shows no errors or warnings of ${path}.`;
  return isServed
    ? `No language service has reported errors or warnings of ${path}. It may not be done, or report nothing about such files: check the file with a command, too.`
    : `No language service of the editor seems to watch ${path}, so nothing is known about its errors. Check it with a command.`;
}

interface FileProblem {
  readonly uri: vscode.Uri;
  readonly problem: vscode.Diagnostic;
}

/** Hints and notes are no problems. */
export function isShownProblem({ severity }: vscode.Diagnostic): boolean {
  return severity <= vscode.DiagnosticSeverity.Warning;
}

/** The errors, then the warnings. */
export function problemLines(all: readonly FileProblem[]): readonly string[] {
  return all
    .filter(({ problem }) => isShownProblem(problem))
    .toSorted((a, b) => a.problem.severity - b.problem.severity)
    .flatMap(({ uri, problem: { range, severity, message } }) => {
      const place = shownPlace(uri, range.start.line);
      return place === undefined ? [] : [`${place}: ${vscode.DiagnosticSeverity[severity]}: ${message}`];
    });
}
