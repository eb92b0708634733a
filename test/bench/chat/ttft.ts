// From the first byte of an answer at the socket to its first text in the page: the packed extension in a real
// workbench, its own extension host and its own page, one short question after the other.
import { openWorkbench } from "../../ui/workbench.ts";
import { atMost, type Benchmark, median } from "../figure.ts";
import { startTimedService } from "../timedService.ts";

/** The page's own. */
declare const MutationObserver: new (
  changed: () => void,
) => { observe(target: unknown, what: object): void; disconnect(): void };

const questions = 21;

export const benchmark: Benchmark = {
  name: "ttft",
  needsPackage: true,
  async run() {
    const service = await startTimedService();
    const workbench = await openWorkbench(
      "ttft",
      {},
      { INFERENCE_API_KEY: service.apiKey, INFERENCE_BASE_URL: service.baseUrl },
    );
    try {
      await workbench.openSideBar();
      const chat = workbench.webview();
      const prompt = chat.getByRole("textbox", { name: "Your question" });
      await chat.locator(".picker-button").getByText("Guide").waitFor();
      await chat.locator(".picker-button").click();
      await chat.getByRole("combobox", { name: "Search models" }).fill("echo");
      await chat.getByRole("combobox", { name: "Search models" }).press("Enter");
      await chat.locator(".picker-button").getByText("Echo", { exact: true }).waitFor();
      const ms: number[] = [];
      for (let question = 0; question <= questions; question++) {
        // By its place among all turns: earlier ones are taken out of the page.
        const place = `.answer[aria-posinset="${question * 2 + 2}"]`;
        // Measured in the page, because the driver observes changes with a delay.
        const firstText = chat.locator("body").evaluate(
          (body, answered) =>
            new Promise<number>((resolve) => {
              const observer = new MutationObserver(() => {
                if (!body.querySelector(`${answered} .markdown`)?.textContent) return;
                observer.disconnect();
                resolve(performance.timeOrigin + performance.now());
              });
              observer.observe(body, { childList: true, characterData: true, subtree: true });
            }),
          place,
        );
        await prompt.fill(`Question ${question} of a few words`);
        await prompt.press("Enter");
        const shownAtMs = await firstText;
        await chat.locator(place).locator("footer").waitFor();
        // The first one includes loading.
        if (question > 0) ms.push(shownAtMs - (service.firstBytesAtMs[question] ?? Number.NaN));
      }
      return { ttft: atMost(median(ms), "ms", 60) };
    } finally {
      await workbench.close();
      await service.close();
    }
  },
};
