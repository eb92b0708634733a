import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import {
  ConfigFault,
  type ConfigFormat,
} from "../../../../../src/gateway/programs/configuration/configFormat.ts";
import { programConfigs } from "../../../../../src/gateway/programs/configuration/programConfig.ts";
import { takeBack, writeMembers } from "../../../../../src/gateway/programs/configuration/writtenConfig.ts";

const address = {
  origin: "http://127.0.0.1:8790",
  model: "qwen3-coder:30b",
  tokenFile: "/home/a b/it's/token.txt",
};
const onLinux = { isWindows: false };
const [codex, openCode] = [programConfigs.codex, programConfigs.openCode];
const claude = programConfigs.claudeCode(({ origin, model }) => ({
  ANTHROPIC_BASE_URL: origin,
  ANTHROPIC_MODEL: model,
}));

function write(config: typeof codex, text: string | undefined, model = address.model) {
  return writeMembers(config.format, text, config.members({ ...address, model }, onLinux));
}

const userToml = `# My settings
model = "gpt-5" # the best
approval_policy = "on-request"

[tui]
theme = "dark"   # at night

# Tools of mine
[mcp_servers.docs]
command = "docs"
args = [
  "one", # first
]
`;

test("Codex: members are replaced and added in place, with all else as it was", () => {
  const { text } = write(codex, userToml);
  assert.equal(
    text,
    userToml
      .replace('"gpt-5" # the best', '"qwen3-coder:30b" # the best')
      .replace(
        'approval_policy = "on-request"\n',
        'approval_policy = "on-request"\nmodel_provider = "inference-workbench"\nweb_search = "disabled"\n',
      ) +
      `
[model_providers.inference-workbench]
name = "Inference Workbench"
base_url = "http://127.0.0.1:8790/v1"
wire_api = "responses"

[model_providers.inference-workbench.auth]
command = "/bin/cat"
args = ["/home/a b/it's/token.txt"]
`,
  );
});

const userJson = `{
  // My settings
  "$schema": "https://opencode.ai/config.json",
  "theme": "dark", /* at night */
  "provider": {
    "local": { "npm": "x", "options": {} }, // mine
  },
}
`;

test("OpenCode: members are added below the others, with comments and trailing commas as they were", () => {
  const { text } = write(openCode, userJson);
  assert.equal(
    text,
    `{
  // My settings
  "$schema": "https://opencode.ai/config.json",
  "theme": "dark", /* at night */
  "provider": {
    "local": { "npm": "x", "options": {} }, // mine
    "inference-workbench": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Inference Workbench",
      "options": {
        "baseURL": "http://127.0.0.1:8790/v1",
        "apiKey": "{file:/home/a b/it's/token.txt}"
      },
      "models": {
        "qwen3-coder:30b": {
          "name": "qwen3-coder:30b"
        }
      }
    }
  },
  "model": "inference-workbench/qwen3-coder:30b",
  "small_model": "inference-workbench/qwen3-coder:30b"
}
`,
  );
});

test("Claude Code: a file on one line stays on one line, and a new one is written as people write it", () => {
  assert.equal(
    write(claude, '{"permissions": {"allow": []}, "env": {"A": "1"}}').text,
    '{"permissions": {"allow": []}, "env": {"A": "1", "ANTHROPIC_BASE_URL": "http://127.0.0.1:8790", "ANTHROPIC_MODEL": "qwen3-coder:30b"}, "apiKeyHelper": "/bin/cat \'/home/a b/it\'\\\\\'\'s/token.txt\'"}',
  );
  const { text, written } = write(claude, undefined);
  assert.equal(
    text,
    `{
  "apiKeyHelper": "/bin/cat '/home/a b/it'\\\\''s/token.txt'",
  "env": {
    "ANTHROPIC_BASE_URL": "http://127.0.0.1:8790",
    "ANTHROPIC_MODEL": "qwen3-coder:30b"
  }
}
`,
  );
  assert.equal(takeBack(claude.format, text, written), undefined);
});

