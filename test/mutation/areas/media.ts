import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const images = "src/sandbox/images";
const speech = "src/sandbox/speech";

export const imagesArea: Area = {
  tests: [
    unit("files/*", "*images-requests*", "*media-charges*"),
    contract("classes"),
    contract("otherPath"),
    contract("charges", "^images\\."),
    contractRows("^images\\."),
  ],
  mutants: [
    {
      does: "a prompt of 1501 characters is drawn",
      file: "src/api/endpoints/images.ts",
      find: "prompt: z.string().min(1).max(1500)",
      replace: "prompt: z.string().min(1).max(1501)",
    },
    {
      does: "the sandbox draws 1501 characters",
      file: `${images}/requests.ts`,
      find: "prompt: z.string().min(1).max(1500)",
      replace: "prompt: z.string().min(1).max(1501)",
    },
    {
      does: "an edit's prompt may have 32,769 characters",
      file: "src/api/endpoints/images.ts",
      find: "max(32_768)",
      replace: "max(32_769)",
    },
    {
      does: "two pictures are asked for",
      file: "src/api/endpoints/images.ts",
      find: "n: z.literal(1)",
      replace: "n: z.int().min(1)",
    },
    {
      does: "four pictures are combined",
      file: "src/api/endpoints/images.ts",
      find: "z.array(imageInput).min(1).max(3)",
      replace: "z.array(imageInput).min(1).max(4)",
    },
    {
      // Of four, each model's own bound keeps it as well.
      does: "the sandbox combines two pictures at most",
      file: `${images}/requests.ts`,
      find: "z.array(image).min(1).max(3)",
      replace: "z.array(image).min(1).max(2)",
    },
    {
      does: "the other spelling of the path is not tried",
      file: "src/api/endpoints/images.ts",
      find: '    otherPath: "/image/generations",\n',
      replace: "",
    },
    {
      does: "the other spelling is looked for each time",
      file: "src/api/client.ts",
      find: 'if (other.exchange.error?.kind !== "not-found") shared.usesOtherPath.add(id);',
      replace: "",
    },
    {
      does: "a picture may have one pixel less",
      file: "src/api/endpoints/files.ts",
      find: "export const minImagePixels = 65_536;",
      replace: "export const minImagePixels = 65_535;",
    },
    {
      does: "a picture may have one row more",
      file: "src/api/endpoints/files.ts",
      find: "export const maxImagePixels = 33_177_600;",
      replace: "export const maxImagePixels = 33_185_280;",
    },
    {
      does: "a file may have 26 MB",
      file: "src/api/endpoints/files.ts",
      find: "export const maxFileBytes = 25 *",
      replace: "export const maxFileBytes = 26 *",
    },
    {
      does: "the sandbox takes a pixel less",
      file: `${images}/inputImage.ts`,
      find: "const fewestPixels = 65_536;",
      replace: "const fewestPixels = 65_535;",
    },
    {
      does: "the sandbox takes a row more",
      file: `${images}/inputImage.ts`,
      find: "const mostPixels = 33_177_600;",
      replace: "const mostPixels = 33_185_280;",
    },
    {
      does: "an unknown model is refused",
      file: `${images}/handlers.ts`,
      find: "models.find(({ id }) => id === request.model) ?? defaultOf(models)",
      replace:
        'modelFor({ model: request.model ? { member: "model", id: request.model } : undefined } as EditRequest, models, defaultOf(models))',
    },
    {
      does: "adult content is shown unless told not to",
      file: `${images}/requests.ts`,
      find: "safe_mode: z.boolean().default(true)",
      replace: "safe_mode: z.boolean().default(false)",
    },
    {
      does: "low moderation blurs too",
      file: `${images}/requests.ts`,
      find: 'finding === "adult" && moderation === "low" ? "fine" : finding',
      replace: "finding",
    },
    {
      does: "2K comes as PNG",
      file: `${images}/requests.ts`,
      find: '(resolution === "1K" ? "png" : "jpeg")',
      replace: '"png"',
    },
    {
      does: "the single edit takes a quality on venice",
      file: `${images}/requests.ts`,
      find: 'dialect === "venice" ? VeniceEdit : Edit',
      replace: "Edit",
    },
    {
      does: "the client sends a quality to venice's single edit",
      file: "src/api/dialect.ts",
      find: 'refuses: { "images.edit": ["quality"] },',
      replace: "refuses: {},",
    },
    {
      does: "modelId wins over model",
      file: `${images}/requests.ts`,
      find: 'model === undefined ? namedModel("modelId", modelId) : namedModel("model", model)',
      replace: 'modelId === undefined ? namedModel("model", model) : namedModel("modelId", modelId)',
    },
    {
      does: "an edit loses its shape",
      file: `${images}/handlers.ts`,
      find: '({ kind: "own" })',
      replace: '({ kind: "named", ratio: "1:1" })',
    },
    {
      does: "a multi-edit keeps the exact shape",
      file: `${images}/handlers.ts`,
      find: '({ ratios }) => ({ kind: "closest", ratios })',
      replace: '() => ({ kind: "own" })',
    },
    {
      does: "forbidden edits are served",
      file: `${images}/handlers.ts`,
      find: "  refuseForbidden(request.prompt);\n",
      replace: "",
    },
    {
      does: "further inputs are free",
      file: `${images}/price.ts`,
      find: " + Math.max(0, choice.inputs - included) * additional.usd",
      replace: "",
    },
    {
      does: "a size is drawn the other way round",
      file: `${images}/requests.ts`,
      find: "const [width = 1024, height = 1024]",
      replace: "const [height = 1024, width = 1024]",
    },
    {
      does: "a blurred picture is not said to be one",
      file: "src/api/binary.ts",
      find: 'blurred: says(headers, "is-blurred")',
      replace: "blurred: false",
    },
  ],
};

