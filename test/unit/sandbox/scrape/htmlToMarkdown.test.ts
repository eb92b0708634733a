// What a browser shows of a page, as Markdown. The main part is found among what surrounds it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readHtml } from "../../../../src/sandbox/scrape/htmlToMarkdown.ts";

const url = "http://a.test/d/p.html";
const prose = "A sentence of the article that is long enough to be found as its main part.";

/** The Markdown of a part of an article. */
function markdownOf(part: string): string {
  const text = `<p>${prose.concat(" ").repeat(6)}</p>`;
  const html = `<!doctype html><title>Page</title><nav><a href=/>Home</a></nav><article><h1>Page</h1>${text}${part}${text}</article>`;
  const [title, , ...blocks] = readHtml(html, url).markdown.split("\n\n");
  assert.equal(title, "# Page");
  assert.match(blocks.pop() ?? "", /^A sentence/);
  return blocks.join("\n\n");
}

function check(cases: Readonly<Record<string, string>>): void {
  for (const [html, markdown] of Object.entries(cases)) assert.equal(markdownOf(html), markdown, html);
}

describe("code", () => {
  test("keeps its lines: with br, blocks, lines of a highlighter, numbers beside them", () => {
    check({
      "<pre><code>a<br>b<br/>c</code></pre>": "```\na\nb\nc\n```",
      "<pre>a\n  b\n</pre>": "```\na\n  b\n```",
      "<pre><div>a</div><div>b</div></pre>": "```\na\nb\n```",
      "<pre><div>a</div>\n<div>b</div></pre>": "```\na\nb\n```",
      "<pre><code><span class=line>a</span><span class=line>b</span></code></pre>": "```\na\nb\n```",
      '<pre><span style="display:block">a</span><span style="display:block">b</span></pre>': "```\na\nb\n```",
      "<pre><ol><li>a<li>b</ol></pre>": "```\na\nb\n```",
      "<pre><span class=lineno>1</span>a\n<span class=lineno>2</span>b</pre>": "```\na\nb\n```",
      "<pre><code>a</code>\n<code>b</code></pre>": "```\na\nb\n```",
      "<pre><span class=comment>// a</span>\n<button>Copy</button>b</pre>": "```\n// a\nb\n```",
      "<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>": "```\na\nb\n```",
      "<table><tr><td class=blob-num>1<td class=blob-code>a<tr><td class=blob-num>2<td class=blob-code> b</table>":
        "```\na\n b\n```",
      "<xmp><b></xmp>": "```\n<b>\n```",
    });
  });

  test("has a fence that is longer than those within it, and its language", () => {
    check({
      "<pre>```\na\n```</pre>": "````\n```\na\n```\n````",
      '<pre class="language-py">a</pre>': "```py\na\n```",
      '<pre><code class="hljs lang-ts">a</code></pre>': "```ts\na\n```",
      '<pre><code class="hljs python">a</code></pre>': "```python\na\n```",
      '<pre class="brush: js; gutter: true">a</pre>': "```js\na\n```",
      '<div class="highlight highlight-source-shell"><pre>a</pre></div>': "```shell\na\n```",
      '<div class="highlight-python notranslate"><div class=highlight><pre>a</pre></div></div>':
        "```python\na\n```",
      "<pre data-lang=go><code>a</code></pre>": "```go\na\n```",
      '<pre class="sourceCode haskell"><code class="sourceCode haskell">a</code></pre>': "```haskell\na\n```",
      '<pre><code class="language-c++">a</code></pre>': "```c++\na\n```",
      '<pre class="line-numbers language-none"><code>a</code></pre>': "```\na\n```",
    });
  });

  test("is found without pre, as editors and highlighters draw it", () => {
    check({
      '<div class="syntaxhighlighter python"><table><tr><td class=gutter><div class="line number1">1</div><td class=code><div class="line number1"><code>import</code> <code>os</code></div><div class="line number2"><code>&nbsp;&nbsp;</code><code>os.x()</code></div></table></div>':
        "```python\nimport os\n  os.x()\n```",
      '<div class="crayon-pre"><div class="crayon-line">a</div><div class="crayon-line">b</div></div>':
        "```\na\nb\n```",
      '<div class="CodeMirror"><pre class="CodeMirror-line">a</pre><pre class="CodeMirror-line"> b</pre></div>':
        "```\na\n b\n```",
    });
  });

  test("has no name of its language, and no button, beside its lines", () => {
    check({
      "<pre><div><span>python</span><button>Copy code</button></div><div><code class=language-python>a\nb</code></div></pre>":
        "```python\na\nb\n```",
      '<div class="language-js"><span class="lang">js</span><pre><code>a</code></pre></div>': "```js\na\n```",
      "<pre><code>$ a</code><span class=copied>Copied!</span></pre>": "```\n$ a\n```",
      '<pre data-enlighter-language="python">a</pre>': "```python\na\n```",
      "<pre><span>out</span> <code>a</code></pre>": "```\nout a\n```",
    });
  });

  test("in a list has blank lines above the list", () => {
    check({
      "<ul><li>a<ul><li><pre>b\nc</pre></ul></ul>": "- a\n\n  - ```\n    b\n    c\n    ```",
      "<ul><li>a<ul><li><hr><blockquote>b</blockquote></ul></ul>": "- a\n\n  * ---\n\n    > b",
      "<ul><li>a<ul><li>b</ul></ul>": "- a\n  - b",
    });
  });

  test("in a line keeps its links and its accents", () => {
    check({
      '<code style="display:block">a = 1</code>': "`a = 1`",
      "<p><code>a`b</code> <code>fn <a href=f>f</a>(x)</code> <kbd>Ctrl</kbd></p>":
        "``a`b`` `fn` [`f`](http://a.test/d/f)`(x)` `Ctrl`",
      "<p><code>a<br>b</code></p>": "`a`  \n`b`",
    });
  });
});

