// A client that notes how late the parts of an answer of pacedServer.ts are.
import { once } from "node:events";
import { request } from "node:http";
import { monotonicMs } from "./monotonicMs.ts";
import { watchRss } from "./rss.ts";

export type Asked = "paced" | "many";

/** Node's own client, a search for line ends, and JSON.parse. `body` has the word that was asked. */
export function askBare(url: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  return watched(async (report) => {
    const sent = request(url, { method: "POST", headers });
    sent.end(body);
    const [response] = await once(sent, "response");
    let rest = "";
    for await (const bytes of response.setEncoding("utf8")) {
      const lines = (rest + bytes).split("\n");
      rest = lines.pop() ?? "";
      // The first and the last part have no text.
      for (const line of lines)
        if (line.startsWith("data: {")) report(JSON.parse(line.slice(6)).choices[0].delta.content ?? "");
    }
  });
}

/** The delay of each part, the number of parts, and the growth of this process. */
export async function watched(run: (report: (text: string) => void) => Promise<void>) {
  const latencies: number[] = [];
  let characters = 0;
  const rss = watchRss();
  await run((text) => {
    characters += text.length;
    // Parts that arrive together are one.
    for (const time of text.match(/[\d.]+/g) ?? []) latencies.push(monotonicMs() - Number(time));
  });
  return { latencies, parts: characters / "word ".length, megabytes: rss.stop() };
}
