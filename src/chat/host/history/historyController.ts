import type { HistoryNews, HistoryRequest, HistoryRow } from "../../protocol/chatHistory.ts";
import { createLibrary, type Library } from "./library.ts";
import type { LogState } from "./log/logState.ts";
import { marksIn } from "./search/snippet.ts";
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
  const views = createListViews();
  let library: Library | undefined;
  let isComplete = false;
  const openLibrary = async (): Promise<Library> => {
    if (!library) {
      const { directory, report } = deps;
      library = createLibrary({ directory, onChange: () => views.reportChange(), report });
      const done = () => {
        isComplete = true;
        views.reportChange();
      };
      library.complete.then(done, done);
    }
    await library.listed;
    return library;
  };
  const remove = async (id: string) => {
    // An open log is closed first, because a log in use must not be moved to the trash.
    if (deps.current()?.id === id) await deps.newChat();
    await (await openLibrary()).remove(id);
  };
  return {
    async answer(request, post) {
      switch (request.ask) {
        case "page":
          views.showList(post);
          return post({ ...(await pageOf(await openLibrary(), request, deps.current())), isComplete });
        case "leave":
          return views.hideList(post);
        case "open":
          return deps.open(request.id);
        case "pin":
          return (await openLibrary()).pin(request.id, request.pinned);
        case "rename":
          return (await openLibrary()).rename(request.id, request.title);
        case "remove":
          return remove(request.id);
        case "restore":
          return (await openLibrary()).restore(request.id);
        case "export":
          return deps.exportChat(request.id);
        case "import":
          return deps.importChat();
        default:
      }
    },
    enter: (post) => views.enter(post),
    leave: (post) => views.leave(post),
    show: () => views.show(),
    async read(id) {
      const current = deps.current();
      return current?.id === id ? current : (await openLibrary()).read(id);
    },
    dispose() {
      views.dispose();
      library?.dispose();
    },
  };
}

/** The views of the chat, and those of them that show the list. */
function createListViews() {
  const views = new Set<Post>();
  const lists = new Set<Post>();
  /** The list is shown by the next view. */
  let isPending = false;
  let timer: NodeJS.Timeout | undefined;
  return {
    enter(post: Post): void {
      views.add(post);
      if (isPending) post({ say: "show" });
      isPending = false;
    },
    leave(post: Post): void {
      views.delete(post);
      lists.delete(post);
    },
    show(): void {
      isPending = views.size === 0;
      for (const post of views) post({ say: "show" });
    },
    showList: (post: Post) => void lists.add(post),
    hideList: (post: Post) => void lists.delete(post),
    /** Reports a change of the list, at most once per `reportMs`. */
    reportChange(): void {
      if (lists.size === 0) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const post of lists) post({ say: "changed" });
      }, reportMs);
    },
    dispose(): void {
      clearTimeout(timer);
      lists.clear();
    },
  };
}

type PageRequest = Extract<HistoryRequest, { ask: "page" }>;
type PageNews = Extract<HistoryNews, { say: "page" }>;

async function pageOf(
  library: Library,
  { query, from, count }: PageRequest,
  current: LogState | undefined,
): Promise<Omit<PageNews, "isComplete">> {
  if (current && from === 0) library.touch(current);
  const isSearch = query.trim() !== "";
  const found = isSearch ? library.find(query) : library.list();
  const rows = found.slice(from, from + count).map((summary) => toRow(library, summary, query, current?.id));
  return {
    say: "page",
    query,
    from,
    rows: await Promise.all(rows),
    total: found.length,
    folders: isSearch ? [] : dateFolders(found, Date.now()),
  };
}

async function toRow(
  library: Library,
  summary: Summary,
  query: string,
  currentId: string | undefined,
): Promise<HistoryRow> {
  const { createdAtMs: _, ...shown } = summary;
  const row = { ...shown, isOpen: summary.id === currentId };
  if (query.trim() === "") return row;
  const titleMarks = marksIn(summary.title, query);
  const snippet = await library.snippet(summary.id, query);
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
