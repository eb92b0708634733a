import { uploadFromBytes } from "../../../api/upload.ts";
import type { Session } from "../../../session/session.ts";
import { exactJsonText } from "../../../shared/exactJson.ts";
import { urlProblemAt } from "../../../shared/urlProblem.ts";
import type { ServiceActions } from "./builtInTools.ts";
import { ToolRefusal } from "./tool.ts";

const resultsOfSearch = 8;

/** What the active service does for tools. */
export function createServiceActions(session: Pick<Session, "client">): ServiceActions {
  return {
    async search(query, signal) {
      const { api } = await session.client();
      const { results } = await api.augment.search({ query, limit: resultsOfSearch }, { signal });
      if (results.length === 0) return "Nothing was found.";
      return results
        .map(({ title, url, date, content }) => `# ${title}\n${url}${date ? ` (${date})` : ""}\n${content}`)
        .join("\n\n");
    },
    async scrape(url, signal) {
      const { api, root } = await session.client();
      const problem = urlProblemAt(root, url);
      if (problem) throw new ToolRefusal(`Nothing was sent. ${problem.sentence}`);
      return (await api.augment.scrape({ url }, { signal })).content;
    },
    async parse(name, bytes, signal) {
      const { api } = await session.client();
      const file = uploadFromBytes(name, "application/octet-stream", bytes);
      return (await api.augment.parse({ file }, { signal })).text;
    },
    async rpc(network, method, params, signal) {
      const { api } = await session.client();
      const body = { jsonrpc: "2.0" as const, id: 1, method, params: [...params] };
      return exactJsonText(await api.rpc.call({ network, body }, { signal }), 2);
    },
  };
}