describe("a table", () => {
  test("has each value in its column, with cells over several columns and rows", () => {
    check({
      "<table><tr><th>R<th colspan=2>S<tr><td>N<td>1<td>2<tr><td colspan=2>T<td>3</table>":
        "| R | S |  |\n| --- | --- | --- |\n| N | 1 | 2 |\n| T |  | 3 |",
      "<table><tr><th>A<th>B<tr><td rowspan=2>1<td>2<tr><td>3</table>":
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n|  | 3 |",
      "<table><tr><th>A<th>B<tr><td rowspan=2>1<td rowspan=2>2<tr></tr><tr><td>3<td>4</table>":
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
      "<table><tr><th colspan=100>A<tr><td>1<td>2</table>": "| A |  |\n| --- | --- |\n| 1 | 2 |",
    });
  });

  test("has a head only if the page has one, its caption, and its foot at the end", () => {
    check({
      "<table><tr><td>1<td>2<tr><td>3<td>4</table>": "|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
      "<table><caption>C</caption><tfoot><tr><td>f<td>g</tfoot><thead><tr><th>A<th>B</thead><tr><td>1<td>2</table>":
        "C\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n| f | g |",
      "<table><tr><th><th align=right>A<tr><th>b<td align=right>1</table>":
        "|  | A |\n| --- | --: |\n| b | 1 |",
    });
  });

  test("has cells of one line: breaks, lists, code, pipes, tables within", () => {
    check({
      "<table><tr><th>A<th>B<tr><td>a|b<br>c<td><ul><li>x<li>y</ul></table>":
        "| A | B |\n| --- | --- |\n| a\\|b<br>c | • x<br>• y |",
      "<table><tr><th>A<th>B<tr><td><code>a|b</code><td><pre>x\ny</pre></table>":
        "| A | B |\n| --- | --- |\n| `a\\|b` | `x`<br>`y` |",
      "<table><tr><th>A<th>B<tr><td><p>x<p>y<td><table><tr><td>1<td>2<tr><td>3<td>4</table></table>":
        "| A | B |\n| --- | --- |\n| x<br>y | 1 2<br>3 4 |",
    });
  });

  test("is also made of other elements, by roles and by styles", () => {
    const cells = (role: string, ...texts: string[]) =>
      texts.map((text) => `<span role=${role}>${text}</span>`).join("");
    check({
      [`<div role=table><div role=row>${cells("columnheader", "A", "B")}</div><div role=rowgroup><div role=row>${cells("cell", "1", "2")}</div></div></div>`]:
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
      '<div style="display:table"><div style="display:table-row"><span style="display:table-cell">1</span><span style="display:table-cell">2</span></div></div>':
        "|  |  |\n| --- | --- |\n| 1 | 2 |",
      "<div role=grid>text</div>": "text",
    });
  });

  test("that lays out a page is its content", () => {
    check({
      "<table><tr><td><table><tr><th>A<th>B<tr><td>1<td>2</table><td>side</table>":
        "| A | B |\n| --- | --- |\n| 1 | 2 |\n\nside",
      "<table role=presentation><tr><td>a<td>b</table>": "a b",
      "<table><tr><td><h2>H</h2><p>t</table>": "## H\n\nt",
    });
  });
});