export const audioArea: Area = {
  tests: [contract("classes"), contract("charges", "^audio\\."), contractRows("^audio\\."), unit("*speech*")],
  mutants: [
    {
      does: "4097 characters are sent",
      file: "src/api/endpoints/audio.ts",
      find: "max(4096)",
      replace: "max(4097)",
    },
    {
      does: "the sandbox speaks 4097 characters",
      file: `${speech}/requests.ts`,
      find: "max(4096)",
      replace: "max(4097)",
    },
    { does: "a speed of 0.2", file: "src/api/endpoints/audio.ts", find: "min(0.25)", replace: "min(0.2)" },
    {
      does: "the sandbox speaks at 4.1",
      file: `${speech}/requests.ts`,
      find: "min(0.25).max(4)",
      replace: "min(0.25).max(4.1)",
    },
    {
      does: "a style of 501 characters",
      file: "src/api/endpoints/audio.ts",
      find: "max(500)",
      replace: "max(501)",
    },
    {
      does: "a hint of one letter",
      file: "src/api/endpoints/audio.ts",
      find: "min(2).max(32)",
      replace: "min(1).max(32)",
    },
    {
      does: "speech may be sent again",
      file: "src/api/endpoints/audio.ts",
      find: '    accept: "audio/*, application/json",\n    resend: "billed",',
      replace: '    accept: "audio/*, application/json",\n    resend: "keyed",',
    },
    {
      does: "a cloned voice speaks with any model",
      file: `${speech}/requests.ts`,
      find: "if (cloned && cloned.model !== model.id) {",
      replace: "if (cloned && cloned.model === name) {",
    },
    {
      does: "every model clones voices",
      file: `${speech}/handlers.ts`,
      find: "if (!model.clonesVoices) throw",
      replace: "if (!model.id) throw",
    },
    {
      does: "a sample of half a second is enough",
      file: `${speech}/clonedVoices.ts`,
      find: "const fewestSeconds = 1;",
      replace: "const fewestSeconds = 0.4;",
    },
    {
      does: "speech is charged by UTF-16 units",
      file: `${speech}/handlers.ts`,
      find: "[...request.input].length",
      replace: "request.input.length",
    },
    {
      does: "the client counts UTF-16 units",
      file: "src/api/charge.ts",
      find: "characters: [...text(input.input)].length",
      replace: "characters: text(input.input).length",
    },
    {
      does: "speech is never streamed",
      file: `${speech}/requests.ts`,
      find: "    language,\n    streaming,\n",
      replace: "    language,\n    streaming: false,\n",
    },
    {
      does: "speed does nothing",
      file: `${speech}/tones.ts`,
      find: "vowelSeconds / voice.speed",
      replace: "vowelSeconds",
    },
    {
      does: "speech counts in the window of pictures",
      file: "src/sandbox/catalog/catalog.ts",
      find: 'model.type === "tts" ? limits.audio : limits.image',
      replace: "limits.image",
    },
    {
      does: "handles look alike on both dialects",
      file: `${speech}/clonedVoices.ts`,
      find: 'venice: "vv"',
      replace: 'venice: "voice"',
    },
  ],
};

