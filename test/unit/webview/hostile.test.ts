import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { launchChromium } from "../../vscode/chromium.ts";
import type { MarkdownPage } from "./markdownPage.ts";
import { openPage, type TestPage } from "./page.ts";

declare const markdown: MarkdownPage;
declare const pwned: unknown;

const run = "globalThis.pwned=1";
const evil = "https://evil.test/x";

/** Answers that try to run script, to load something, to lead elsewhere, or to look like our own buttons. */
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
  "template and slot": `<template><img src=x onerror=${run}></template><slot onslotchange=${run}>`,
};

const tags = new Set(
  "a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr input li ol p pre span strong table tbody td th thead tr ul"
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
  "aria-label": /^(?:Copy |Note \S+$|Source \d+: )/,
  checked: /^$/,
  class:
    /^(?:chunk|tight|segment|image-link|table-frame|align-\w+|code-(?:frame|head|language|copy)|math(?: math-(?:display|problem))*|math-source|cite(?: cited)?|cite-mark|footnote(?:-\w+)?|tml-[\w-]+|hl-[\w-]+|)$/,
  "data-tex": /(?:)/,
  dir: /^auto$/,
  disabled: /^$/,
  // Of formulas: sizes and colours, and nothing that is fetched.
  style: /^(?!.*(?:url|fixed|absolute)).*$/,
  ...Object.fromEntries(mathAttributes.map((name) => [name, /^[\w.#%+ -]*$/])),
  href: /^(?:https?:\/\/|mailto:)/,
  rel: /^noreferrer noopener$/,
  start: /^\d+$/,
  tabindex: /^0$/,
  title: /(?:)/,
  type: /^(?:button|checkbox)$/,
};

describe("answers that mean harm", () => {
  let browser: Browser;
  let test: TestPage;
  before(async () => {
    browser = await launchChromium();
    test = await openPage(browser, "markdownPage.ts");
  });
  after(() => browser.close());

  for (const [name, source] of Object.entries(answers)) {
    it(`${name}: runs nothing, loads nothing, leads nowhere but to the web`, async () => {
      for (const pieces of [[source], [...source]]) {
        await test.page.evaluate((given) => markdown.render(given, true), pieces);
        await test.page.evaluate(() => markdown.touchAll());
        const elements = await test.page.evaluate(() => markdown.inventory());
        for (const { tag, attributes } of elements) {
          assert.ok(tags.has(tag), `made <${tag}>`);
          for (const [attribute, value] of attributes) {
            assert.match(value, values[attribute] ?? /^\b$/, `<${tag} ${attribute}="${value}">`);
          }
        }
        const buttons = elements.filter(
          ({ tag, attributes }) =>
            tag === "button" && !attributes.some(([, value]) => value === "footnote-link"),
        ).length;
        const frames = elements.filter(({ attributes }) =>
          attributes.some(([, value]) => value === "code-frame"),
        ).length;
        assert.equal(buttons, frames, "only code has buttons");
      }
      assert.equal(await test.page.evaluate(() => typeof pwned), "undefined");
      assert.deepEqual(test.requests, []);
      assert.deepEqual(test.errors, []);
    });
  }
});
