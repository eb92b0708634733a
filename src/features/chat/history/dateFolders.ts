import type { Summary } from "./summary.ts";

/** A stretch of the list under one heading. */
export interface DateFolder {
  readonly title: string;
  readonly count: number;
}

const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/** The headings of a list that is in order: pinned, then by the day of the last message in local time. */
export function dateFolders(
  list: readonly Pick<Summary, "pinned" | "updatedAtMs">[],
  nowMs: number,
): DateFolder[] {
  const midnight = (daysAgo: number) => {
    const day = new Date(nowMs);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
  };
  const recent = [
    { title: "Today", fromMs: midnight(0) },
    { title: "Yesterday", fromMs: midnight(1) },
    { title: "Last 7 Days", fromMs: midnight(7) },
    { title: "Last 30 Days", fromMs: midnight(30) },
  ];
  const titleOf = ({ pinned, updatedAtMs }: Pick<Summary, "pinned" | "updatedAtMs">) =>
    pinned
      ? "Pinned"
      : (recent.find(({ fromMs }) => updatedAtMs >= fromMs)?.title ?? month.format(new Date(updatedAtMs)));
  const folders: { title: string; count: number }[] = [];
  for (const one of list) {
    const title = titleOf(one);
    const last = folders.at(-1);
    if (last?.title === title) last.count += 1;
    else folders.push({ title, count: 1 });
  }
  return folders;
}
