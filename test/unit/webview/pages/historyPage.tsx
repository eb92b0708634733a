// The script of the page in which the list of conversations is tested: its host is the real one, behind `askHost`.
import { render } from "preact";
import { HistoryPanel } from "../../../../src/chat/page/history/HistoryPanel.tsx";
import { createHistoryStore, type HistoryStore } from "../../../../src/chat/page/history/historyStore.ts";
import type { HistoryNews, HistoryRequest } from "../../../../src/chat/protocol/chatHistory.ts";

declare const askHost: (request: HistoryRequest) => void;

const history = createHistoryStore((request) => askHost(request));

function List({ history }: { readonly history: HistoryStore }) {
  return history.isShown.value ? <HistoryPanel history={history} /> : null;
}

const page = {
  start() {
    render(<List history={history} />, document.body);
    history.show();
  },
  hear: (news: HistoryNews) => history.handle(news),
};
export type HistoryPage = typeof page;
Object.assign(window, { historyPage: page });
