import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { PageRequests } from "../../../webview/ui/pageRequests.ts";
import type { HistoryFolder, HistoryNews, HistoryRequest, HistoryRow } from "../../protocol/chatHistory.ts";

/** The page's copy of the list of conversations: their number, and the loaded rows. */
export interface HistoryStore {
  readonly isShown: ReadonlySignal<boolean>;
  readonly list: ReadonlySignal<HistoryList>;
  readonly query: ReadonlySignal<string>;
  /** The last deleted conversation, which can be restored. */
  readonly removed: ReadonlySignal<HistoryRow | undefined>;
  show(): void;
  hide(): void;
  search(query: string): void;
  /** Loads these visible rows. */
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
  /** False before the first response. */
  readonly isThere: boolean;
  readonly isComplete: boolean;
  readonly total: number;
  readonly folders: readonly HistoryFolder[];
  /** By index in the list. */
  readonly rows: ReadonlyMap<number, HistoryRow>;
  /** The query of these rows. */
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
/** Rows per request. */
const pageLength = 40;

export function createHistoryStore(ask: (request: HistoryRequest) => void): HistoryStore {
  const isShown = signal(false);
  const list = signal(nothing);
  const query = signal("");
  const removed = signal<HistoryRow | undefined>(undefined);
  const pages = new PageRequests({
    length: pageLength,
    request: (from, count) => ask({ ask: "page", query: query.value, from, count }),
  });
  const loadStart = () => {
    pages.clear();
    pages.need(0, 1);
  };
  const handle = (news: HistoryNews) => {
    if (news.say === "show") return show();
    if (!isShown.value) return;
    if (news.say === "changed") return pages.renew();
    if (news.query !== query.value) return;
    const { total, folders, isComplete } = news;
    const rows = withPage(news, list.value);
    list.value = { isThere: true, isComplete, total, folders, rows, query: news.query };
  };
  const show = () => {
    batch(() => {
      isShown.value = true;
      query.value = "";
      loadStart();
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
      loadStart();
    },
    need: (from, to) => pages.need(from, Math.max(to, from + 1)),
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

/** Replaces the rows of a page. Rows of the same query stay until theirs arrive, so that nothing flickers. */
function withPage(
  { from, rows, total, query }: Extract<HistoryNews, { say: "page" }>,
  before: HistoryList,
): ReadonlyMap<number, HistoryRow> {
  const ids = new Set(rows.map(({ id }) => id));
  const stored = before.query === query ? [...before.rows] : [];
  const others = stored.filter(([place, { id }]) => place < total && !ids.has(id));
  return new Map([...others, ...rows.map((row, place): [number, HistoryRow] => [from + place, row])]);
}
