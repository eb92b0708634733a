import type { HistoryNews, HistoryRequest, HistoryRow } from "../../../shared/chatHistory.ts";
import { createLibrary, type Library } from "./library.ts";
import type { LogState } from "./logState.ts";
import { marksIn } from "./snippet.ts";
import type { Summary } from "./summary.ts";

/** Handles the messages of conversation lists. The library is opened by the first one. */
export interface HistoryController {
  answer(request: HistoryRequest, post: Post): Promise<void>;
  /** The view of `post` was opened. */
  enter(post: Post): void;
  /** The view was closed. */
  leave(post: Post): void;
  /** Reveals the list, as soon as its view exists. */
  show(): void;
  /** The conversation from the disk, or from this window if it is open here. */
  read(id: string): Promise<LogState | undefined>;
  dispose(): void;
}

type Post = (news: HistoryNews) => void;

export interface HistoryControllerDeps {
  readonly directory: string;
  /** The conversation that is open in this window. */
  readonly current: () => LogState | undefined;
  readonly open: (id: string) => Promise<void>;
  readonly newChat: () => Promise<void>;
  readonly exportChat: (id: string) => Promise<void>;
  readonly importChat: () => Promise<void>;
  readonly report: (error: unknown) => void;
}

/** Milliseconds between two reports of changes. */
const reportMs = 200;

export function createHistoryController(deps: HistoryControllerDeps): HistoryController {
  const views = new Set<Post>();
  /** The views that show the list. */
  const lists = new Set<Post>();
  let isWanted = false;
  let library: Library | undefined;
  let isComplete = false;
  let timer: NodeJS.Timeout | undefined;

  const reportSoon = () => {
    if (lists.size === 0) return;
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const post of lists) post({ say: "changed" });
    }, reportMs);
  };
  const opened = async (): Promise<Library> => {
    if (!library) {
      library = createLibrary({ directory: deps.directory, onChange: reportSoon, report: deps.report });
      const done = () => {
        isComplete = true;
        reportSoon();
      };
      library.complete.then(done, done);
    }
    await library.listed;
    return library;
  };
  const page = async ({
    query,
    from,
    count,
  }: Extract<HistoryRequest, { ask: "page" }>): Promise<HistoryNews> => {
    const all = await opened();
    const current = deps.current();
    if (current && from === 0) all.touch(current);
    const isSearch = query.trim() !== "";
    const found = isSearch ? all.find(query) : all.list();
    const rows = found.slice(from, from + count).map((summary) => toRow(all, summary, query, current?.id));
    return {
      say: "page",
      query,
      from,
      rows: await Promise.all(rows),
      total: found.length,
      folders: isSearch ? [] : dateFolders(found, Date.now()),
      isComplete,
    };
  };
  const remove = async (id: string) => {
    // An open log is closed first, because a log in use must not be moved to the trash.
    if (deps.current()?.id === id) await deps.newChat();
    await (await opened()).remove(id);
  };
  return {
    async answer(request, post) {
      switch (request.ask) {
        case "page":
          lists.add(post);
          return post(await page(request));
        case "leave":
          return void lists.delete(post);
        case "open":
          return deps.open(request.id);
        case "pin":
          return (await opened()).pin(request.id, request.pinned);
        case "rename":
          return (await opened()).rename(request.id, request.title);
        case "remove":
          return remove(request.id);
        case "restore":
          return (await opened()).restore(request.id);
        case "export":
          return deps.exportChat(request.id);
        case "import":
          return deps.importChat();
        default:
      }
    },
    enter(post) {
      views.add(post);
      if (isWanted) post({ say: "show" });
      isWanted = false;
    },
    leave(post) {
      views.delete(post);
      lists.delete(post);
    },
    show() {
      isWanted = views.size === 0;
      for (const post of views) post({ say: "show" });
    },
    async read(id) {
      const current = deps.current();
      return current?.id === id ? current : (await opened()).read(id);
    },
    dispose() {
      clearTimeout(timer);
      lists.clear();
      library?.dispose();
    },
  };
}

async function toRow(
  all: Library,
  summary: Summary,
  query: string,
  currentId: string | undefined,
): Promise<HistoryRow> {
  const { createdAtMs: _, ...shown } = summary;
  const row = { ...shown, isOpen: summary.id === currentId };
  if (query.trim() === "") return row;
  const titleMarks = marksIn(summary.title, query);
  const snippet = await all.snippet(summary.id, query);
  return { ...row, titleMarks, ...(snippet ? { snippet } : {}) };
}

/** A group of the list under one heading. */
interface DateFolder {
  readonly title: string;
  readonly count: number;
}

const month = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });

/** The headings of a sorted list: pinned, then by the day of the last message in local time. */
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
