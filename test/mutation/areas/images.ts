import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const images = "src/sandbox/images";

export const imagesArea: Area = {
  tests: [
    unit("api/call/body/upload", "sandbox/images/handlers*"),
    contract("classes"),
    contract("otherPath"),
    contract("charges", "^images\\."),
    contractRows("^images\\."),
  ],
  mutants: [
    {
      does: "a prompt may have 1501 characters",
      file: "src/api/endpoints/images.ts",
      find: "prompt: z.string().min(1).max(1500)",
      replace: "prompt: z.string().min(1).max(1501)",
    },
    {
      does: "the sandbox accepts a prompt of 1501 characters",
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
      does: "two images are requested",
      file: "src/api/endpoints/images.ts",
      find: "n: z.literal(1)",
      replace: "n: z.int().min(1)",
    },
    {
      does: "the client combines four images",
      file: "src/api/dialect/dialectRules.ts",
      find: "z.array(z.unknown()).max(3",
      replace: "z.array(z.unknown()).max(4",
    },
    {
      does: "the sandbox combines at most two images",
      file: `${images}/models.ts`,
      find: "mostImages: constraints.maxInputImages ?? 1",
      replace: "mostImages: Math.min(2, constraints.maxInputImages ?? 1)",
    },
    {
      does: "the other path is not tried",
      file: "src/api/endpoints/images.ts",
      find: '    otherPath: "/image/generations",\n',
      replace: "",
    },
    {
      does: "the other path is not remembered",
      file: "src/api/call/client.ts",
      find: 'if (other.exchange.error?.kind !== "not-found") shared.usesOtherPath.add(id);',
      replace: "",
    },
    {
      does: "an image may have one pixel less",
      file: "src/api/endpoints/files.ts",
      find: "const minImagePixels = 65_536;",
      replace: "export const minImagePixels = 65_535;",
    },
    {
      does: "an image may have one row more",
      file: "src/api/endpoints/files.ts",
      find: "const maxImagePixels = 33_177_600;",
      replace: "export const maxImagePixels = 33_185_280;",
    },
    {
      does: "a file may have 26 MB",
      file: "src/api/endpoints/files.ts",
      find: "const maxFileBytes = 25 *",
      replace: "export const maxFileBytes = 26 *",
    },
    {
      does: "the sandbox accepts one pixel less",
      file: `${images}/inputImage.ts`,
      find: "const fewestPixels = 65_536;",
      replace: "const fewestPixels = 65_535;",
    },
    {
      does: "the sandbox accepts one row more",
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
      does: "adult content is not blurred by default",
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
      does: "2K is returned as PNG",
      file: `${images}/requests.ts`,
      find: '(resolution === "1K" ? "png" : "jpeg")',
      replace: '"png"',
    },
    {
      does: "a single edit on venice accepts a quality",
      file: "src/api/dialect/dialectRules.ts",
      find: "{ ...edit, quality: absent }",
      replace: "{ ...edit }",
    },
    {
      does: "the sandbox ignores the dialect's rules",
      file: "src/sandbox/http/answer.ts",
      find: "  checkDialect(route, members, state.dialect);\n",
      replace: "",
    },
    {
      does: "modelId wins over model",
      file: `${images}/requests.ts`,
      find: 'model === undefined ? namedModel("modelId", modelId) : namedModel("model", model)',
      replace: 'modelId === undefined ? namedModel("model", model) : namedModel("modelId", modelId)',
    },
    {
      does: "an edit loses its aspect ratio",
      file: `${images}/handlers.ts`,
      find: '({ kind: "own" })',
      replace: '({ kind: "named", ratio: "1:1" })',
    },
    {
      does: "a multi-edit keeps the exact aspect ratio",
      file: `${images}/handlers.ts`,
      find: '({ ratios }) => ({ kind: "closest", ratios })',
      replace: '() => ({ kind: "own" })',
    },
    {
      does: "forbidden edits are accepted",
      file: `${images}/handlers.ts`,
      find: "  refuseForbidden(request.prompt);\n",
      replace: "",
    },
    {
      does: "further inputs are free",
      file: `${images}/handlers.ts`,
      find: " + Math.max(0, choice.inputs - included) * additional.usd",
      replace: "",
    },
    {
      does: "width and height are swapped",
      file: `${images}/requests.ts`,
      find: "const [width = 1024, height = 1024]",
      replace: "const [height = 1024, width = 1024]",
    },
    {
      does: "a blurred image is not reported",
      file: "src/api/binary.ts",
      find: 'blurred: says(headers, "is-blurred")',
      replace: "blurred: false",
    },
  ],
};