test("raised and lowered text stays apart from what is before it", () => {
  check({
    "<p>10<sup>6</sup> H<sub>2</sub>O</p>": "10<sup>6</sup> H<sub>2</sub>O",
    "<p>said<sup><a href=#n>[1]</a></sup></p>": "said[\\[1\\]](http://a.test/d/p.html#n)",
  });
});

test("a picture is found where the page names it: srcset, lazy attributes, sources, noscript", () => {
  const picture = (file: string) => `![c](http://a.test/d/${file})`;
  check({
    '<noscript><img src="a.png"></noscript><img class=lazy src="wait.svg">': "![](http://a.test/d/a.png)",
    '<p>a</p><noscript><img src="a.png"></noscript>': "a\n\n![](http://a.test/d/a.png)",
    '<a href="b.png"><img src="data:image/png;base64,AA" alt="small"></a>': "[small](http://a.test/d/b.png)",
    '<img alt=c srcset="s.png 1x, l.png 2x">': picture("l.png"),
    '<img alt=c srcset="s.png 100w, l,1.png 900w">': picture("l,1.png"),
    "<img alt=c data-src=l.png src=data:image/gif;base64,AAAA>": picture("l.png"),
    '<img alt=c class=lazy src=placeholder.gif data-srcset="l.png 2x">': picture("l.png"),
    '<picture><source srcset="l.webp"><img alt=c></picture>': picture("l.webp"),
    "<img src=spacer.gif class=lazy><noscript><img alt=c src=l.png></noscript>": picture("l.png"),
    "<img alt=c src=l.png><noscript><img alt=c src=l.png></noscript>": picture("l.png"),
    '<figure><img alt=c src="l 1.png"><figcaption>Cap</figcaption></figure>': `${picture("l%201.png")}\n\nCap`,
    '<p>a <img class=emoji alt="😀" src=e.png><img src=t.png width=1 height=1></p>': "a 😀",
    "<a href=x><img alt=c src=l.png></a>": `[${picture("l.png")}](http://a.test/d/x)`,
  });
});

test("lists count as the page does", () => {
  check({
    "<ol start=3><li>a<li>b</ol>": "3. a\n4. b",
    "<ol><li>a<li value=7>b<li>c</ol>": "1. a\n\n7) b\n8) c",
    "<ol reversed><li>a<li>b</ol>": "2. a\n\n1) b",
    "<ol type=a><li>a<li>b</ol>": "- a. a\n- b. b",
    "<ul><li>a<ul><li>b</ul></ul>": "- a\n  - b",
    "<ul><li>a</li><ul><li>b</li></ul></ul>": "- a\n  - b",
    "<ul><li><input type=checkbox checked> a<li><input type=checkbox> b</ul>": "- [x] a\n- [ ] b",
    "<ul><li><p>a<p>b<pre>c</pre></ul>": "- a\n\n  b\n\n  ```\n  c\n  ```",
    "<dl><dt>T<dd>a<dd>b</dl>": "- **T**\n\n  a\n\n  b",
  });
});

test("emphasis has no blanks and no punctuation at its ends that would break it", () => {
  check({
    "<p>a<b> b </b>c</p>": "a **b** c",
    "<p><b>注意：</b>正文 含<b>「重点」</b>内容</p>": "**注意**：正文 含「**重点**」内容",
    "<p><b>a</b><b>b</b> <i></i><b> </b>c</p>": "**ab** c",
    "<p>foo<b>bar</b>baz</p>": "foo**bar**baz",
    "<b>a<p>b</p>c</b>": "**a**\n\n**b**\n\n**c**",
  });
});

