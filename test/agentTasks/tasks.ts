import assert from "node:assert/strict";
import type { Style } from "./styles.ts";
import { type AgentTask, foundIn } from "./task.ts";

/** A test run by Node, whose output is short and names what failed. */
const runTests = "node --test --test-reporter=tap";
const manifest = '{ "name": "example", "type": "module" }\n';

const failingTest: AgentTask = {
  name: "fix a failing test",
  question: "One test fails. Find out why and fix it.",
  files: {
    "package.json": manifest,
    "src/slug.js": [
      "/** A text as a part of an address. */",
      "export function slug(text) {",
      '  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");',
      "}",
      "",
    ].join("\n"),
    "test/slug.test.js": [
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      'import { slug } from "../src/slug.js";',
      "",
      'test("no dash at the ends", () => {',
      '  assert.equal(slug(" Two words! "), "two-words");',
      "});",
      "",
    ].join("\n"),
  },
  rounds: [
    { acts: [{ do: "run", command: runTests }] },
    {
      relies: [/not ok 1 - no dash at the ends/, /-two-words-/, /exit code 1/i],
      acts: [
        { do: "read", path: "src/slug.js" },
        { do: "read", path: "test/slug.test.js" },
      ],
    },
    {
      relies: [/3\s+return text\.toLowerCase/, /slug\(" Two words! "\)/],
      acts: [
        {
          do: "edit",
          path: "src/slug.js",
          edits: [
            {
              from: '  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");',
              to: '  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");',
            },
          ],
        },
        { do: "run", command: runTests },
      ],
    },
    { relies: [/# pass 1\b/, /# fail 0\b/, /exit code 0/i] },
  ],
  check({ onDisk }) {
    assert.match(onDisk("src/slug.js"), /replace\(\/\^-\|-\$\/g, ""\)/);
  },
};

const parts = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];
const renameFiles: AgentTask = {
  name: "rename over nine files",
  question: "Rename parseRange to readRange everywhere.",
  files: {
    "package.json": manifest,
    "src/range.js": 'export function parseRange(text) {\n  return text.split("-").map(Number);\n}\n',
    ...Object.fromEntries(
      parts.map((part) => [
        `src/${part}.js`,
        `import { parseRange } from "./range.js";\n\nexport const ${part} = parseRange("1-2");\nexport const two = () => parseRange("2-3");\n`,
      ]),
    ),
    // What no search should fill its hits with.
    ".gitignore": "dist/\n",
    ...Object.fromEntries(parts.map((part) => [`dist/${part}.js`, "parseRange();\n".repeat(50)])),
  },
  rounds: [
    { acts: [{ do: "search", text: "parseRange" }] },
    {
      relies: [/src\/range\.js/, ...parts.map((part) => new RegExp(`src/${part}\\.js`))],
      refutes: [/dist\//],
      acts: [
        {
          do: "edit",
          path: "src/range.js",
          edits: [{ from: "export function parseRange(text) {", to: "export function readRange(text) {" }],
        },
        ...parts.flatMap((part) =>
          [
            ['import { parseRange } from "./range.js";', 'import { readRange } from "./range.js";'],
            [`export const ${part} = parseRange("1-2");`, `export const ${part} = readRange("1-2");`],
            ['export const two = () => parseRange("2-3");', 'export const two = () => readRange("2-3");'],
          ].map(([from = "", to = ""]) => ({
            do: "edit" as const,
            path: `src/${part}.js`,
            edits: [{ from, to }],
          })),
        ),
        { do: "run", command: "node -e \"import('./src/theta.js').then(({two}) => console.log(two()))\"" },
        { do: "search", text: "parseRange" },
      ],
    },
    { relies: [/\[ 2, 3 \]/, /(Nothing contains|No line matches) “parseRange”/] },
  ],
  check({ onDisk }) {
    for (const part of parts) assert.doesNotMatch(onDisk(`src/${part}.js`), /parseRange/);
  },
};

const windowsFile: AgentTask = {
  name: "CRLF and tabs",
  question: "Let the button say Save.",
  files: {
    "src/button.js":
      "export function button() {\r\n\tconst label = “OK”;\r\n\tif (label) {\r\n\t\treturn label;\r\n\t}\r\n}\r\nexport const last = 1;\r\n",
  },
  rounds: [
    { acts: [{ do: "read", path: "src/button.js" }] },
    {
      relies: [/2\s+const label/],
      acts: [
        {
          do: "edit",
          path: "src/button.js",
          edits: [
            { from: 'const label = "OK";\n\tif (label) {', to: 'const label = "Save";\n\tif (label) {' },
          ],
        },
        {
          do: "edit",
          path: "src/button.js",
          // Blanks where the file has tabs.
          edits: [
            {
              from: "    if (label) {\n        return label;",
              to: "    if (label) {\n        return label.trim();",
            },
          ],
        },
      ],
    },
    { relies: [/Save/, /label\.trim\(\)/], refutes: [/not found/] },
  ],
  check({ onDisk }) {
    assert.equal(
      onDisk("src/button.js").replace(/[“”"]/g, '"'),
      'export function button() {\r\n\tconst label = "Save";\r\n\tif (label) {\r\n\t\treturn label.trim();\r\n\t}\r\n}\r\nexport const last = 1;\r\n',
    );
  },
};

const unsavedText: AgentTask = {
  name: "unsaved files",
  question: "Set the limit to 20, and print the file by a command.",
  files: { "src/limit.js": "export const limit = 10;\nconsole.log(limit);\n" },
  unsaved: { "src/limit.js": "// typed by the user\n" },
  rounds: [
    {
      acts: [
        { do: "read", path: "src/limit.js" },
        { do: "search", text: "typed by the user" },
      ],
    },
    {
      relies: [/typed by the user/, /src\/limit\.js:1|src\/limit\.js[\s\S]*1[:\s]+\/\/ typed/, /limit = 10/],
      acts: [
        {
          do: "edit",
          path: "src/limit.js",
          edits: [{ from: "export const limit = 10;", to: "export const limit = 20;" }],
        },
        { do: "read", path: "src/limit.js" },
        { do: "run", command: "cat src/limit.js && node src/limit.js" },
      ],
    },
    { relies: [/typed by the user\s+.*export const limit = 20;/, /\n20\n/] },
  ],
  check({ onDisk }) {
    assert.equal(
      onDisk("src/limit.js"),
      "// typed by the user\nexport const limit = 20;\nconsole.log(limit);\n",
    );
  },
};

const devServer: AgentTask = {
  name: "a server in the background",
  question: "Start the server, ask it for its name, and stop it.",
  files: {
    "server.js": [
      'const { createServer } = require("node:http");',
      'const server = createServer((_, response) => response.end("I am Ada"));',
      'server.listen(0, "127.0.0.1", () => console.log("listening on", server.address().port));',
      "",
    ].join("\n"),
  },
  rounds: [
    { acts: [{ do: "run", command: "node server.js", isInBackground: true }] },
    {
      relies: [/listening on \d+/],
      acts: (results) => [
        {
          do: "run",
          command: `node -e "fetch('http://127.0.0.1:${foundIn(results, /listening on (\d+)/)}').then((r) => r.text()).then(console.log)"`,
        },
        { do: "stop", id: foundIn(results, /(command-[\w-]+) is running/) },
      ],
    },
    { relies: [/I am Ada/, /command-[\w-]+ was stopped\./] },
  ],
  check() {},
};

const longOutput: AgentTask = {
  name: "5,000 lines of output",
  question: "Run the build and say which file is broken.",
  files: {
    "build.js": [
      "for (let line = 1; line <= 5_000; line += 1)",
      "  console.log('line ' + line + ': ' + (line === 2_500 ? 'BROKEN src/two.js' : 'compiled without a problem'));",
      "console.log('build ended');",
      "",
    ].join("\n"),
  },
  rounds: [
    { acts: [{ do: "run", command: "node build.js" }] },
    {
      relies: [/line 1:/, /build ended/],
      acts: (results) => [{ do: "rest", handle: foundIn(results, /"handle": "([^"]+)"/), query: "BROKEN" }],
    },
    { relies: [/line 2500: BROKEN src\/two\.js/] },
  ],
  check() {},
};

const names = Array.from({ length: 8 }, (_, index) => `r${index}.txt`);
const parallelCalls: AgentTask = {
  name: "parallel calls",
  question: "Write eight files, set the surface to 2, and check both.",
  files: { "play.js": "export const surface = 1;\n" },
  rounds: [
    { acts: [{ do: "read", path: "play.js" }] },
    {
      acts: [
        ...names.map((path) => ({ do: "write" as const, path, text: `The text of ${path}\n` })),
        {
          do: "edit",
          path: "play.js",
          edits: [{ from: "export const surface = 1;", to: "export const surface = 2;" }],
        },
        { do: "run", command: "ls r*.txt | wc -l; cat r7.txt; grep -c 'surface = 2' play.js" },
        { do: "read", path: "r7.txt" },
      ],
    },
    { relies: [/8\nThe text of r7\.txt\n1/, /1\s+The text of r7/] },
  ],
  check({ onDisk }) {
    for (const name of names) assert.equal(onDisk(name), `The text of ${name}\n`);
  },
};

const brokenJson: AgentTask = {
  name: "broken JSON",
  question: "Write a haiku into haiku.txt.",
  files: {},
  rounds: [
    // The local style writes its line breaks as they are.
    { acts: [{ do: "write", path: "haiku.txt", text: 'old pond\n\ta frog "jumps"\nthe sound\n' }] },
    { relies: [/haiku\.txt/], refutes: [/not JSON/i], acts: [{ do: "read", path: "haiku.txt" }] },
    { relies: [/2\s+a frog "jumps"/] },
  ],
  check({ onDisk }) {
    assert.equal(onDisk("haiku.txt"), 'old pond\n\ta frog "jumps"\nthe sound\n');
  },
};

const interrupted: AgentTask = {
  name: "an interrupted command",
  question: "Migrate the data.",
  files: {
    "migrate.js": [
      'const { writeFileSync } = require("node:fs");',
      "let step = 0;",
      "setInterval(() => {",
      "  step += 1;",
      "  console.log('migrated', step);",
      '  if (step === 20) writeFileSync("half-way.txt", "");',
      "}, 20);",
      "",
    ].join("\n"),
  },
  interruption: { file: "half-way.txt", next: "What was done?" },
  rounds: [
    { acts: [{ do: "run", command: "node migrate.js" }] },
    { relies: [/stopped/i, /migrated 3/], refutes: [/nothing was done/i, /did not run/i] },
  ],
  check() {},
};

export const agentTasks: readonly AgentTask[] = [
  failingTest,
  renameFiles,
  windowsFile,
  unsavedText,
  devServer,
  longOutput,
  brokenJson,
  parallelCalls,
  interrupted,
];

/**
 * Each task with each style. The first style of a task is another one than that of the task before it, so that as many as
 * there are tasks, from the whole length of the list, are each task, and each style.
 */
export function casesOf(
  styles: readonly Style[],
): readonly { readonly task: AgentTask; readonly style: Style }[] {
  return agentTasks.flatMap((task, index) => {
    const first = (index + styles.length - 1) % styles.length;
    return [...styles.slice(first), ...styles.slice(0, first)].map((style) => ({ task, style }));
  });
}
