// Rules about functions that do the same: the second one moves to the lowest room that both can use.
import assert from "node:assert/strict";
import { test } from "node:test";
import { copiesIn, helpersOf, readHelpers } from "./copies.ts";

test("no two functions of the sources do the same", () => {
  const helpers = readHelpers();
  assert.ok(helpers.length > 5000, `only ${helpers.length} functions were found`);
  assert.deepEqual(
    copiesIn(helpers).map((group) => group.map(({ file, line, name }) => `${file}:${line} ${name}`)),
    [],
  );
});

/** Names of the functions that do the same, in files of these texts. */
function copiesOf(...texts: readonly string[]): readonly (readonly string[])[] {
  const helpers = texts.flatMap((text, index) => helpersOf(`src/${index}.ts`, text));
  return copiesIn(helpers).map((group) => group.map(({ name }) => name));
}

test("a copy is found whatever its names, types, form and white space", () => {
  const found = copiesOf(
    `import { limit } from "./limits.ts";
     export function cut(text: string): string {
       const end = text.lastIndexOf(" ", limit);
       return end < 0 ? text : text.slice(0, end);
     }`,
    `import { limit as most } from "./limits.ts";
     const shorten = (value: Title) => { const at = (value as string).lastIndexOf(" ", most); { return at < 0 ? value : value.slice(0, at) } };`,
    `import { limit } from "./limits.ts";
     class Titles { #cut(title: string) { const to = title.lastIndexOf(" ", limit); return to < 0 ? title : title.slice(0, to); } }`,
  );
  assert.deepEqual(found, [["cut", "shorten", "cut"]]);
});

test("what a function calls belongs to it: private helpers of two files are compared by what they do", () => {
  const withHelper = (name: string, body: string) =>
    `const ${name} = (text: string) => ${body};
     export const tidy = (text: string) => ${name}(text).split("\\n").filter(Boolean);`;
  const same = copiesOf(withHelper("plain", "text.trim()"), withHelper("bare", "text.trim()"));
  assert.deepEqual(same, [["tidy", "tidy"]]);
  assert.deepEqual(copiesOf(withHelper("plain", "text.trim()"), withHelper("plain", "text.trimEnd()")), []);
});

test("functions that differ in a limit, a member, an operator, an import or `async` do not do the same", () => {
  const variants = [
    `import { read } from "./a.ts"; const most = 5; const f = (list: T) => read(list.rows).slice(0, most + 1);`,
    `import { read } from "./a.ts"; const most = 6; const f = (list: T) => read(list.rows).slice(0, most + 1);`,
    `import { read } from "./a.ts"; const most = 5; const f = (list: T) => read(list.items).slice(0, most + 1);`,
    `import { read } from "./a.ts"; const most = 5; const f = (list: T) => read(list.rows).slice(0, most - 1);`,
    `import { read } from "./b.ts"; const most = 5; const f = (list: T) => read(list.rows).slice(0, most + 1);`,
    `import { read } from "./a.ts"; const most = 5; const f = async (list: T) => read(list.rows).slice(0, most + 1);`,
    `import { read } from "./a.ts"; const most = 5; const f = (list: T) => read(list.rows)?.slice(0, most + 1);`,
  ];
  assert.deepEqual(copiesOf(...variants), []);
});

test("a function that uses variables of the one around it could not stand elsewhere", () => {
  const within = `function watch(emit: (text: string) => void) {
    const say = (text: string) => emit(text.trim().toLowerCase() + ".");
    const own = (text: string) => text.trim().toLowerCase() + "." + text.length;
    return [say, own];
  }`;
  const other = within.replace("watch", "follow").replace("return [say, own]", "return { say, own }");
  assert.deepEqual(copiesOf(within, other), [["own", "own"]]);
});

test("what is as short as its call is no copy", () => {
  assert.deepEqual(copiesOf("const f = (a: T, b: T) => a - b;", "const g = (x: T, y: T) => x - y;"), []);
  const isText = `(value: unknown) => typeof value === "string"`;
  assert.deepEqual(copiesOf(`const f = ${isText};`, `const g = ${isText};`), []);
});