test("text that looks like Markdown is escaped, and no other", () => {
  check({
    "<p># a</p><p>1. b</p><p>- c</p><p>&gt; d</p>": "\\# a\n\n1\\. b\n\n\\- c\n\n\\> d",
    "<p>snake_case_name AT&amp;T 2 * 3 ~5 &amp;amp; &lt;b&gt; [x](y)</p>":
      "snake_case_name AT&T 2 * 3 ~5 \\&amp; \\<b> \\[x]\\(y)",
    "<p>a&shy;b &eacute;&copy;</p>": "ab é©",
  });
});

test("links are complete, and have the address that the page has", () => {
  check({
    '<p><a href="my report (1).pdf">r]</a></p>': "[r\\]](http://a.test/d/my%20report%20(1).pdf)",
    '<p><a href="?a=1&b=2" title="T">q</a></p>': '[q](http://a.test/d/p.html?a=1&b=2 "T")',
    '<p><a href="javascript:x()">a</a> <a href="#">b</a> <a name=c>c</a></p>': "a b c",
    "<a href=x><h3>H</h3><p>t</p></a>": "### [H](http://a.test/d/x)\n\n[t](http://a.test/d/x)",
    '<a href=x aria-label="Home"><svg></svg></a>': "[Home](http://a.test/d/x)",
    "<h2>H<a class=headerlink href=#h>¶</a></h2><h2><a href=#i>I</a></h2>": "## H\n\n## I",
    '<iframe src="https://v.test/e" title="Film"></iframe>': "[Film](https://v.test/e)",
    "<p>a <a href=x> b </a>c</p>": "a [b](http://a.test/d/x) c",
  });
});

test("what a browser hides is left out, and what it lays out as blocks is", () => {
  check({
    '<p hidden>n</p><p style="display: none">n</p><template>n</template><p>y</p>': "y",
    "<style>.gone, #x { display: none } @media print { p { display: none } }</style><p class=gone>n<p>y": "y",
    "<p>y<span class=sr-only>n</span></p><dialog>n</dialog><noscript>n</noscript>": "y",
    '<span style="display:block">a</span><span style="display:block">b</span>': "a\n\nb",
    '<div style="display:inline">a</div><div style="display:inline">b</div>': "ab",
    "<p>a<br>b<br><br>c</p>": "a  \nb\n\nc",
    '<div style="white-space:pre-line">a\nb</div>': "a  \nb",
    "<details><summary>S</summary>t</details>": "**S**\n\nt",
    "<p>one<span> two</span><span>three </span> four<!-- c -->five</p>": "one twothree fourfive",
    "<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby> <q>q</q></p>": "漢(かん) “q”",
    "<form><p>in a form</p><input value=n><button>n</button></form>": "in a form",
    "<details><summary><h3>S</h3></summary>t</details>": "### S\n\nt",
  });
});

test("text that nobody sees is left out, whatever hides it", () => {
  for (const style of [
    "font-size:0",
    "font-size: 0px; color: red",
    "position:absolute; left:-9999px",
    "position:fixed;top:-1000em",
    "clip:rect(0,0,0,0)",
    "clip-path: inset(50%)",
    "text-indent:-9999px",
    "visibility:hidden",
  ])
    check({ [`<p style="${style}">n</p><p>y</p>`]: "y" });
  check({
    '<p style="font-size:0.9em">a</p><p style="left:-10px">b</p><p style="opacity:0">c</p>': "a\n\nb\n\nc",
  });
});

test("styles mark text as elements do", () => {
  check({
    '<p><span style="font-style:italic">a</span> <span style="font-weight:700">b</span> <span style="text-decoration:line-through">c</span></p>':
      "*a* **b** ~~c~~",
  });
});

test("a drawing has its words, an object its file or what stands in for it", () => {
  check({
    "<svg><title>n</title><defs><text>n</text></defs><text>a</text><text><tspan>b</tspan><tspan>c</tspan></text></svg>":
      "a bc",
    "<svg><foreignObject><div>node</div></foreignObject></svg>": "node",
    "<object data=a.svg>A</object>": "![A](http://a.test/d/a.svg)",
    "<object data=a.pdf title=Paper>n</object>": "[Paper](http://a.test/d/a.pdf)",
    "<object>a</object>": "a",
  });
});

