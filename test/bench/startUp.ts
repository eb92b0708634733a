// What our module load and activate() cost in the extension host, as the difference to an empty extension.
import { activation } from "./activation.ts";
import { atMost, type Benchmark } from "./figure.ts";

export const benchmark: Benchmark = {
  name: "activation",
  needsPackage: true,
  async run() {
    const { differenceMs, emptyMs } = await activation();
    return { activation: atMost(differenceMs, "ms", 10, emptyMs) };
  },
};
