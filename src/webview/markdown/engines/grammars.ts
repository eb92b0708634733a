import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { Grammars } from "../code.ts";

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  php,
  powershell,
  python,
  ruby,
  rust,
  scss,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

/** Collects the tokens of the grammar as elements, never as markup. */
class Elements {
  readonly fragment = document.createDocumentFragment();
  private at: Node = this.fragment;

  openNode(scope: string): void {
    const span = document.createElement("span");
    // A sublanguage has no colour of its own. In `title.function`, the first word is the kind.
    if (!scope.startsWith("language:")) span.className = `hl-${scope.split(".", 1)[0]}`;
    this.at.appendChild(span);
    this.at = span;
  }

  closeNode(): void {
    this.at = this.at.parentNode ?? this.fragment;
  }

  // The library calls these by both names.
  startScope(scope: string): void {
    this.openNode(scope);
  }

  endScope(): void {
    this.closeNode();
  }

  addText(text: string): void {
    if (text !== "") this.at.appendChild(document.createTextNode(text));
  }

  // The library sets this name.
  __addSublanguage(emitter: Elements): void {
    this.at.appendChild(emitter.fragment);
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}

const library = hljs.newInstance();
library.configure({ __emitter: Elements as never, classPrefix: "hl-" });
for (const [name, grammar] of Object.entries(languages)) library.registerLanguage(name, grammar);
library.registerAliases(["shell", "console", "shellsession"], { languageName: "bash" });
library.registerAliases(["jsonc", "json5", "ndjson"], { languageName: "json" });
library.registerAliases(["vue", "svelte", "astro"], { languageName: "xml" });

export const grammars: Grammars = {
  colour(source, language) {
    if (!library.getLanguage(language)) return undefined;
    const { _emitter } = library.highlight(source, { language, ignoreIllegals: true });
    return _emitter instanceof Elements ? _emitter.fragment : undefined;
  },
};
