// What a record keeps of a text: no secret, no data of files, and a bounded part of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  maxRecordedText,
  recordedHeaders,
  recordedText,
  withoutSecrets,
} from "../../../../../src/api/call/record/recordedText.ts";

const none = { values: [], hide: undefined };

test("a text without secrets and files is kept as it is", () => {
  const text = JSON.stringify({
    model: "m",
    messages: [{ role: "user", content: "Basic questions of bearer bonds" }],
  });
  assert.deepEqual(recordedText(text, none), { text, isChanged: false });
});

test("a secret is removed in each of its forms, wherever it is", () => {
  const secret = fc.string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" });
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (value, before, after) => {
      fc.pre(!value.includes("*"));
      const forms = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
      for (const form of forms) {
        const { text, isChanged } = recordedText(`${before}${form}${after}`, {
          values: [value],
          hide: undefined,
        });
        assert.ok(isChanged);
        assert.ok(!text.includes(form), text);
      }
    }),
  );
});

test("a secret that the end of the text cuts off is removed, too", () => {
  const value = "key-1234567890abcdef";
  assert.equal(withoutSecrets("it is key-1234567", { values: [value], hide: undefined }), "it is ***");
});

const secretTexts: Readonly<Record<string, string>> = {
  "a member of JSON": '{"apiKey":"hunter2hunter2","a":1}',
  "a member with blanks": '{ "api_key" : "hunter2hunter2" }',
  "a member with escapes": '{"password":"\\"hunter2hunter2"}',
  "JSON inside a text": '{"arguments":"{\\"access_token\\":\\"hunter2hunter2\\"}"}',
  "a query": "https://example.com/?a=1&api_key=hunter2hunter2#x",
  "user and password of a URL": "https://me:hunter2hunter2@example.com/x",
  "a credential": "Authorization: Bearer hunter2hunter2",
  "a key with a known beginning": `sk-${"hunter2".repeat(3)}`,
};

for (const [name, text] of Object.entries(secretTexts)) {
  test(`a secret is recognised: ${name}`, () => {
    const recorded = recordedText(text, none);
    assert.ok(!recorded.text.includes("hunter2"), recorded.text);
    assert.ok(recorded.isChanged);
  });
}

test("data of files becomes its size; hexadecimal data of a chain stays", () => {
  const data = Buffer.alloc(30_000, "a picture ").toString("base64");
  const picture = JSON.stringify({ image_url: { url: `data:image/png;base64,${data}` }, images: [data] });
  const { text, isChanged } = recordedText(picture, none);
  assert.ok(isChanged);
  assert.deepEqual(JSON.parse(text), {
    image_url: { url: "data:image/png;base64,[30,000 bytes]" },
    images: ["[30,000 bytes]"],
  });
  const code = JSON.stringify({ result: `0x${"60806040".repeat(500)}` });
  assert.deepEqual(recordedText(code, none), { text: code, isChanged: false });
});

test("a long text is cut, whatever it is", () => {
  for (const long of ["x ".repeat(2_000_000), "A".repeat(3_000_000), '"'.repeat(2_000_000)]) {
    const { text, isChanged } = recordedText(long, none);
    assert.ok(text.length <= maxRecordedText && isChanged);
  }
});

test("headers of credentials have no values, and those of limits do", () => {
  const headers = {
    authorization: "Bearer abc",
    "set-cookie": "session=1",
    "X-Sign-In-With-X": "signed",
    "SIGN-IN-WITH-X": "signed",
    "proxy-authorization": "Basic abc",
    "x-api-key": "abc",
    "PAYMENT-RESPONSE": "abc",
    "x-ratelimit-remaining-tokens": "100",
    "Idempotency-Key": "8a",
    "content-type": "application/json",
  };
  const kept = recordedHeaders(Object.entries(headers), none);
  const shown = Object.entries(kept).filter(([, value]) => value !== "***");
  assert.deepEqual(Object.fromEntries(shown), {
    "x-ratelimit-remaining-tokens": "100",
    "Idempotency-Key": "8a",
    "content-type": "application/json",
  });
  assert.equal(Object.keys(kept).length, Object.keys(headers).length);
});

test("a long text of words that begin like a token is read in one pass", () => {
  // By the square of its length it would take some minutes, in which the editor does nothing else.
  for (const word of ["eyJ-", "eyJaaaaaaaa-", "eyJaaaaaaaa.", "sk-", '"', "Bearer ", "a://"]) {
    const page = word.repeat(Math.floor(maxRecordedText / word.length));
    assert.ok(recordedText(page, none).text.length > 0);
  }
  const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl";
  const { text } = recordedText(`${"eyJ-".repeat(1000)} ${token} eyJwords of a text`, none);
  assert.equal(text, `${"eyJ-".repeat(1000)} *** eyJwords of a text`);
});
