// Citations by language: read back by micromark, by the BibTeX and LaTeX parsers of latex-utensils, and by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bibtexParser, latexParser } from "latex-utensils";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { bibEntries } from "../../../../src/web/cite/bibtex.ts";
import { type Citable, citedUrl, statedFacts } from "../../../../src/web/cite/citable.ts";
import {
  type CiteStyle,
  cite,
  citeStyles,
  notesBelow,
  stylesOf,
  syntaxOf,
} from "../../../../src/web/cite/cite.ts";
import { randomCases } from "../../../runner/cases.ts";

const atMs = Date.UTC(2026, 10, 27, 9);
const maps: Citable = {
  title: "Sorting [maps]",
  url: "https://www.example.org/a(b)",
  date: "2026-01-02",
  atMs,
};
const other: Citable = { title: "Other | one", url: "https://example.net/?q=1&x=%20", atMs };

/** The document after citing at an offset. */
function cited(
  text: string,
  sources: readonly Citable[],
  {
    style,
    languageId = "markdown",
    at = text.length,
  }: Readonly<{ style: CiteStyle; languageId?: string; at?: number }>,
): string {
  const citing = cite(sources, style, { text, languageId });
  const { mark } = citing;
  const notes = notesBelow(citing, [at]);
  const changes = [{ at, text: mark }, ...(notes ? [notes] : [])].sort((one, two) => two.at - one.at);
  // At one offset the mark is before the note.
  if (changes[0]?.at === changes[1]?.at) changes.sort((one) => (one.text === mark ? 1 : -1));
  return changes.reduce(
    (whole, change) => whole.slice(0, change.at) + change.text + whole.slice(change.at),
    text,
  );
}