const spaces = fc.constantFrom("", " ", "  ");
const name = fc.constantFrom("a", "theme", "model", "x-y", "env", "provider", "small_model", "apiKeyHelper");
const scalar = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
/** A user's JSON with comments, odd spaces, line ends of Windows and a byte order mark. */
const jsonFile = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom("a", "theme", "x-y", "model", "apiKeyHelper"),
      fc.oneof(scalar, fc.array(scalar), fc.dictionary(name, scalar)),
    ),
    fc.option(fc.dictionary(name, fc.string()), { nil: undefined }),
    fc.constantFrom<string | number | undefined>(undefined, 2, 4, "\t"),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "// note\n", "/* note */ "),
    fc.boolean(),
    spaces,
  )
  .map(([members, env, tab, eol, note, hasMark, end]) => {
    const text = JSON.stringify({ ...members, ...(env ? { env, provider: env } : {}) }, undefined, tab);
    const commented = tab === undefined ? text : text.replaceAll("\n", " // note, {\n");
    return (hasMark ? "\uFEFF" : "") + (note + commented + end).replaceAll("\n", eol);
  });

const tomlKey = fc.constantFrom("approval", "model", "model_provider", "sandbox", '"quoted key"');
const tomlValue = fc.oneof(
  fc.string({ unit: "grapheme-ascii" }).map((text) => JSON.stringify(text)),
  fc.integer().map(String),
  fc.constantFrom("true", "'lit'", '"""\nmany\nlines"""', "[\n  1, # one\n  2,\n]", "{ a = 1 }"),
);
const tomlLine = fc
  .tuple(spaces, spaces, fc.constantFrom("", " # note"), tomlValue)
  .map(([before, between, note, value]) => ({ before, text: `${between}=${between}${value}${note}` }));
const tomlTable = fc
  .tuple(fc.constantFrom("tui", "a.b", "model_providers.mine", "model_providers"), fc.array(tomlLine))
  .map(
    ([key, lines]) =>
      `[${key}] # table\n${lines.map(({ before, text }, index) => `${before}k${index} ${text}`).join("\n")}\n`,
  );
const tomlFile = fc
  .tuple(
    fc.dictionary(tomlKey, tomlLine),
    fc.uniqueArray(tomlTable, { selector: (text) => text.split("]")[0] }),
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "# head\n\n"),
    fc.boolean(),
  )
  .map(([top, tables, eol, head, isCut]) => {
    const lines = Object.entries(top).map(([key, { before, text }]) => `${before}${key}${text}`);
    const text = head + [...lines, ...tables].join("\n");
    return (isCut ? text.trimEnd() : text).replaceAll("\r\n", "\n").replaceAll("\n", eol);
  });

const kinds: readonly (readonly [string, typeof codex, fc.Arbitrary<string>, (text: string) => unknown])[] = [
  ["Codex", codex, tomlFile, (text) => parseToml(text)],
  ["OpenCode", openCode, jsonFile, (text) => parseJsonc(text.replace(/^\uFEFF/, ""))],
  ["Claude Code", claude, jsonFile, (text) => parseJsonc(text.replace(/^\uFEFF/, ""))],
];

/** Undefined if the format refuses to change this text, as a member that is a text where a table has to be. */
function orRefused<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigFault) return undefined;
    throw error;
  }
}

