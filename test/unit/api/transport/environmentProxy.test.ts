// The proxies of the environment: which address has which.
import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentProxy, type ProxyEnvironment } from "../../../../src/api/transport/environmentProxy.ts";

const proxy = "http://proxy.example:3128";
const cases: readonly (readonly [environment: ProxyEnvironment, url: string, proxy: string | undefined])[] = [
  [{}, "https://api.example/", undefined],
  [{ HTTPS_PROXY: proxy }, "https://api.example/", proxy],
  [
    { https_proxy: "http://lower.example:1", HTTPS_PROXY: proxy },
    "https://api.example/",
    "http://lower.example:1",
  ],
  [{ HTTPS_PROXY: proxy }, "http://api.example/", undefined],
  [{ HTTP_PROXY: proxy }, "http://api.example/", proxy],
  [{ ALL_PROXY: proxy }, "https://api.example/", proxy],
  [{ HTTPS_PROXY: "proxy.example:3128" }, "https://api.example/", proxy],
  [
    { HTTPS_PROXY: "http://user:p%40ss@proxy.example:3128" },
    "https://api.example/",
    "http://user:p%40ss@proxy.example:3128",
  ],
  [{ HTTPS_PROXY: "socks5://proxy.example" }, "https://api.example/", undefined],
  [{ HTTPS_PROXY: "http://" }, "https://api.example/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "*" }, "https://api.example/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "other.example,api.example" }, "https://api.example/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "example" }, "https://api.example/", undefined],
  [{ HTTPS_PROXY: proxy, no_proxy: ".api.example" }, "https://eu.API.example/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "*.api.example" }, "https://eu.api.example/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "pi.example" }, "https://api.example/", proxy],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "api.example:8443" }, "https://api.example/", proxy],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "api.example:443 x" }, "https://api.example/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "localhost,10.0.0.0/8" }, "https://10.1.2.3:8443/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "10.0.0.0/8" }, "https://11.1.2.3/", proxy],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "fd00::/8" }, "https://[fd00::12]/", undefined],
  [{ HTTPS_PROXY: proxy, NO_PROXY: "fd00::12" }, "https://[fd00::12]/", undefined],
  [{ HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, "http://127.0.0.1:11434/", undefined],
  [{ HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, "http://localhost:11434/", undefined],
  [{ HTTPS_PROXY: proxy, HTTP_PROXY: proxy }, "http://[::1]:11434/", undefined],
];

for (const [environment, url, expected] of cases)
  test(`${JSON.stringify(environment)} has ${expected ?? "no proxy"} for ${url}`, () => {
    assert.equal(environmentProxy(url, environment), expected);
  });
