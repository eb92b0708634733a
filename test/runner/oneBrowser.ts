// Imported first by a module of several test files with pages: the browser stays open until the last of them has ended.
import { after } from "node:test";
import { keepBrowser } from "../unit/webview/browser.ts";

after(keepBrowser());
