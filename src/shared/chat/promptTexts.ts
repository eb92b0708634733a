const changed = "Changed since, as the editor tells it (the user did not write this):";
const problems = "Problems after your changes, as the editor tells them (the user did not write this):";
const instructed = "Instructions of the project in ";
const instructedByUser = "Instructions of the user in ";

/** What a request tells of the window since the one before it: a line for each fact that has changed. */
export function changedFactsText(lines: readonly string[]): string {
  return `${changed}\n${lines.join("\n")}`;
}

/** The words before the path of a file with instructions: of the user if it is in the home folder. */
export function instructionsOf(path: string): string {
  return path.startsWith("~/") ? instructedByUser : instructed;
}

/** Parts of the lines in which a request tells the problems that edits have made. */
export function problemsText(parts: readonly string[]): string {
  return `${problems}\n${parts.join("\n")}`;
}

/** The line above the text of a file with instructions. `scope`: `the files below packages/a`. */
export function instructionsHead(path: string, scope: string): string {
  return `${instructionsOf(path)}${path}, for ${scope}:`;
}

/** True for a message that only tells this. The task goes on with the question before it. */
export function isEditorNote(text: string): boolean {
  const starts = [`${changed}\n`, `${problems}\n`, instructed, instructedByUser];
  return starts.some((start) => text.startsWith(start));
}

/** A question without what was told with it. */
export function withoutEditorNote(text: string): string {
  const start = text.indexOf(`\n\n${changed}\n`);
  return start < 0 ? text : text.slice(0, start);
}

/** The beginning of what the chat tells a model in the mode Ask, after the user's own system prompt. */
export const askPromptStart = "You answer in the chat of ";
