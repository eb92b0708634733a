/** The first characters of a text that is too long, with a mark that there are more. */
export function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** The first names of a list, and how many more there are. */
export function shortList(names: readonly string[], maxNames: number): string {
  const shown = names.slice(0, maxNames).join(", ");
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} more` : shown;
}
