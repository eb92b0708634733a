import { batch, type ReadonlySignal, signal } from "@preact/signals";
import type { HistoryFolder, HistoryNews, HistoryRequest, HistoryRow } from "../../../shared/chatHistory.ts";

/** The list of conversations as the page knows it: how many there are, and those rows that were asked for. */
export interface HistoryStore {
  readonly isShown: ReadonlySignal<boolean>;
  readonly list: ReadonlySignal<HistoryList>;
  readonly query: ReadonlySignal<string>;
  /** What was thrown away last and can be brought back. */
  readonly removed: ReadonlySignal<HistoryRow | undefined>;
  show(): void;
  hide(): void;
  search(query: string): void;
  /** These rows are in sight. */
  need(from: number, to: number): void;
  open(row: HistoryRow): void;
  pin(row: HistoryRow): void;
  rename(row: HistoryRow, title: string): void;
  remove(row: HistoryRow): void;
  undo(): void;
  ask(request: HistoryRequest): void;
  handle(news: HistoryNews): void;
}

export interface HistoryList {
  /** False before the first answer. */
  readonly isThere: boolean;
  readonly isComplete: boolean;
  readonly total: number;
  readonly folders: readonly HistoryFolder[];
  /** By their place in the list. */
  readonly rows: ReadonlyMap<number, HistoryRow>;
  /** The query that found them. */
  readonly query: string;
}

const nothing: HistoryList = {
  isThere: false,
  isComplete: false,
  total: 0,
  folders: [],
  rows: new Map(),
  query: "",
};
/** Rows that are asked for at once. */
const pageLength = 40;

export function createHistoryStore(ask: (request: HistoryRequest) => void): HistoryStore {
  const isShown = signal(false);
  const list = signal(nothing);
  const query = signal("");
  const removed = signal<HistoryRow | undefined>(undefined);
  /** First rows of the pages that are on their way or here. */
  const asked = new Set<number>();
  let inSight: readonly [number, number] = [0, 1];

  const askForPages = (from: number, to: number) => {
    for (let page = Math.floor(from / pageLength) * pageLength; page < to; page += pageLength) {
      if (asked.has(page)) continue;
      asked.add(page);
      ask({ ask: "page", query: query.value, from: page, count: pageLength });
    }
  };
  /** Asks anew for what is in sight; what is there stays until the answer comes. */
  const renew = () => {
    asked.clear();
    askForPages(...inSight);
  };
  const handle = (news: HistoryNews) => {
    if (news.say === "show") return show();
    if (!isShown.value) return;
    if (news.say === "changed") return renew();
    if (news.query !== query.value) return;
    const { total, folders, isComplete } = news;
    const rows = withPage(news, list.value);
    list.value = { isThere: true, isComplete, total, folders, rows, query: news.query };
  };
  const show = () => {
    batch(() => {
      isShown.value = true;
      query.value = "";
      inSight = [0, 1];
      renew();
    });
  };
  const hide = () => {
    if (!isShown.value) return;
    batch(() => {
      isShown.value = false;
      removed.value = undefined;
      list.value = nothing;
    });
    ask({ ask: "leave" });
  };
  return {
    isShown,
    list,
    query,
    removed,
    show,
    hide,
    search(words) {
      query.value = words;
      inSight = [0, 1];
      renew();
    },
    need(from, to) {
      inSight = [from, Math.max(to, from + 1)];
      askForPages(...inSight);
    },
    open({ id }) {
      ask({ ask: "open", id });
      hide();
    },
    pin: ({ id, pinned }) => ask({ ask: "pin", id, pinned: !pinned }),
    rename: ({ id }, title) => ask({ ask: "rename", id, title }),
    remove(row) {
      removed.value = row;
      ask({ ask: "remove", id: row.id });
    },
    undo() {
      if (removed.value) ask({ ask: "restore", id: removed.value.id });
      removed.value = undefined;
    },
    ask,
    handle,
  };
}

/** The rows with those of a page; others of the same query stay until theirs comes, so that nothing in sight flickers. */
function withPage(
  { from, rows, total, query }: Extract<HistoryNews, { say: "page" }>,
  before: HistoryList,
): ReadonlyMap<number, HistoryRow> {
  const ids = new Set(rows.map(({ id }) => id));
  const stored = before.query === query ? [...before.rows] : [];
  const others = stored.filter(([place, { id }]) => place < total && !ids.has(id));
  return new Map([...others, ...rows.map((row, place): [number, HistoryRow] => [from + place, row])]);
}
