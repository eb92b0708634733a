// Addresses as the service takes them (format "uri"), whatever was typed or found.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { citableUrl, sentUrl } from "../../../../src/shared/web/sentUrl.ts";

/** RFC 3986, for http and https, as validators of `format: "uri"` read it. */
const uri =
  /^https?:\/\/(?:[\w\-.~!$&'()*+,;=:%]*@)?(?:\[[\da-f:.]+\]|[\w\-.~!$&'()*+,;=%]+)(?::\d*)?(?:\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?(?:\?(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?(?:#(?:[\w\-.~!$&'()*+,;=:@/?]|%[\da-f]{2})*)?$/i;

const cases: readonly (readonly [typed: string, sent: string])[] = [
  ["https://de.wikipedia.org/wiki/Käse", "https://de.wikipedia.org/wiki/K%C3%A4se"],
  [
    "https://zh.wikipedia.org/wiki/維基百科",
    "https://zh.wikipedia.org/wiki/%E7%B6%AD%E5%9F%BA%E7%99%BE%E7%A7%91",
  ],
  ["https://bücher.example/ä?ö=ü#ß", "https://xn--bcher-kva.example/%C3%A4?%C3%B6=%C3%BC#%C3%9F"],
  ["https://a.example/{x}|y", "https://a.example/%7Bx%7D%7Cy"],
  ["https://a.example/a[1]?b[]=2&c=^`", "https://a.example/a%5B1%5D?b%5B%5D=2&c=%5E%60"],
  ["https://a.example/100%", "https://a.example/100%25"],
  ["https://a.example/already%20there%2F", "https://a.example/already%20there%2F"],
  ["http://[2001:db8::1]:8080/x", "http://[2001:db8::1]:8080/x"],
  ["  https://a.example  ", "https://a.example/"],
];

for (const [typed, sent] of cases)
  test(`${typed} is sent as ${sent}`, () => {
    assert.equal(sentUrl(typed), sent);
    assert.match(sent, uri);
  });

test("every web address is sent as a URI, once and again the same, and names the same page", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 });
  const address = fc.tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), text, text, text);
  fc.assert(
    fc.property(address, ([base, path, query, hash]) => {
      const sent = sentUrl(`${base.split(/[?#]/)[0]}/${path}?${query}#${hash}`) ?? "";
      assert.match(sent, uri);
      assert.equal(sentUrl(sent), sent);
      assert.ok(URL.canParse(sent));
    }),
  );
});

test("what is no URL stays unknown", () => {
  for (const typed of ["", "not a url", "example.org", "https://"]) assert.equal(sentUrl(typed), undefined);
});

test("only a web address without a sign-in is cited as the page that was read", () => {
  assert.equal(citableUrl("https://a.example/Käse"), "https://a.example/K%C3%A4se");
  for (const url of ["javascript:alert(1)", "file:///etc/passwd", "https://me:secret@a.example/", "here", ""])
    assert.equal(citableUrl(url), undefined, url);
});
