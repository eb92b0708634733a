import { Refusal } from "../../../../platform/errors/refusal.ts";
import { type Found, patternOfText, searchLimits } from "../../../../platform/search/searchEngine.ts";
import type { WorkspaceFiles } from "../../../../tools/files/workspaceFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import { foundFilesText, foundText, type OutputMode, outputModes, shownFiles } from "./searchResult.ts";

const description = `Finds the lines that contain a text, whatever its case, in the files of the workspace, unsaved text \
included, as path:line: text with its indentation, those in sources first. With regex, the query is a regular expression. Files that \
.gitignore or the user's settings exclude are not searched, unless path names them or their folder.`;

/** The search in the files of the workspace. */
export function createSearchTool(files: Pick<WorkspaceFiles, "search" | "readText">): ChatTool {
  return {
    ...builtIn("search_workspace", "Search the workspace", "read"),
    description,
    parameters: toolSchema(
      {
        query: { type: "string", minLength: 1, maxLength: 10_000, description: "The text to find." },
        regex: { type: "boolean", description: "The query is a regular expression." },
        case_sensitive: { type: "boolean", description: "The case of letters counts." },
        path: {
          type: "string",
          description: "A folder or a file to search; all of the workspace without it.",
        },
        include: {
          type: "string",
          description: "A glob for the files to search, such as *.ts or src/**/*.py.",
        },
        context: { type: "integer", minimum: 0, maximum: 10, description: "Lines around each." },
        output_mode: { type: "string", enum: outputModes, description: "content without it." },
      },
      ["regex", "case_sensitive", "path", "include", "context", "output_mode"],
    ),
    summary: (input) => `Search the workspace for “${inputText(input, "query")}”`,
    run: (input, signal) => searchFiles(files, input, signal),
  };
}

async function searchFiles(
  files: Pick<WorkspaceFiles, "search" | "readText">,
  input: ToolInput,
  signal: AbortSignal,
): Promise<string> {
  const query = inputText(input, "query");
  const place = { path: inputText(input, "path"), include: inputText(input, "include") };
  const isCaseSensitive = input.case_sensitive === true;
  const show = (found: Found) => shownFound(files, found, input);
  const search = (source: string) => files.search({ pattern: { source, isCaseSensitive }, ...place }, signal);
  if (input.regex === true) {
    const found = await search(query);
    if ("invalid" in found) throw new Refusal(invalidText(query, found.invalid));
    return found.files.length > 0 ? show(found) : nothingText(`No line matches “${query}”`, place, found);
  }
  const found = await search(patternOfText(query));
  const nothing = `Nothing contains “${query}”`;
  if ("invalid" in found) throw new Refusal(invalidText(query, found.invalid));
  if (found.files.length > 0) return show(found);
  if (!looksLikeExpression(query)) return nothingText(nothing, place, found);
  // Models write expressions without saying so, and would take the answer for “there is no such code”.
  const asExpression = await search(query);
  if ("invalid" in asExpression)
    return nothingText(`${nothing} as a text, and it is not a regular expression`, place, found);
  return asExpression.files.length > 0
    ? `${nothing} as a text. As a regular expression it matches:\n${await show(asExpression)}`
    : nothingText(
        `${nothing} as a text, and as a regular expression it matches no line`,
        place,
        asExpression,
      );
}

/** Limit of a file from which lines around the hits are read: that of the search. */
const maxContextBytes = searchLimits.fileBytes;

async function shownFound(
  files: Pick<WorkspaceFiles, "readText">,
  found: Found,
  input: ToolInput,
): Promise<string> {
  const mode = (input.output_mode ?? "content") as OutputMode;
  if (mode !== "content") return foundFilesText(found, mode);
  const context = Number(input.context ?? 0);
  const shown = shownFiles(found, context);
  const texts = new Map<string, readonly string[]>();
  for (const { path, lines } of context === 0 ? [] : shown) {
    const text = lines.length === 0 ? undefined : await files.readText(path, maxContextBytes).catch(() => "");
    if (text !== undefined) texts.set(path, linesIn(text));
  }
  return foundText(found, shown, texts, context);
}

/** Without the end of the last line, which is no line. */
function linesIn(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function looksLikeExpression(query: string): boolean {
  return /[\\^$.|?*+()[\]{}]/.test(query);
}

function invalidText(query: string, reason: string): string {
  return `“${query}” is not a regular expression: ${reason}. Put a \\ before signs that are meant as text, or search without regex.`;
}

function nothingText(
  nothing: string,
  place: { readonly path: string; readonly include: string },
  found: Found,
) {
  const where = [
    ...(place.path === "" ? [] : [`in ${place.path}`]),
    ...(place.include === "" ? [] : [`in the files ${place.include}`]),
  ];
  const rest = foundText(found);
  return [`${[nothing, ...where].join(" ")}.`, ...(rest === "" ? [] : [rest])].join("\n");
}
