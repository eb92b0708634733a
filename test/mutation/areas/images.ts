import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const images = "src/sandbox/images";

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
      file: "src/api/dialectRules.ts",
      find: "z.array(z.unknown()).max(3",
      replace: "z.array(z.unknown()).max(4",
    },
    {
      does: "the sandbox combines two pictures at most",
      file: `${images}/models.ts`,
      find: "mostImages: constraints.maxInputImages ?? 1",
      replace: "mostImages: Math.min(2, constraints.maxInputImages ?? 1)",
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
      find: "const minImagePixels = 65_536;",
      replace: "export const minImagePixels = 65_535;",
    },
    {
      does: "a picture may have one row more",
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
      file: "src/api/dialectRules.ts",
      find: "{ ...edit, quality: absent }",
      replace: "{ ...edit }",
    },
    {
      does: "the sandbox holds nothing to the dialect's rules",
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
      file: `${images}/handlers.ts`,
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
