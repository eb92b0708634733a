// 100 small requests over loopback TLS by each transport, inside the extension host of the newest VS Code.
import { runInHost } from "../vscode/hostRun.ts";
import { type Benchmark, compared, median } from "./figure.ts";
import type { TransportSample } from "./transport/measure.ts";

export const benchmark: Benchmark = {
  name: "transport",
  needsPackage: true,
  async run() {
    const { failed, values } = await runInHost({
      name: "transport",
      files: ["test/bench/transport/inHost.ts"],
    });
    const [failure] = failed;
    if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
    const { host, undici } = values.get("transport") as Record<"host" | "undici", TransportSample[]>;
    const ms = (samples: readonly TransportSample[]) =>
      median(samples.map(({ msPerRequest }) => msPerRequest));
    const connections = (samples: readonly TransportSample[]) =>
      median(samples.map((sample) => sample.connections));
    return {
      "transport.time": compared(ms(host), "ms/request", ms(undici), "the undici transport"),
      "transport.connections": compared(
        connections(host),
        "per 100",
        connections(undici),
        "the undici transport",
      ),
    };
  },
};
