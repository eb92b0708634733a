// Sentences end where people end them, and are read as a person reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blocksOf } from "../../../../../src/speech/host/text/textBlocks.ts";
import { toSentences } from "../../../../../src/speech/host/text/toSentences.ts";
import { randomCases } from "../../../../runner/cases.ts";

const spoken = (text: string, language = "plaintext") =>
  toSentences(blocksOf(text, language)).map((sentence) => sentence.text);
const markdown = (text: string) => spoken(text, "markdown");

/** Texts with the ends of their sentences written as |. */
function holdsEnds(texts: readonly string[]): void {
  for (const text of texts) {
    const sentences = text.split("|").map((sentence) => sentence.trim());
    assert.deepEqual(spoken(text.replaceAll("|", "")), sentences, text);
    assert.deepEqual(markdown(text.replaceAll("|", "")), sentences, text);
  }
}

test("a title, an abbreviation or an initial ends no sentence, in English", () => {
  holdsEnds([
    "Yesterday afternoon we met Dr. Smith at the clinic.",
    "Mr. and Mrs. Jones met Prof. Lee, i.e. a friend, e.g. Bob.| They liked St. Paul and Mt. Fuji.",
    "J. R. R. Tolkien wrote it.| C. S. Lewis and George W. Bush read it.",
    "The U.S. Army bought it all.| He lives in the U.S.| She lives near the sea.",
    "Acme Inc. bought Foo Ltd. in May.| The old name was Acme Corp.| It is forgotten now.",
    "See Fig. 2 and No. 5 on pp. 10 ff. of vol. 3.| That is a firm no.| Then go away at once.",
    "At 5 p.m. Eastern Time it begins.| It ended around 5 p.m.| The train left soon after.",
    "They need more vitamin C.| Oranges are full of it.| We should follow plan B.| Our plan A has failed.",
    "It holds for apples, pears, etc. in any case.| It is so for nuts vs. seeds.",
  ]);
});

test("abbreviations of other languages end no sentence", () => {
  holdsEnds([
    "Wir sehen z. B. Boote, d. h. Schiffe, bzw. Kähne.| Das gilt ca. Ende Mai.",
    "Das war am 3. Oktober 1990 im 19. Jahrhundert.| Danach kam Hr. Müller mit Nr. 5.",
    "Er hat z.B. Autos u.a. Marken.| Die Firma Foo GmbH wächst sehr.",
    "On voit p. ex. Paris avec M. Dupont et Mme. Curie.| Il y a env. Cent ans.",
    "El Sr. García y la Sra. López viven aquí.| Uds. Conocen a la Dra. Ruiz.",
    "Il Sig. Rossi e il Dott. Bianchi sono qui.| Sono arrivati oggi.",
    "Он жил в г. Москва, т. е. в столице.| Потом он уехал на ул. Мира.",
    "To jest np. Kraków, tzn. Miasto królów.| Potem jest ul. Długa.",
  ]);
});

test("numbers, versions, file names and addresses are not cut", () => {
  holdsEnds([
    "It costs $3.14 or 1.234,56 € today.| Version 1.2.3 of node.js is out now.",
    "Open README.md and file.txt first.| The address is 192.168.0.1 in here.",
    "Mail ada@example.com for more of it.| The code a?b:c and x!y is short.",
    "Is it so at all?| It surely is so!| Really and truly so?!| Yes, it surely is.",
    "It was so... and then it was not.| He left us all there…| Then she came back.",
    "I bought a new phone there.| iPhones are good ones.| The old one is gone.",
    "hello there my friend.| how are you today?| i am fine, thanks.",
    "Yahoo! announced it in the morning.| Nobody listened to it.",
  ]);
});

test("an address is one word, and its host is said", () => {
  assert.deepEqual(spoken("See https://example.com/a?x=1&y=2 for more details please."), [
    "See example.com for more details please.",
  ]);
  assert.deepEqual(spoken("It is at www.example.com/x!y. Then (https://a.example/b_(c)) was read."), [
    "It is at example.com.",
    "Then (a.example) was read.",
  ]);
  assert.deepEqual(spoken("文档：https://example.com/docs，详见下文。"), ["文档：example.com，详见下文。"]);
  assert.deepEqual(markdown("See <https://example.com/a?b> or [the docs](https://a.example/x?y) for it."), [
    "See example.com or the docs for it.",
  ]);
});

