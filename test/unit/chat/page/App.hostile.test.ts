import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { parseToHost } from "../../../../src/chat/protocol/chatProtocol.ts";
import { openBrowser, type TestBrowser } from "../../webview/browser.ts";
import { openPage, type TestPage } from "../../webview/page.ts";
import type { MarkdownPage } from "../../webview/pages/markdownPage.ts";

declare const markdown: MarkdownPage;
declare const pwned: unknown;

const run = "globalThis.pwned=1";
const evil = "https://evil.test/x";

/** Answers that try to run scripts, to load resources, to navigate, or to imitate our own buttons. */
const answers: Readonly<Record<string, string>> = {
  script: `<script>${run}</script>`,
  "script in a list": `- <script>${run}</script>\n- x`,
  "image with a handler": `<img src=x onerror="${run}">`,
  "remote image": `![pixel](${evil}.png)`,
  "remote image in HTML": `<img src="${evil}.png">`,
  "image as data": `![x](data:image/svg+xml,<svg onload=${run}>)`,
  "script link": `[x](javascript:${run})`,
  "script link in capitals": `[x](JaVaScRiPt:${run})`,
  "script link with entities": `[x](&#106;avascript:${run}) [y](java&#10;script:${run}) [z](javascript&colon;${run})`,
  "script link with controls": `[x](java\u0001script:${run}) [y](\u00a0javascript:${run}) [z](<java\tscript:${run}>)`,
  "script link by reference": `[x]\n\n[x]: javascript:${run}`,
  "script autolink": `<javascript:${run}>`,
  "command link": "[run](command:workbench.action.terminal.new)",
  "command autolink": "<command:workbench.action.quit> command:workbench.action.quit",
  "command in HTML": '<a href="command:workbench.action.quit">quit</a>',
  "editor link": "[x](vscode://evil.ext/run) [y](vscode-insiders:x) [z](vscode-webview://x)",
  "file link": "[x](file:///etc/passwd) [y](///etc/passwd) [z](\\\\\\\\host\\\\share)",
  "data link": `[x](data:text/html,<script>${run}</script>)`,
  "blob link": "[x](blob:https://evil.test/1)",
  "link without a scheme": "[x](//evil.test/x) [y](/etc/passwd) [z](?q) [w](#h)",
  "quotes in a link": `[x](https://a.test/"onmouseover="${run}) [y](https://a.test '"onmouseover="${run}')`,
  "quotes in a web address": `https://a.test/"onmouseover="${run}"`,
  "image within a link": `[![x](${evil}.png)](javascript:${run})`,
  frame: `<iframe srcdoc="<script>parent.pwned=1</script>" src="${evil}"></iframe>`,
  "object and embed": `<object data="${evil}"></object><embed src="${evil}">`,
  "style sheet": `<link rel=stylesheet href="${evil}.css"><style>@import "${evil}.css"; *{background:url(${evil})}</style>`,
  "inline style": `<p style="background:url(${evil}); position:fixed; inset:0">x</p>`,
  base: `<base href="${evil}">`,
  refresh: `<meta http-equiv="refresh" content="0;url=${evil}">`,
  form: `<form action="${evil}"><button formaction="javascript:${run}">Send</button></form>`,
  "vector image": `<svg onload="${run}"><use href="${evil}#x"/><animate onbegin="${run}"/></svg>`,
  math: `<math><mtext><table><mglyph><style><img src=x onerror="${run}"></style></mglyph></table></mtext></math>`,
  "markup that changes when read twice": `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  comment: `<!--><img src=x onerror=${run}>--> <![CDATA[<img src=x onerror=${run}>]]>`,
  "names that shadow": "<a id=markdown name=acquireVsCodeApi>x</a><form id=pwned><input name=body></form>",
  "our own button":
    '<button class="code-copy">Copy</button> <div class="problem"><button>Set Key</button></div>',
  "handler that needs no click": `<details open ontoggle="${run}"><summary>x</summary></details><input autofocus onfocus="${run}">`,
  media: `<video src="${evil}" autoplay onloadstart="${run}"></video><audio src="${evil}"></audio>`,
  "language of a fence": `\`\`\`"><img src=x onerror=${run}>\nx\n\`\`\`\n\n\`\`\`ts" onload="${run}\nx\n\`\`\``,
  "markup as code": `\`\`\`html\n<img src=x onerror="${run}"><script>${run}</script>\n\`\`\`\n\n\`<img src=x onerror=${run}>\``,
  "markup in a table": `| <img src=x onerror=${run}> | [x](javascript:${run}) |\n|---|---|\n| <script>${run}</script> | ![x](${evil}) |`,
  "markup in a heading": `# <img src=x onerror=${run}>\n\n<h1 onclick="${run}">x</h1>\n===`,
  "text that turns around": "[https://a.test/\u202e](https://evil.test/)",
  "link in a formula": `$\\href{javascript:${run}}{x}$ $\\url{${evil}}$ \\(\\href{command:x}{y}\\)`,
  "picture in a formula": `$$\\includegraphics[width=9em]{${evil}.png}$$`,
  "markup in a formula": `$<img src=x onerror=${run}>$ $\\text{<script>${run}</script>}$ $\\html{<b>}$`,
  "attributes in a formula": `$\\class{code-copy}{x}$ $\\id{markdown}{x}$ $\\style{position:fixed}{x}$ $\\data{onclick=${run}}{x}$`,
  "colours in a formula": `$\\color{url(${evil})}{x}$ $\\colorbox{url(${evil})}{x}$ $\\textcolor{red;background:url(${evil})}{x}$`,
  "formula that reaches out": "$$\\hspace{-9999em}\\rule{9999em}{9999em}\\raisebox{9999em}{x}\\kern-9999pt$$",
  "formula that never ends": "$\\def\\x{\\x\\x}\\x$ $\\let\\a\\b\\newcommand{\\y}{\\y}\\y$",
  "label in a formula": "$$x \\label{pwned} \\tag{<img>}$$ $\\ref{pwned}$",
  "note with a script": `[^"><img src=x onerror=${run}>] [^a]\n\n[^a]: <script>${run}</script> [x](javascript:${run})`,
  "marks of sources": `^1^ [1] [REF]0[/REF] [REF]<img src=x onerror=${run}>[/REF] [1](javascript:${run}) [1](command:x)`,
  "diagram with scripts": `\`\`\`mermaid\ngraph TD\n A["<img src=x onerror=${run}>"] --> B[<script>${run}</script>]\n click A "javascript:${run}"\n click B call ${run}\n\`\`\``,
  "diagram with styles": `\`\`\`mermaid\n%%{init: {"themeCSS": "@import url(${evil})", "securityLevel": "loose"}}%%\ngraph TD\n A --> B\n style A fill:url(${evil}),stroke:red;}</style><script>${run}</script>\n classDef x fill:url(${evil})\n\`\`\``,
  "diagram that breaks out of its picture": `\`\`\`mermaid\nsequenceDiagram\n A->>B: </text></svg><script>${run}</script><image href="${evil}"/>\n Note over A: <foreignObject><iframe src="${evil}"></foreignObject>\n\`\`\``,
  "diagram without an end": `\`\`\`mermaid\ngraph TD\n${"A-->B & C & D\n".repeat(200)}`,
  "diagram of a strange kind":
    "```mermaid\n<img src=x onerror=1>\n```\n\n```mermaid\n```\n\n```mermaid\ngantt\n```",
  "file of a fence": `\`\`\`ts ../../.ssh/authorized_keys\nx\n\`\`\`\n\n\`\`\`sh title="<img src=x onerror=${run}>.sh"\nrm -rf ~\n\`\`\`\n\n\`\`\`command:x/y.ts\nx\n\`\`\``,
  "buttons beside code": `<div class="code-head"><button class="code-button code-run">Run in Terminal…</button></div>\n\n\`\`\`code-button" onclick="${run}\nx\n\`\`\``,
  "picture as data": `![x](data:image/png;base64,iVBORw0KGgo=) ![y](data:text/html;base64,PHNjcmlwdD4=) ![z](data:image/svg+xml;base64,PHN2Zy8+)`,
  "template and slot": `<template><img src=x onerror=${run}></template><slot onslotchange=${run}>`,
};

