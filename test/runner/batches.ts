import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A test file that is run together with others. */
interface BatchedFile {
  /** The name of its suite. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/**
 * Writes modules to a folder that each import `size` test files, each file as its own suite, and returns their paths. `head`
 * is what each begins with. Neighbours, which are alike, go to different batches. Files that were in the folder are removed.
 */
export function writeBatches(
  folder: string,
  files: readonly BatchedFile[],
  size: number,
  head = "",
): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const count = Math.ceil(files.length / size);
  return Array.from({ length: count }, (_, batch) => {
    const suites = files
      .filter((_, index) => index % count === batch)
      .map(({ name, path }) => [name, pathToFileURL(path).href].map((text) => JSON.stringify(text)))
      .map(([name, url]) => `addFile(${name}, () => import(${url}));\n`);
    const path = join(folder, `${batch + 1}.test.mjs`);
    writeFileSync(path, [head, adding, ...suites].join(""));
    return path;
  });
}

/**
 * node:test adds a test to the suite in whose asynchronous context `test()` is called. A module that awaits something while
 * it is loaded continues in the context of the first file that imports it, and so do all that wait for it: their tests would
 * be those of another file, or come after its end. So the files are loaded one after the other, each in the context of its
 * suite, and none runs before all are loaded.
 */
const adding = `import { AsyncResource } from "node:async_hooks";
import { describe } from "node:test";

let former = Promise.resolve();
function addFile(name, load) {
  describe(name, () => {
    const suite = new AsyncResource("TestFile");
    const loading = former.then(() => suite.runInAsyncScope(load));
    former = loading.catch(() => {});
    return loading;
  });
}
`;