test("words in quotes don't end the sentence around them", () => {
  holdsEnds([
    '“Stop right there!” he said at once.| "What is it?" John asked the man.',
    "« Stop ! » dit-il en riant.| « Où vas-tu ? » demanda Marie.",
    "He told me (really!) about it.| (That was long ago.)| Now it is known.",
  ]);
  assert.deepEqual(spoken("今日はいい天気です。明日は雨でしょう。「そうです。」と彼は言った。"), [
    "今日はいい天気です。",
    "明日は雨でしょう。",
    "「そうです。」と彼は言った。",
  ]);
  assert.deepEqual(spoken("你好，我叫小明。“你要去哪里呀？”他问道。我很高兴！"), [
    "你好，我叫小明。",
    "“你要去哪里呀？”他问道。",
    "我很高兴！",
  ]);
  assert.deepEqual(spoken("Πού είσαι τώρα φίλε μου; Είμαι εδώ στο σπίτι μου."), [
    "Πού είσαι τώρα φίλε μου;",
    "Είμαι εδώ στο σπίτι μου.",
  ]);
});

test("items of lists and lines that were ended on purpose are sentences of plain text, wrapped lines are not", () => {
  assert.deepEqual(spoken("Shopping\n- Milk and butter\n- Eggs and more\n1. Install it\n2. See Fig. 2"), [
    "Shopping",
    "- Milk and butter",
    "- Eggs and more",
    "1. Install it",
    "2. See Fig. 2",
  ]);
  const wrapped =
    "This paragraph was wrapped by an editor at about fifty\nColumns, and it goes on in the next line of\nthe text.";
  assert.deepEqual(spoken(wrapped), [wrapped.replaceAll("\n", " ")]);
  assert.deepEqual(spoken("Apples and pears\r\nEggs\rBread and butter"), [
    "Apples and pears",
    "Eggs",
    "Bread and butter",
  ]);
  assert.deepEqual(spoken("今天天气很好，我们一起去公园\n散步。"), ["今天天气很好，我们一起去公园散步。"]);
});

test("HTML in Markdown is read as it is shown", () => {
  assert.deepEqual(markdown("Line one<br>line two and more."), ["Line one line two and more."]);
  assert.deepEqual(
    markdown(
      "There are 10<sup>6</sup> items of H<sub>2</sub>O. A word<sup>1</sup> and the 1<sup>st</sup> one.",
    ),
    ["There are 10⁶ items of H2O.", "A word and the 1st one."],
  );
  assert.deepEqual(
    markdown(
      "<details><summary>More of it</summary>\n\nIts text.\n\n</details>\n\n<p>Caf&eacute;&nbsp;<b>noir</b> &#38; tea</p>",
    ),
    ["More of it", "Its text.", "Café noir & tea"],
  );
  assert.deepEqual(
    markdown(
      "Press <kbd>Ctrl</kbd>+<kbd>C</kbd> <!-- why? --> now. <ruby>漢字<rt>かんじ</rt></ruby>を読む。",
    ),
    ["Press Ctrl+C now.", "漢字を読む。"],
  );
  assert.deepEqual(
    spoken(
      "<html><head><title>T</title></head><body><h1>A heading</h1><p>Some text.<script>no()</script><table><tr><td>a</td><td>b</td></tr></table>",
      "html",
    ),
    ["A heading", "Some text.", "a, b"],
  );
});

test("a formula is read in words, a price as it is", () => {
  assert.deepEqual(
    markdown("The area is $x_1^2 + \\frac{a}{b} \\le 3$ here. It costs $5 and the tax $8 now."),
    ["The area is x sub 1 squared plus a over b is at most 3 here.", "It costs $5 and the tax $8 now."],
  );
  assert.deepEqual(markdown("$$\n\\sqrt{\\alpha} = \\text{root}\n$$\n\nThe code `$a` and `$b_c$` stays."), [
    "the square root of alpha equals root",
    "The code $a and $b_c$ stays.",
  ]);
  // Nesting is bounded.
  assert.doesNotThrow(() => markdown(`$${"{".repeat(190)}x${"}".repeat(190)}$`));
});

test("marks of citations and notes are not read, numbers behind a word that names them are", () => {
  assert.deepEqual(
    spoken(
      "It was the first of its kind [1]. It is known.[2][3] As shown in [4], [5, 7–9] it goes on [note 2].",
    ),
    ["It was the first of its kind.", "It is known. As shown in [4], it goes on."],
  );
  assert.deepEqual(
    markdown(
      "It is so[^1] and was[[2]](https://a.example) so [1], @doe [@doe2020; @roe].\n\n[1]: https://b.example\n\n[^1]: The note of it.",
    ),
    ["It is so and was so, @doe.", "The note of it."],
  );
  assert.deepEqual(spoken("A long word¹ has 10⁶ letters, and m² stays."), [
    "A long word has 10⁶ letters, and m² stays.",
  ]);
});