const tags = new Set(
  "a blockquote br button img code del div em h1 h2 h3 h4 h5 h6 hr input li ol p pre span strong table tbody td th thead tr ul"
    .concat(
      " math menclose merror mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover",
    )
    .split(" "),
);
const mathAttributes =
  "accent columnalign depth display displaystyle fence form height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits rowspacing rspace scriptlevel separator stretchy symmetric voffset width".split(
    " ",
  );
const values: Readonly<Record<string, RegExp>> = {
  alt: /(?:)/,
  "aria-expanded": /^(?:true|false)$/,
  "aria-busy": /^(?:true|false)$/,
  "data-name": /(?:)/,
  hidden: /^$/,
  role: /^group$/,
  src: /^data:image\/(?:svg\+xml,|(?:png|jpeg|gif|webp);base64,)/,
  "aria-label": /^(?:More for |Insert |Copy |Apply |Note \S+$|Source \d+: )/,
  checked: /^$/,
  class:
    /^(?:markdown|chunk|tight|segment|image-link|table-frame|align-\w+|code-(?:frame|head|language|actions)|code-button code-\w+|inline-picture|diagram(?:-\w+)?|math(?: math-(?:display|problem))*|math-source|cite(?: cited)?|cite-mark|footnote(?:-\w+)?|cut-note|as-written|text-run|list-part|table-part|far-(?:picture|load|hint)|tml-[\w-]+|hl-[\w-]+|)$/,
  "data-tex": /(?:)/,
  dir: /^(?:auto|ltr|rtl)$/,
  disabled: /^$/,
  // Of formulas: sizes and colours, and nothing that is fetched.
  style: /^(?!.*(?:url|fixed|absolute)).*$/,
  ...Object.fromEntries(mathAttributes.map((name) => [name, /^[\w.#%+ -]*$/])),
  "data-target": /^(?![/\\])[^:\\]+(?::\d+(?::\d+)?)?$/,
  href: /^(?:https?:\/\/|mailto:)/,
  rel: /^noreferrer noopener$/,
  start: /^\d+$/,
  tabindex: /^(?:0|-1)$/,
  title: /(?:)/,
  type: /^(?:button|checkbox)$/,
};

/** The host is asked only to open web pages and to use code, which it confirms itself. */
function assertHarmless(posts: readonly { readonly type: string; readonly body: unknown }[]): void {
  for (const { type, body } of posts) {
    assert.ok(["openLink", "copyText", "useCode", "loadPicture"].includes(type), type);
    if (type === "openLink" || type === "loadPicture")
      assert.match((body as { url: string }).url, /^(?:https?:\/\/|mailto:)/);
    const parsed = parseToHost({ v: 1, type, body });
    assert.ok(parsed, `${type} is understood`);
  }
}

describe("hostile answers", () => {
  let browser: TestBrowser;
  let test: TestPage;
  before(async () => {
    browser = await openBrowser();
    test = await openPage(browser, "markdownPage.ts");
  });
  after(() => browser.close());

  for (const [name, source] of Object.entries(answers)) {
    it(`${name}: runs nothing, loads nothing, links only to the web`, async () => {
      for (const pieces of [[source], [...source]]) {
        await test.page.evaluate((given) => markdown.render(given, true), pieces);
        const posts = await test.page.evaluate(() => markdown.touchAll());
        assertHarmless(posts);
        const elements = await test.page.evaluate(() => markdown.inventory());
        for (const { tag, attributes } of elements) {
          assert.ok(tags.has(tag), `made <${tag}>`);
          for (const [attribute, value] of attributes) {
            assert.match(value, values[attribute] ?? /^\b$/, `<${tag} ${attribute}="${value}">`);
          }
        }
        const forged = await test.page.evaluate(() => markdown.unknownButtons());
        assert.equal(forged, 0, "no button but ours");
      }
      assert.equal(await test.page.evaluate(() => typeof pwned), "undefined");
      assert.deepEqual(test.requests, []);
      assert.deepEqual(test.errors, []);
    });
  }
});
