// What a user downloads and what an activation loads, in kilobytes of 1,000 bytes.
import { statSync } from "node:fs";
import { join } from "node:path";
import { vsixPath } from "../tools/package.ts";
import { root } from "../tools/paths.ts";
import { atMost, type Benchmark } from "./figure.ts";

export const benchmark: Benchmark = {
  name: "bundle",
  needsPackage: true,
  async run() {
    return {
      "bundle.extension": atMost(kilobytes(join(root, "dist", "extension.js")), "KB", 250),
      "bundle.vsix": atMost(kilobytes(vsixPath()), "KB", 6000),
    };
  },
};

function kilobytes(path: string): number {
  return statSync(path).size / 1000;
}
