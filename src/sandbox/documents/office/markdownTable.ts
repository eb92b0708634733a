const maxPaddedCells = 2_000_000;

/** A markdown table with the first row as its header. Empty if all cells are. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell !== ""));
  const width = Math.max(0, ...filled.map((row) => row.length));
  if (width === 0) return "";
  // One long row does not multiply the others.
  const padded = filled.length * width > maxPaddedCells ? 0 : width;
  const lines = filled.map((row) => {
    const cells = Array.from({ length: Math.max(padded, row.length) }, (_, index) =>
      (row[index] ?? "").replaceAll("|", "\\|"),
    );
    return `| ${cells.join(" | ")} |`;
  });
  const rule = `| ${Array.from({ length: width }, () => "---").join(" | ")} |`;
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}