function html(markdown: string): string {
  return micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

/** How often each note is referred to, by the address in it, in the order of the notes. */
function referredTo(markdown: string): readonly (readonly [url: string, count: number])[] {
  const notes = [...html(markdown).matchAll(/<li id="user-content-fn-[^"]*">([\s\S]*?)<\/li>/g)];
  return notes.map(([, note = ""]) => [
    /href="([^"#][^"]*)"/.exec(note)?.[1]?.replaceAll("&amp;", "&") ?? "",
    [...note.matchAll(/class="data-footnote-backref"/g)].length,
  ]);
}

test("a footnote names source, site, dates and what is cited, below the text", () => {
  const quoted = { ...maps, authors: ["Ada Lovelace"], quotes: ["A map *keeps*\nits order."] };
  assert.equal(
    cited("Maps keep their order. More.\n", [quoted], { style: "footnote", at: 22 }),
    "Maps keep their order.[^1] More.\n\n[^1]: Ada Lovelace: [Sorting \\[maps\\]](<https://www.example.org/a(b)>) (example.org, 2026-01-02, retrieved 2026-11-27). “A map \\*keeps\\* its order.”\n",
  );
});

test("numbers in use are not used again, and a source that has a footnote keeps it", () => {
  const before =
    "One.[^2] Two.[^note]\n\n[^2]: [Old](<https://old.example/>)\n[^note]: See https://www.example.org/a(b).\n";
  const both = cited(before, [maps, other], { style: "footnote", at: 4 });
  assert.match(both, /^One\.\[\^note\]\[\^3\]\[\^2\] Two/);
  assert.equal(both.match(/^\[\^3\]: \[Other/gm)?.length, 1);
  assert.equal(cited(both, [other], { style: "footnote", at: 0 }).slice(0, 9), "[^3]One.[");
  // A note about several sources is no citation of one of them.
  const several = "A.[^1]\n\n[^1]: https://www.example.org/a(b) against https://example.net/x.\n";
  assert.match(cited(several, [maps], { style: "footnote", at: 2 }), /^A\.\[\^2\]\[\^1\]/);
});

test("a mark at the end of a text is not in the line of its note", () => {
  for (const text of ["", "\n", "Words", "Words\n", "Words\n\n", "Words[^1]\n\n[^1]: Old.\n"])
    assert.deepEqual(referredTo(cited(text, [maps], { style: "footnote" })).at(-1), [maps.url, 1], text);
});

test("a number that only code shows is free, and notes stay out of code that is not closed", () => {
  assert.match(cited("```md\n[^7]: x\n```\n\nA.", [maps], { style: "footnote" }), /A\.\[\^1\]\n\n\[\^1\]: /);
  const open = cited("A.\n\n```js\nlet a;", [maps], { style: "footnote", at: 2 });
  assert.deepEqual(referredTo(open), [["https://www.example.org/a(b)", 1]]);
});

test("any document and any sources: each source is one footnote, and what was there stays", () => {
  const piece = fc.constantFrom(
    "Words.",
    "[^1]",
    "[^1]: Old note <https://old.example/>",
    "[^Note]",
    "[^note]: Two\n\n    more",
    "- item",
    "    code",
    "> quote",
    "```\ncode\n```",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "<!-- a -->",
    "[a]: <https://a.example/>",
    "# Head",
    "~~~\n[^99]: no\n~~~",
    "1. one\n2. two",
    "[^3]: a\n[^4]: b",
  );
  const document = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("\n\n"));
  const title = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() !== "");
  const source = fc.record({ title, path: fc.webPath(), host: fc.constantFrom("a.example", "b.example") });
  fc.assert(
    fc.property(
      document,
      fc.array(source, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      (text, found, ends) => {
        const sources = found.map(({ host, path, ...rest }) => ({
          ...rest,
          url: `https://${host}${path}`,
          atMs,
        }));
        const before = `${text}\n\nLast words${ends ? "\n" : ""}`;
        const once = cited(before, sources, { style: "footnote", at: before.trimEnd().length });
        const urls = new Set(sources.map(({ url }) => citedUrl(url)));
        const isOwn = ([url]: readonly [string, number]) => /^https:\/\/[ab]\.example/.test(url);
        assert.deepEqual(
          new Set(
            referredTo(once)
              .filter(isOwn)
              .map(([url]) => url),
          ).size,
          urls.size,
          once,
        );
        assert.deepEqual(
          referredTo(once).filter((one) => !isOwn(one)),
          referredTo(before),
        );
        const twice = cited(once, sources, { style: "footnote", at: once.indexOf("Last words") + 4 });
        assert.equal(
          (twice.match(/^\[\^\d+\]: /gm) ?? []).length,
          (once.match(/^\[\^\d+\]: /gm) ?? []).length,
          twice,
        );
      },
    ),
    { numRuns: randomCases(500) },
  );
});

test("a reference link has a label of its own, which its source keeps", () => {
  const once = cited("See\n\n[example2026]: https://elsewhere.example/\n", [maps], {
    style: "reference",
    at: 3,
  });
  assert.equal(
    once,
    "See[Sorting \\[maps\\]][example2026a]\n\n[example2026]: https://elsewhere.example/\n[example2026a]: <https://www.example.org/a(b)>\n",
  );
  assert.match(html(once), /<a href="https:\/\/www\.example\.org\/a\(b\)">Sorting \[maps\]<\/a>/);
  assert.equal(cited(once, [maps], { style: "reference", at: 0 }).match(/^\[example2026a\]:/gm)?.length, 1);
});

test("no address is cited with a password, in any language and way", () => {
  const secret = { ...maps, url: "https://ada:s3cret@example.org/private?a=1#b" };
  for (const languageId of [
    "markdown",
    "latex",
    "bibtex",
    "restructuredtext",
    "asciidoc",
    "html",
    "plaintext",
  ])
    for (const style of stylesOf[syntaxOf(languageId)]) {
      const all = JSON.stringify(cite([secret], style, { text: "", languageId }));
      assert.doesNotMatch(all, /s3cret|ada/, `${languageId} ${style}`);
      assert.match(all, /example\.org\/private/);
    }
});

test("each language has a usual way, and each way gives something to insert or to add", () => {
  for (const [syntax, styles] of Object.entries(stylesOf)) {
    assert.ok(styles.length > 0 && styles.every((style) => citeStyles.includes(style)), syntax);
    for (const style of styles) {
      const languageId = syntax === "text" ? "plaintext" : syntax;
      const { mark, entries = "" } = cite([maps, other, maps], style, { text: "", languageId });
      assert.ok(mark + entries !== "", `${syntax} ${style}`);
    }
  }
});

test("LaTeX: keys in the text, entries for the bibliography, and an earlier entry keeps its key", () => {
  const bibliography =
    "@misc{old, title={x}, url = {https://example.net/?q=1&x=%20} }\n@book{Example2026, title={y}}\n";
  const { mark, entries } = cite([maps, other], "bibtex", { text: "", languageId: "latex", bibliography });
  assert.equal(mark, "\\cite{example2026a,old}");
  assert.match(entries ?? "", /^@online\{example2026a,\n/);
  assert.equal(entries?.match(/@online/g)?.length, 1);
});

test("the key of a document that has no author and no address does not begin with an article", () => {
  for (const [title, key] of [
    ["The Order of Maps", "order2026"],
    ["Die Ordnung", "ordnung2026"],
    ["L'État", "etat2026"],
    ["The", "the2026"],
  ] as const)
    assert.deepEqual(
      cite([{ ...maps, authors: [], url: "", title }], "bibtex", { text: "", languageId: "latex" }).keys,
      [key],
    );
});

test("reStructuredText, AsciiDoc and plain text have footnotes, too", () => {
  assert.equal(
    cited("Words\n", [maps], { style: "footnote", languageId: "restructuredtext", at: 5 }),
    "Words[#example2026]_\n\n.. [#example2026] `Sorting [maps] <https://www.example.org/a(b)>`__ (example.org, 2026-01-02, retrieved 2026-11-27).\n",
  );
  assert.match(
    cited("a", [maps], { style: "footnote", languageId: "asciidoc" }),
    /^afootnote:\[link:https:.*\\\].*\]$/,
  );
  const text = cited("Words [1]\n\n[1] Old <https://old.example/>\n", [maps], {
    style: "footnote",
    languageId: "plaintext",
    at: 5,
  });
  assert.equal(
    text,
    "Words[2] [1]\n\n[1] Old <https://old.example/>\n[2] Sorting [maps] <https://www.example.org/a(b)> (example.org, 2026-01-02, retrieved 2026-11-27).\n",
  );
});

/** What TeX shows for the text of a value. */
function shown(nodes: readonly latexParser.Node[]): string {
  return nodes
    .map((node) => {
      if (latexParser.isTextString(node)) return node.content;
      if (latexParser.isSpace(node) || latexParser.isSoftbreak(node)) return " ";
      if (latexParser.isGroup(node)) return shown(node.content);
      if (latexParser.isCommand(node)) return names[node.name] ?? assert.fail(`unknown: ${node.name}`);
      return assert.fail(`unexpected: ${node.kind}`);
    })
    .join("");
}

const names: Readonly<Record<string, string>> = {
  ...{
    textbackslash: "\\",
    textbraceleft: "{",
    textbraceright: "}",
    textasciitilde: "~",
    textasciicircum: "^",
  },
  ...{ textless: "<", textgreater: ">", textbar: "|", "%": "%", "#": "#", "&": "&", $: "$", _: "_" },
};

test("BibTeX entries of any sources are read back as they were, with keys of their own", () => {
  const text = fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(..."\\{}%#&$_~^<>|\"'@,=() ab1"),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
      minLength: 1,
      maxLength: 30,
    })
    .map((raw) => raw.replace(/[\s\p{C}]+/gu, " ").trim())
    .filter((raw) => raw !== "");
  const source = fc.record({
    title: text,
    name: text,
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
  });
  fc.assert(
    fc.property(fc.array(source, { minLength: 1, maxLength: 5 }), (found) => {
      const sources = found.map(({ name, ...rest }) => ({
        ...rest,
        authors: [name],
        date: "2024-05-02",
        atMs,
      }));
      const { keys, added } = bibEntries(sources, "");
      const { content } = bibtexParser.parse(added.join("\n"));
      const entries = content.filter(bibtexParser.isEntry);
      assert.equal(entries.length, added.length);
      assert.equal(new Set(entries.map(({ internalKey }) => internalKey)).size, entries.length);
      for (const [index, { title, authors, url }] of sources.entries()) {
        const entry = entries.find(({ internalKey }) => internalKey === keys[index]) ?? assert.fail();
        const value = (name: string) => {
          const field = entry.content.find((one) => one.name === name)?.value;
          return field && bibtexParser.isTextStringValue(field) ? field.content : assert.fail(name);
        };
        assert.equal(value("url"), citedUrl(url));
        assert.equal(value("date"), "2024-05-02");
        if (sources.findIndex((one) => citedUrl(one.url) === citedUrl(url)) !== index) continue;
        const read = (name: string) => shown(latexParser.parse(value(name)).content);
        assert.equal(read("title").replace(/\s+/g, " "), title);
        assert.equal(read("author").replace(/\s+/g, " "), authors[0]);
      }
      assert.deepEqual(bibEntries(sources, added.join("\n")), { keys, added: [] });
    }),
    { numRuns: randomCases(2_000) },
  );
});

test("authors and dates are taken from front matter and bylines, and from nothing else", () => {
  assert.deepEqual(statedFacts('---\nauthor: "Ada Lovelace"\ndate: 2024-05-02\n---\n# A'), {
    authors: ["Ada Lovelace"],
    date: "2024-05-02",
  });
  assert.deepEqual(
    statedFacts(
      "# Title\n\nBy [Ada Lovelace](https://a.example/), Alan Turing and Grace Hopper | 3 min\n\nPublished: 2 May 2024\n",
    ),
    {
      authors: ["Ada Lovelace", "Alan Turing", "Grace Hopper"],
      date: "2 May 2024",
    },
  );
  assert.deepEqual(statedFacts("By the way, this is text about 2024.\n\nPublished works are listed.\n"), {});
  assert.deepEqual(statedFacts("By Using This Site You Agree To Our Very Long Terms of 2024\n"), {});
});