export const augmentArea: Area = {
  tests: [
    contract("classes"),
    contract("charges", "^augment\\."),
    contractRows("^augment\\."),
    unit("*search*", "*scrape*", "*documents*"),
  ],
  mutants: [
    {
      does: "a query of 401 characters",
      file: "src/api/endpoints/augment.ts",
      find: "max(400)",
      replace: "max(401)",
    },
    { does: "21 results", file: "src/api/endpoints/augment.ts", find: "max(20)", replace: "max(21)" },
    {
      does: "the sandbox takes 401 characters",
      file: "src/sandbox/search/handlers.ts",
      find: "max(400)",
      replace: "max(401)",
    },
    {
      does: "the sandbox gives 21 results",
      file: "src/sandbox/search/handlers.ts",
      find: "max(20)",
      replace: "max(21)",
    },
    {
      does: "any address may be scraped",
      file: "src/api/endpoints/augment.ts",
      find: 'z.url({ protocol: /^https?$/, error: "must be an http or https URL" })',
      replace: "z.string()",
    },
    {
      does: "augmentation costs two cents here",
      file: "src/api/price.ts",
      find: "usd: 0.01",
      replace: "usd: 0.02",
    },
    {
      does: "augmentation costs two cents there",
      file: "src/sandbox/media.ts",
      find: "const usdPerRequest = 0.01;",
      replace: "const usdPerRequest = 0.02;",
    },
    {
      does: "social networks are scraped",
      file: "src/sandbox/scrape/download.ts",
      find: "if (isBlockedSite(url.hostname))",
      replace: "if (isBlockedSite(url.protocol))",
    },
    {
      does: "private hosts are scraped",
      file: "src/sandbox/scrape/download.ts",
      find: "if (await isPrivateHost(url.hostname))",
      replace: 'if (await isPrivateHost("example.com"))',
    },
    {
      does: "a redirect may lead anywhere",
      file: "src/sandbox/scrape/download.ts",
      find: "    await checkTarget(at);\n",
      replace: "    if (hop === 0) await checkTarget(at);\n",
    },
    {
      does: "an unreachable page is the caller's fault",
      file: "src/sandbox/scrape/scrape.ts",
      find: "unreachable: 500,",
      replace: "unreachable: 400,",
    },
    {
      does: "text is asked for as JSON",
      file: "src/api/endpoints/augment.ts",
      find: 'fixed: { response_format: "text" },',
      replace: 'fixed: { response_format: "json" },',
    },
    {
      does: "a JSON answer passes for the text",
      file: "src/api/decode.ts",
      find: 'if (row.decode === "text" && !isJson(response) && !isHtml(response)) return text;',
      replace: 'if (row.decode === "text") return text;',
    },
    {
      does: "an odd result fails the search",
      file: "src/api/endpoints/augment.ts",
      find: "results: listOf(SearchResult)",
      replace: "results: z.array(SearchResult)",
    },
    {
      does: "venice is asked in the spec's words",
      file: "src/api/dialect.ts",
      find: 'values: { search_provider: { provider_a: "brave", provider_b: "google" } },',
      replace: "values: {},",
    },
    {
      does: "the providers are mixed up",
      file: "src/api/dialect.ts",
      find: '{ provider_a: "brave", provider_b: "google" }',
      replace: '{ provider_a: "google", provider_b: "brave" }',
    },
    {
      does: "more results come than were asked for",
      file: "src/sandbox/search/webSearch.ts",
      find: ".slice(0, limit)",
      replace: ".slice(0, limit + 1)",
    },
    {
      does: "an empty file is read",
      file: "src/sandbox/media.ts",
      find: "if (size === 0) throw",
      replace: "if (size < 0) throw",
    },
  ],
};
