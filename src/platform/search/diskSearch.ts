import { createRipgrep, RipgrepFailed } from "./ripgrep/ripgrep.ts";
import type { SearchEngine } from "./searchEngine.ts";
import { createWalkSearch } from "./walkSearch.ts";

/** The search on this machine: by ripgrep, or without it if it can't be run. */
export function createDiskSearch(findRipgrep: () => Promise<string | undefined>): SearchEngine {
  const walk = createWalkSearch({ files: 200_000, folders: 50_000 });
  let found: Promise<SearchEngine> | undefined;
  const engine = () => {
    found ??= findRipgrep().then((program) => (program === undefined ? walk : createRipgrep(program)));
    return found;
  };
  const run = async <Result>(use: (engine: SearchEngine) => Promise<Result>): Promise<Result> => {
    try {
      return await use(await engine());
    } catch (error) {
      if (!(error instanceof RipgrepFailed)) throw error;
      found = Promise.resolve(walk);
      return use(walk);
    }
  };
  return {
    search: (scope, pattern, signal) => run((one) => one.search(scope, pattern, signal)),
    searchText: (text, pattern, signal) => run((one) => one.searchText(text, pattern, signal)),
    list: (scope, maxFiles, signal) => run((one) => one.list(scope, maxFiles, signal)),
  };
}