for (const [title, config, files, parse] of kinds) {
  test(`${title}: what is written into any file is taken back to the byte, and another parser reads it`, () => {
    let count = 0;
    fc.assert(
      fc.property(files, (text) => {
        const result = orRefused(() => write(config, text));
        if (!result) return;
        count += 1;
        const found = parse(result.text);
        for (const { path, value } of config.members(address, onLinux))
          assert.deepEqual(
            path.reduce<unknown>(
              (inner, key) => (inner as Record<string, unknown> | undefined)?.[key],
              found,
            ),
            value,
          );
        assert.equal(takeBack(config.format, result.text, result.written), text);
      }),
      { numRuns: 500 },
    );
    assert.ok(count > 250, `${count} of 500`);
  });

  test(`${title}: writing twice is writing once, also with another model between`, () => {
    fc.assert(
      fc.property(files, (text) => {
        const first = orRefused(() => write(config, text));
        if (!first) return;
        const clean = takeBack(config.format, first.text, first.written);
        const other = write(config, clean, "other");
        const again = write(config, takeBack(config.format, other.text, other.written));
        assert.equal(again.text, first.text);
        assert.deepEqual(again.written, first.written);
      }),
      { numRuns: 200 },
    );
  });

  test(`${title}: of a file that has changed since, only what was written is taken back`, () => {
    fc.assert(
      fc.property(files, (text) => {
        const first = orRefused(() => write(config, text));
        if (!first) return;
        const added = changed(config.format, first.text);
        const back = takeBack(config.format, added, first.written);
        const read = (file: string) => plain(config.format.read(file.replace(/^\uFEFF/, "")));
        assert.deepEqual(read(back ?? ""), { ...read(text), mine: "kept" });
        assert.ok(parse(back ?? ""));
      }),
      { numRuns: 300 },
    );
  });
}

function changed(format: ConfigFormat, text: string): string {
  const mark = text.startsWith("\uFEFF") ? 1 : 0;
  let result = text;
  for (const { offset, length, text: inserted } of format
    .set(text.slice(mark), ["mine"], "kept")
    .toReversed())
    result = result.slice(0, offset + mark) + inserted + result.slice(offset + mark + length);
  return result;
}

/** Without the prototypes of parsers. */
function plain(value: object): object {
  return JSON.parse(JSON.stringify(value));
}

test("a member that the user has changed since is left as it is", () => {
  const { text, written } = write(codex, userToml);
  const mine = text.replace('"qwen3-coder:30b"', '"mine"').replace("# at night", "# always");
  assert.equal(
    takeBack(codex.format, mine, written),
    userToml.replace('"gpt-5"', '"mine"').replace("# at night", "# always"),
  );
});

test("a file that can't be read is refused with its line", () => {
  const faultOf = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      if (error instanceof ConfigFault) return `${error.line}: ${error.message}`;
    }
    return assert.fail("it was written");
  };
  assert.match(
    faultOf(() => write(codex, 'a = 1\n\nb = "open\n')),
    /^3: is not TOML: /,
  );
  assert.match(
    faultOf(() => write(codex, "a = 1\na = 2\n")),
    /^2: is not TOML: /,
  );
  assert.equal(
    faultOf(() => write(openCode, '{\n "a": 1,\n "b" 2\n}')),
    "3: is not JSON: ColonExpected",
  );
  assert.equal(
    faultOf(() => write(openCode, "[]")),
    "1: is not an object of JSON",
  );
  assert.equal(
    faultOf(() => write(openCode, '{"model":"a",\n"model":"b"}')),
    "2: has “model” twice",
  );
  assert.equal(
    faultOf(() => write(claude, '{\n"env": "x"}')),
    "2: has a “env” that is not an object",
  );
  assert.match(
    faultOf(() => write(codex, "model_providers = { a = {} }\n")),
    /a form that is not changed here/,
  );
  assert.match(
    faultOf(() => write(codex, 'model_providers.inference-workbench.name = "x"\n')),
    /a form that is not changed here/,
  );
  assert.match(
    faultOf(() => write(openCode, "[".repeat(200_000))),
    /nested too deeply|not JSON/,
  );
  assert.match(
    faultOf(() => write(codex, `a = ${"[".repeat(200_000)}`)),
    /nested too deeply|not TOML/,
  );
});

test("what “Copy Its Settings” has left there is replaced", () => {
  const copied = '[model_providers.inference-workbench]\nname = "Old"\nenv_key = "INFERENCE_GATEWAY_TOKEN"\n';
  const { text, written } = write(codex, copied);
  assert.ok(!text.includes("env_key"));
  assert.equal(takeBack(codex.format, text, written), copied);
});
