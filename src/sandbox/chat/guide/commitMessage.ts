/** The message of a commit: the files of a diff, with their counts of added and removed lines if there are several. */
export function commitMessage(diff: string): string {
  const files = diff.split(/^(?=diff --git )/m).filter((text) => text.startsWith("diff --git "));
  const lines = files.map((text) => {
    const name = / b\/(.+)$/m.exec(text.split("\n", 1)[0] ?? "")?.[1] ?? "a file";
    const verb = /^new file mode/m.test(text)
      ? "Add"
      : /^deleted file mode/m.test(text)
        ? "Remove"
        : "Change";
    const count = (sign: RegExp) => (text.match(sign) ?? []).length;
    return { verb, name, added: count(/^\+(?!\+\+ )/gm), removed: count(/^-(?!-- )/gm) };
  });
  const [only] = lines;
  if (!only) return "Change nothing";
  if (lines.length === 1) return `${only.verb} ${only.name}`;
  const verb = lines.every((line) => line.verb === only.verb) ? only.verb : "Change";
  const body = lines.map(
    ({ name, added, removed }) =>
      `- ${name}: ${added} ${added === 1 ? "line" : "lines"} more, ${removed} less`,
  );
  return [`${verb} ${lines.length} files`, "", ...body].join("\n");
}
