import { type FSWatcher, watch } from "node:fs";
import { makeFolderNow } from "../../../platform/privateFiles.ts";

/** Milliseconds between two looks where the system can't tell of changes. */
const pollMs = 2000;

/** Tells which file of a folder may have changed; undefined where the system does not say which. */
export function watchFolder(
  directory: string,
  onChange: (name: string | undefined) => void,
): { close(): void } {
  let poll: NodeJS.Timeout | undefined;
  const fallBack = () => {
    poll ??= setInterval(() => onChange(undefined), pollMs).unref();
  };
  let watcher: FSWatcher | undefined;
  try {
    makeFolderNow(directory);
    watcher = watch(directory, { persistent: false }, (_, name) => onChange(name ?? undefined));
    // Watches are scarce on some systems, and not to be had on some disks.
    watcher.on("error", fallBack);
  } catch {
    fallBack();
  }
  return {
    close() {
      watcher?.close();
      clearInterval(poll);
    },
  };
}