test("formulas are TeX", () => {
  check({
    "<p>x <math><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>=</mo><msup><mi>x</mi><mn>2</mn></msup></math></p>":
      "x $\\frac{a}{b} = x^{2}$",
    '<p><span class=katex><math><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^2</annotation></semantics></math><span class=katex-html>E</span></span></p>':
      "$E=mc^2$",
    '<script type="math/tex; mode=display">\\int x</script>': "$$\n\\int x\n$$",
    "<p><span class=katex><span class=katex-html>x</span></span></p>": "$x$",
    '<mjx-container><mjx-c class="mjx-c1D465"></mjx-c><mjx-c class="mjx-c3D"></mjx-c></mjx-container>':
      "$x=$",
    '<p><span class=MathJax data-mathml="<math><mi>x</mi></math>">n</span></p>': "$x$",
    "<p><span class=MathJax>n</span><script type=math/tex>x</script></p>": "$x$",
  });
});

test("TeX in the text is a formula if the page has a script that draws it", () => {
  const script = '<script src="https://c.test/mathjax@3/tex-chtml.js"></script>';
  const dollars = "<script>MathJax = { tex: { inlineMath: [['$', '$']] } }</script>";
  const align = "\\begin{align} a &amp;= b \\end{align}";
  check({
    [`${script}<p>a \\(x_{i} &lt; y^*\\) b $5 to $6 <code>\\(n\\)</code></p>`]:
      "a $x_{i} < y^*$ b $5 to $6 `\\(n\\)`",
    [`${script}<p>a \\[x_{i}\\] b $$y$$</p>`]: "a\n\n$$\nx_{i}\n$$\n\nb\n\n$$\ny\n$$",
    [`${script}<p>${align}</p>`]: "$$\n\\begin{align} a &= b \\end{align}\n$$",
    [`${dollars}<p>a $x_{i}$</p>`]: "a $x_{i}$",
    "<p>a \\(x\\)</p>": "a \\\\(x\\\\)",
  });
  assert.match(readHtml(`${script}<p>${"\\(a ".repeat(50_000)}`, url).markdown, /a/);
});

test("a shadow tree is shown in place of the children of its host, with them in its slots", () => {
  check({
    "<my-card><template shadowrootmode=open><h3><slot name=t>n</slot></h3><slot></slot><style>b{}</style></template><span slot=t>T</span><p>b</p><i slot=no>n</i></my-card>":
      "### T\n\nb",
    "<div><template shadowrootmode=closed><p>a <slot>own</slot></p></template></div>": "a own",
    "<div><template shadowrootmode=open><p>a <x-in><template shadowrootmode=open><b>b <slot></slot></b></template>c</x-in></p></template></div>":
      "a **b c**",
    "<div><template>n</template>y</div>": "y",
  });
});

test("what a server sent late is in its place", () => {
  check({
    '<!--$?--><template id="B:0"></template><p>Loading…</p><!--/$--><p>b</p><div hidden id="S:0"><p>a</p></div><script>$RC("B:0","S:0")</script>':
      "a\n\nb",
    '<div hidden id="S:1">n</div><p>y</p>': "y",
  });
});

describe("the title", () => {
  const read = (html: string) => readHtml(html, url).markdown;

  test("is there once, and without its lines", () => {
    assert.equal(read("<title>A [b] – Site</title><h1>A [b]</h1><p>t"), "# A \\[b]\n\nt");
    assert.equal(read("<title>A\n  b</title><p>t"), "# A b\n\nt");
    assert.equal(read("<title>A – Site</title><h2>A</h2><p>t"), "## A\n\nt");
    assert.equal(read("<title>Site</title><header><h1>A</h1></header><p>t"), "# A\n\nt");
    assert.equal(read('<title></title><meta property="og:title" content="A"><p>t'), "# A\n\nt");
    assert.equal(read("<title>A</title><div class=title>A</div><p>t"), "# A\n\nt");
    assert.equal(read("<title>A | Site</title><p><b>A</b></p><p>t"), "# A\n\nt");
    assert.equal(read("<title>A</title><h1 hidden>B</h1><p>t"), "# A\n\nt");
    assert.equal(read("<title>All of it</title><p>All</p><p>t"), "# All of it\n\nAll\n\nt");
  });
});

