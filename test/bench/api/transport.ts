// 100 small requests over loopback TLS by each transport, each in its own extension host of the newest VS Code.
import { runInHost } from "../../vscode/hostRun.ts";
import { type Benchmark, compared, median, paired } from "../figure.ts";
import { type TransportSample, testedTransport } from "./transport/measure.ts";

/** Extension hosts of each transport, in turn. */
const hosts = 3;

export const benchmark: Benchmark = {
  name: "transport",
  needsPackage: true,
  async run() {
    const host: TransportSample[] = [];
    const undici: TransportSample[] = [];
    for (let round = 0; round < hosts; round++) {
      host.push(await sample("host"));
      undici.push(await sample("undici"));
    }
    const figure = (key: keyof TransportSample, unit: string) =>
      compared(
        paired(
          host.map((one) => one[key]),
          undici.map((one) => one[key]),
        ),
        unit,
        "the undici transport",
      );
    return {
      "transport.time": figure("msPerRequest", "ms/request"),
      "transport.connections": figure("connections", "per 100"),
    };
  },
};

/** Medians of the samples in a new extension host. */
async function sample(transport: "host" | "undici"): Promise<TransportSample> {
  const { failed, values } = await runInHost({
    name: "transport",
    files: ["test/bench/api/transport/inHost.ts"],
    env: { [testedTransport]: transport },
  });
  const [failure] = failed;
  if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
  const samples = values.get("transport") as TransportSample[];
  return {
    msPerRequest: median(samples.map(({ msPerRequest }) => msPerRequest)),
    connections: median(samples.map(({ connections }) => connections)),
  };
}
