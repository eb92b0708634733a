import { type FSWatcher, watch } from "node:fs";
import { makeFolderNow } from "../../../platform/files/privateFiles.ts";

/** Polling interval in milliseconds, if the system can't watch the folder. */
const pollMs = 2000;

/** Reports which file of a folder may have changed; undefined if the system does not say which. */
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
    // The number of watchers is limited, and some file systems support none.
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