test("emoji and drawn lines are silent, a sign alone in a cell is an answer", () => {
  assert.deepEqual(spoken("Great job 🎉 team! 👩‍👩‍👧 All is well👍🏽 and done 🇩🇪 here. ----- © 1️⃣ it is."), [
    "Great job team!",
    "All is well and done here. © 1 it is.",
  ]);
  assert.deepEqual(markdown("| Feature | Free |\n|---|---|\n| Export | ✅ |\n| Import | ❌ |"), [
    "Feature, Free",
    "Export, yes",
    "Import, no",
  ]);
  assert.deepEqual(markdown("> [!WARNING]\n> Don't do it\n> at home."), ["Warning", "Don't do it at home."]);
  assert.deepEqual(spoken("An\u00adno\u00adta\u00adtion and zero\u200bwidth."), [
    "Annotation and zerowidth.",
  ]);
});

test("no text is lost, and each sentence is highlighted where it stands", () => {
  const word = fc.constantFrom(
    ..."Alpha beta, gamma. Dr. Smith e.g. z. B. 3.14 “quoted” it! Why? 今日は。 (so) <br> `code` *bold* &amp; x\\*y — U.S. 1. # > - | \n \n\n ".split(
      /(?<= )/,
    ),
    "\n",
    "\n\n",
    "\n- ",
  );
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 60 }),
      fc.constantFrom("plaintext", "markdown"),
      (words, language) => {
        const source = words.join("");
        const sentences = toSentences(blocksOf(source, language));
        let last = 0;
        for (const { text, from, to } of sentences) {
          assert.ok(from >= last && to > from && to <= source.length, source);
          last = to;
          const highlighted = source.slice(from, to);
          for (const letters of text.match(/[\p{L}\p{N}]{2,}/gu) ?? [])
            assert.ok(highlighted.includes(letters), source);
        }
        if (language === "markdown") return;
        const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
        assert.equal(letters(sentences.map(({ text }) => text).join("")), letters(source));
      },
    ),
    { numRuns: randomCases(300) },
  );
});

test("words that are cut at the ends of lines are whole, marks of note programs and names of pictures are silent", () => {
  assert.deepEqual(
    spoken("It is exam-\nple text with hyphen-\r\n  ated words, pre- and\npost-\nand so on."),
    ["It is example text with hyphenated words, pre- and post- and so on."],
  );
  assert.deepEqual(
    markdown("==Marked text is read.== See [[Some Note|the note]] and [[Other]]. a == b == c"),
    ["Marked text is read.", "See the note and Other. a == b == c"],
  );
  assert.deepEqual(markdown("Press :smile: and :+1: at 12:30:45 to go on."), [
    "Press and at 12:30:45 to go on.",
  ]);
});

test("a formula is read in the language of the text around it", () => {
  for (const [source, words] of [
    [
      "Für alle Zahlen gilt $x^2 \\le \\frac{a}{b}$, und das ist wahr.",
      "x zum Quadrat kleiner gleich a durch b",
    ],
    [
      "Dans le cas général, $x^n + 1 = \\sqrt{y}$ est une solution.",
      "x puissance n plus 1 égale racine carrée de y",
    ],
    ["La suma es $a_1 + a_2$, que es una constante para los casos.", "a sub 1 más a sub 2"],
    ["La formula $a \\times b \\neq 0$ è una di quelle che sono note.", "a per b diverso da 0"],
    ["A fórmula $a - b$ não é uma das que são usadas em casos.", "a menos b"],
    ["De formule $a \\to \\infty$ is een van de bekende, en dat is het.", "a naar oneindig"],
    ["ここで $\\frac{a}{b}$ は正の数です。", "b 分の a"],
    ["其中 $x^2 = y$ 是已知的。", "x 的平方 等于 y"],
    ["---\ntitle: x\nlang: de\n---\n\nOK: $a + b = c$ (Euler)", "a plus b gleich c"],
    ["For all numbers, $x^2 \\le y$ is the case, and that is it.", "x squared is at most y"],
  ] as const)
    assert.ok(markdown(source).join(" ").includes(words), `${markdown(source)} / ${words}`);
  assert.deepEqual(markdown("Das ist $\\constructor + \\toString$ und mehr."), [
    "Das ist constructor plus toString und mehr.",
  ]);
});