test("the main part keeps its code, tables and notes, and loses what only surrounds it", () => {
  const text = `<p>${prose.repeat(5)}</p>`;
  const html = `<title>T</title><div class=sidebar><a href=1>one</a><a href=2>two</a></div>
    <div class=post><h1>T</h1>${text}<aside class=note><p>Note</p></aside><pre><span class=comment># c</span></pre>
    <table class=related><tr><th>A<th>B<tr><td>1<td>2</table>${text}</div><footer>Imprint</footer>`;
  const { markdown } = readHtml(html, url);
  for (const part of ["Note", "# c", "| 1 | 2 |"]) assert.ok(markdown.includes(part), part);
  for (const part of ["one", "Imprint"]) assert.ok(!markdown.includes(part), part);
});

test("the main part is all articles and sections that have as much to read", () => {
  const text = (word: string) => `<p>${`${word} is a sentence of this part, and it is long. `.repeat(8)}</p>`;
  const { markdown } = readHtml(
    `<title>Blog</title><div class="onetrust-pc"><h2>Privacy</h2>${text("Consent")}</div>
    <main><article><h2>1</h2>${text("First")}</article><article><h2>2</h2>${text("Second")}</article></main>`,
    url,
  );
  for (const part of ["# Blog", "## 1", "First is", "## 2", "Second is"])
    assert.ok(markdown.includes(part), part);
  assert.ok(!markdown.includes("Consent is"));
  const split = readHtml(
    `<title>T</title><div><div class=lead><h2>L</h2>${text("Lead")}</div><div class=body><h2>B</h2>${text("Body").repeat(12)}</div>
    <div class=sidebar>${text("Side")}</div></div><div id="cookie-notice">${text("Cookie")}</div>`,
    url,
  ).markdown;
  for (const part of ["Lead is", "Body is"]) assert.ok(split.includes(part), part);
  for (const part of ["Side is", "Cookie is"]) assert.ok(!split.includes(part), part);
});

test("a page that a script would write is told from one without text, and from a short one", () => {
  const needs = (html: string) => readHtml(html, url).needsScripts;
  assert.ok(needs("<title>App</title><div id=root></div><script src=a.js></script>"));
  assert.ok(
    needs(
      "<div id=app>Loading…</div><noscript>You need to enable JavaScript to run this app.</noscript><script src=a.js></script>",
    ),
  );
  assert.ok(needs("<p>Please enable JavaScript to view this page.</p><script>a()</script>"));
  assert.ok(
    needs(
      "<h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue</p><script>a()</script>",
    ),
  );
  assert.ok(!needs("<p>A short note.</p><script>count()</script>"));
  assert.ok(!needs("<div id=root></div>"));
  assert.ok(!needs('<div id=root></div><script type="application/ld+json">{}</script>'));
});

test("a page that sends a browser on names the other page", () => {
  const refresh = (content: string) =>
    readHtml(`<head><meta http-equiv=Refresh content="${content}"></head>`, url).refresh;
  assert.equal(refresh("0; url=/code.html"), "http://a.test/code.html");
  assert.equal(refresh("0;URL='b.html'"), "http://a.test/d/b.html");
  assert.equal(refresh("3,b.html"), "http://a.test/d/b.html");
  assert.equal(refresh("600; url=b.html"), undefined);
  assert.equal(refresh("5"), undefined);
  assert.equal(refresh("0; url=javascript:x()"), undefined);
  const byScript = (script: string, text = "Redirecting…") =>
    readHtml(`<script>${script}</script><p>${text}`, url).refresh;
  assert.equal(byScript('window.location.href = "/b";'), "http://a.test/b");
  assert.equal(byScript("location.replace('b.html')"), "http://a.test/d/b.html");
  assert.equal(byScript('if (old) location = "/b"'), undefined);
  assert.equal(byScript('location = "javascript:x()"'), undefined);
  // A page with text of its own is one that a click leaves.
  assert.equal(byScript('location = "/b"', prose.repeat(5)), undefined);
});

test("a page of any depth and form is read", () => {
  const deep = readHtml(`${"<div><b><ul><li>".repeat(3_000)}end`, url).markdown;
  assert.ok(deep.includes("end"));
  assert.equal(readHtml("<frameset><frame src=a name=A></frameset>", url).markdown, "[A](http://a.test/d/a)");
});
