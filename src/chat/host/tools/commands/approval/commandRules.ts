import { looksSecret } from "../../../../../shared/secretFiles.ts";
import { type CommandPlace, isReadableName } from "./commandPlace.ts";
import { type ProgramOptions, readOptions } from "./programOptions.ts";

/** Commands that can be allowed with any further words, apart from options that are not named here. */
interface OpenCommand extends ProgramOptions {
  /** Letters of options whose value is any text. */
  readonly texts?: string;
}

/**
 * By the words that stay. Their further words are names, or paths of the workspace, and choose among what the program does
 * anyway. Absent on purpose: interpreters and what runs other programs (`node`, `sh`, `npx`, `npm exec`, `yarn run`, `bun run`,
 * `uv run`, `cargo run`, `go run`, `docker`), tools whose further words are other targets (`make`, `gradle`, `mvn`, `rake`), and
 * what installs, sends or deletes.
 */
const openCommands: Readonly<Record<string, OpenCommand>> = {
  "npm run": { flags: "s", long: "silent if-present" },
  "npm run-script": { flags: "s", long: "silent if-present" },
  "npm test": { flags: "s", long: "silent" },
  "pnpm run": { flags: "s", long: "silent if-present" },
  "pnpm test": { flags: "s", long: "silent" },
  "yarn test": {},
  "bun test": { long: "bail coverage" },
  "deno test": {},
  "deno lint": {},
  "cargo build": {
    flags: "vqr",
    long: "release all-features workspace all-targets verbose quiet locked offline",
  },
  "cargo check": {
    flags: "vq",
    long: "release all-features workspace all-targets tests verbose quiet locked offline",
  },
  "cargo test": {
    flags: "vq",
    valued: "p",
    long: "release all-features workspace all-targets lib bins tests doc no-run verbose quiet locked offline no-fail-fast",
  },
  "cargo clippy": { flags: "vq", long: "release all-features workspace all-targets tests verbose quiet" },
  "cargo fmt": { flags: "vq", long: "check all" },
  "cargo bench": { flags: "vq", long: "no-run verbose quiet" },
  "cargo tree": { flags: "vq" },
  "go build": { flags: "vx" },
  "go test": { flags: "v", long: "" },
  "go vet": {},
  "go list": {},
  "go fmt": {},
  "dotnet build": { long: "no-restore nologo" },
  "dotnet test": { long: "no-restore no-build nologo" },
  "swift build": {},
  "swift test": {},
  "mix test": {},
  "forge build": {},
  "forge test": { flags: "v" },
  "dart test": {},
  "dart analyze": {},
  "flutter test": {},
  "flutter analyze": {},
  "zig test": {},
  pytest: { flags: "xvqs", valued: "k", long: "lf ff verbose quiet" },
  "python -m pytest": { flags: "xvqs", valued: "k", long: "lf ff verbose quiet" },
  "python3 -m pytest": { flags: "xvqs", valued: "k", long: "lf ff verbose quiet" },
  "ruff check": { flags: "q", long: "fix quiet no-cache" },
  "ruff format": { flags: "q", long: "check diff quiet" },
  mypy: { long: "strict pretty" },
  black: { flags: "q", long: "check diff quiet" },
  rspec: {},
  phpunit: {},
  eslint: { long: "fix quiet" },
  prettier: { flags: "cw", long: "check write list-different" },
  tsc: { valued: "p", long: "noEmit pretty" },
  jest: { flags: "i", valued: "t", long: "runInBand verbose coverage" },
  "vitest run": { valued: "t", long: "coverage" },
  "biome check": { long: "write" },
  "biome lint": { long: "write" },
  "biome format": { long: "write" },
  "git add": { flags: "Auv", long: "all update verbose" },
  "git commit": { flags: "aqv", texts: "m", long: "all quiet verbose message=" },
};
const longestOpen = 3;

/** `npm run *`: the rule that covers a command together with others like it; undefined if none does. */
export function ruleOf(place: CommandPlace, words: readonly string[]): string | undefined {
  for (let count = Math.min(longestOpen, words.length); count > 0; count--) {
    const start = words.slice(0, count).join(" ");
    // Words with blanks are no names of commands.
    if (!Object.hasOwn(openCommands, start) || words.slice(0, count).some((word) => word.includes(" ")))
      continue;
    const rule = openCommands[start];
    return rule && isHarmless(place, rule, words.slice(count)) ? `${start} *` : undefined;
  }
  return undefined;
}

function isHarmless(place: CommandPlace, rule: OpenCommand, words: readonly string[]): boolean {
  const { texts = "", valued = "" } = rule;
  const read = readOptions({ ...rule, valued: `${valued}${texts}` }, words);
  if (!read) return false;
  const isText = (option: string) => texts.includes(option.slice(1));
  return (
    read.operands.every((word) => isPlainWord(place, word)) &&
    read.values.every(
      ({ option, text }) => !text.startsWith("-") && (isText(option) || isPlainWord(place, text)),
    )
  );
}

/** No option of another form (`+x`, `@file`, `NAME=value`), no address, and nothing outside of the workspace. */
function isPlainWord(place: CommandPlace, word: string): boolean {
  if (/^[-+@~]|=|:\/\//.test(word) || looksSecret(word)) return false;
  return isReadableName(place, word.replace(/::.*$/, "") || word);
}
