import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError, type ApiErrorDetails, type ErrorKind } from "../../../../src/api/errors/errors.ts";
import { type ServiceCode, serviceErrors } from "../../../../src/api/errors/serviceErrors.ts";
import { table } from "../../../../src/api/table.ts";
import {
  adviceForCode,
  advisedKinds,
  type Resource,
  resourceOf,
  resources,
} from "../../../../src/platform/errors/advice.ts";
import { explain } from "../../../../src/platform/errors/errorMessage.ts";
import { serviceErrorWords } from "../../../../src/platform/errors/serviceErrorWords.ts";

/** An endpoint of each resource. */
const endpoints: Readonly<Record<Resource, string>> = {
  chat: "chat.stream",
  images: "images.edit",
  speech: "audio.speech",
  cloning: "audio.createVoice",
  vectors: "embeddings.create",
  page: "augment.scrape",
  document: "augment.parse",
  search: "augment.search",
  chain: "rpc.call",
  models: "models.list",
  keys: "keys.create",
  usage: "billing.usage",
  limits: "account.rateLimits",
  wallet: "wallet.balance",
  request: "",
};
/** What the step may name, so that it is about the thing at hand. */
const things: Readonly<Record<Resource, RegExp>> = {
  chat: /model|chat|Rephrase/,
  images: /picture|model/,
  speech: /voice|text/,
  cloning: /recording|voice|model/,
  vectors: /text|model/,
  page: /page/,
  document: /file|document/,
  search: /search|provider/i,
  chain: /network|calls|Change that/,
  models: /list/,
  keys: /key|list|name|Change that/,
  usage: /period|usage|Update/,
  limits: /key|limits|Update/,
  wallet: /wallet/,
  request: /Change|key|deleted|Update|Send/,
};
const ownModel: ReadonlySet<Resource> = new Set(["chat", "images", "cloning", "vectors"]);

function sentenceOf(kind: ErrorKind, message: string, details: ApiErrorDetails): string {
  return explain(new ApiError(kind, message, { status: 400, ...details }), { service: "Sandbox" }).sentence;
}

test("each kind and resource has a step about the thing at hand, said once", () => {
  for (const kind of advisedKinds)
    for (const resource of resources) {
      const endpoint = endpoints[resource];
      const issues = [{ field: "x", message: "The thing is odd" }];
      const sentence = sentenceOf(kind, "The thing is odd", { endpoint, issues });
      assert.equal(sentence.split("The thing is odd").length, 2, sentence);
      const step = sentence.slice(sentence.indexOf("The thing is odd") + 18);
      assert.match(step, things[resource], `${kind} of ${resource}: ${sentence}`);
      if (!ownModel.has(resource))
        assert.doesNotMatch(step, /another model/, `${kind} of ${resource}: ${sentence}`);
      assert.match(sentence, /[.]$/);
      assert.doesNotMatch(sentence, /undefined|\.\.| {2}/);
    }
});

test("each code of the service has an event and a step, for each resource about the thing at hand", () => {
  const serviceCodes = Object.keys(serviceErrors) as ServiceCode[];
  const codes = serviceCodes.filter((code) => serviceErrorWords(code) !== undefined);
  assert.ok(codes.length >= 25, String(codes.length));
  for (const serviceCode of serviceCodes) {
    const step = adviceForCode({ serviceCode });
    assert.equal(step !== undefined, codes.includes(serviceCode), serviceCode);
  }
  for (const serviceCode of codes)
    for (const resource of resources) {
      const details = { serviceCode, endpoint: endpoints[resource] };
      const sentence = sentenceOf("unavailable", "The thing is odd", details);
      assert.match(sentence, /^Sandbox [^:]+: The thing is odd\. [A-Z].*[.]$/, serviceCode);
      if (!ownModel.has(resource))
        assert.doesNotMatch(sentence, /another model/, `${serviceCode} of ${resource}: ${sentence}`);
    }
});

test("each call of the table is of a resource", () => {
  for (const [group, rows] of Object.entries(table))
    for (const call of Object.keys(rows))
      assert.notEqual(resourceOf(`${group}.${call}`), "request", `${group}.${call}`);
  for (const [resource, endpoint] of Object.entries(endpoints)) assert.equal(resourceOf(endpoint), resource);
});

const refusals: readonly (readonly [endpoint: string, field: string, message: string, sentence: string])[] = [
  [
    "augment.scrape",
    "url",
    "Must be a page of text, this is application/pdf",
    "Sandbox did not accept the request: Must be a page of text, this is application/pdf. Parse it as a document.",
  ],
  [
    "augment.scrape",
    "url",
    "Must be a page of text, this is image/png",
    "Sandbox did not accept the request: Must be a page of text, this is image/png. Choose another page.",
  ],
  [
    "audio.speech",
    "voice",
    "Invalid option: mimic has the voices gwen|ben",
    "Sandbox did not accept the request: Invalid option: mimic has the voices gwen|ben. Choose another voice.",
  ],
  [
    "audio.speech",
    "model",
    "The model has retired",
    "Sandbox did not accept the request: The model has retired. Choose another voice.",
  ],
  [
    "images.multiEdit",
    "images.1",
    "The jpeg file is damaged",
    "Sandbox did not accept the request: The jpeg file is damaged. Choose another picture, or save it as PNG or JPEG.",
  ],
  [
    "augment.parse",
    "file",
    "The PDF is locked with a password",
    "Sandbox did not accept the request: The PDF is locked with a password. Choose another file, or save it as PDF, DOCX or text first.",
  ],
  [
    "chat.stream",
    "messages",
    "This model takes no images",
    "Sandbox did not accept the request: This model takes no images. Change that, or choose another model, and send it again.",
  ],
];

test("a refusal is said once, with the step for the thing that it names", () => {
  for (const [endpoint, field, message, wanted] of refusals)
    assert.equal(sentenceOf("invalid-request", message, { endpoint, issues: [{ field, message }] }), wanted);
});

test("a rule that adds something stays, with its field", () => {
  const issues = [
    { field: "size", message: "Must be at most 1024." },
    { field: "", message: "Invalid request" },
  ];
  const sentence = sentenceOf("invalid-request", "Invalid request.", { endpoint: "images.generate", issues });
  assert.match(sentence, /: Invalid request \(size: Must be at most 1024\)\. Change that/);
});

test("a page of usage that the service no longer has is not a matter of the period", () => {
  const sentence = sentenceOf("gone", "It is retired", { endpoint: "billing.usage" });
  assert.equal(sentence, "Sandbox no longer offers this: It is retired. Update this extension.");
});
