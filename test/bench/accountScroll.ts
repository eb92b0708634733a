// The dashboard's table over 1,000,000 records in the packed extension: its own page, in a real workbench.
import { startSandbox } from "../../src/sandbox/main.ts";
import { openWorkbench } from "../ui/workbench.ts";

/** The page's own. */
declare const PerformanceObserver: new (
  seen: (list: { getEntries(): readonly { readonly duration: number }[] }) => void,
) => { observe(what: object): void; disconnect(): void };
declare const requestAnimationFrame: (draw: () => void) => void;

const count = 1_000_000;
const apiKey = "bench-account-scroll";

export interface Scrolled {
  /** Milliseconds of the longest task of the page while it scrolled. */
  readonly longestTaskMs: number;
  /** Milliseconds from the last letter of a filter until its records are on the screen. */
  readonly filterMs: number;
}

/** Scrolls by screens, by wheel steps and by leaps, as one who looks for something does; then filters. */
export async function scrollRecords(): Promise<Scrolled> {
  const service = await startSandbox({ apiKey, limits: "none", history: { count, days: 20 } });
  const env = { INFERENCE_API_KEY: apiKey, INFERENCE_BASE_URL: service.baseUrl.replace("/api/v1", "") };
  const workbench = await openWorkbench("account-scroll", {}, env);
  try {
    await workbench.openSideBar();
    await workbench.runCommand("Inference: Open Usage Dashboard");
    const page = workbench.webview("tab");
    const found = page.locator(".records header [role=status]");
    await found.getByText("1,000,000 records").waitFor({ timeout: 300_000 });
    await page.locator(".window .row .number").first().waitFor();
    const longestTaskMs = await page.locator(".records .scroller").evaluate(
      (scroller, steps) =>
        new Promise<number>((resolve) => {
          let longest = 0;
          const tasks = new PerformanceObserver((list) => {
            for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
          });
          tasks.observe({ entryTypes: ["longtask"] });
          let step = 0;
          const next = () => {
            if (step === steps) {
              // What the last step began is through a frame later.
              requestAnimationFrame(() =>
                requestAnimationFrame(() => {
                  tasks.disconnect();
                  resolve(longest);
                }),
              );
              return;
            }
            step += 1;
            if (step % 50 === 0) scroller.scrollTop = (scroller.scrollHeight * ((step * 7919) % 997)) / 997;
            else scroller.scrollTop += step % 3 === 0 ? scroller.clientHeight : 120;
            requestAnimationFrame(next);
          };
          next();
        }),
      900,
    );
    await page.getByRole("searchbox", { name: "Filter records" }).fill("thinker-llm-output");
    const startMs = performance.now();
    await found.getByText(/^(?!1,000,000)[\d,]+ records/).waitFor();
    return { longestTaskMs, filterMs: performance.now() - startMs };
  } finally {
    await workbench.close();
    await service.close();
  }
}
