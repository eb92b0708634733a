import { decodeBase64 } from "../api/base64.ts";
import { uploadFromBytes } from "../api/call/body/upload.ts";
import { imageSize } from "../api/imageSize.ts";
import { imageAmount } from "../api/money/estimate.ts";
import { withoutMetadata } from "../api/withoutMetadata.ts";
import { Refusal } from "../platform/errors/refusal.ts";
import type { Client } from "../session/session.ts";
import { pictureProblem, undrawablePicture } from "../shared/images/imageBounds.ts";
import { formatUsd } from "../shared/money/formatUsd.ts";
import { serviceToolNames } from "../shared/names/ids.ts";
import { pictureUrlProblemAt } from "../shared/web/urlProblem.ts";
import { chooseModel } from "./chooseModel.ts";
import type { ResultFiles } from "./files/resultFiles.ts";
import { readOpenFile, type WorkspaceFiles } from "./files/workspaceFiles.ts";
import { type ImageRequest, requestPicture } from "./requestPicture.ts";
import {
  inputText,
  maxPartBytes,
  type ServiceTool,
  type ToolContent,
  type ToolInput,
  toolSchema,
} from "./serviceTool.ts";

export interface ImageToolDeps {
  readonly files: Pick<WorkspaceFiles, "read">;
  readonly results: ResultFiles;
}

const sizes = ["256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "1792x1024", "1024x1792"];
const ratios = ["1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5"];
const result =
  "The result is the picture, and the path of the file in which it was saved. Costs the price of the model, usually $0.01 to $0.20 a picture. Takes up to a minute.";
const modelProperty = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "Id of a model. Default: the service's default model.",
};

/** Tools that make a picture with one request. */
export function createImageTools(deps: ImageToolDeps): readonly ServiceTool[] {
  return [generateTool(deps), editTool(deps)];
}

function generateTool({ results }: ImageToolDeps): ServiceTool {
  const choose = (input: ToolInput, client: Client, signal: AbortSignal) =>
    chooseModel(input, client, signal, {
      type: "image",
      purpose: "make pictures",
      usdOf: (model) => imageAmount(model, {}).usd?.[1],
    });
  return {
    name: serviceToolNames.generateImage,
    title: "Generate a picture",
    description: `Makes one picture from a prompt. ${result}`,
    userDescription: "Makes a picture from a prompt, and saves it as a file.",
    parameters: toolSchema(
      {
        prompt: prompt("Describes the picture, at most 1,500 characters.", 1500),
        model: modelProperty,
        size: {
          type: "string",
          enum: sizes,
          description: "Width and height in pixels. Default: the model's own.",
        },
      },
      ["model", "size"],
    ),
    isReadOnly: false,
    async prepare(input, client, signal) {
      const { model, usd } = await choose(input, client, signal);
      const details = [
        `Prompt: ${inputText(input, "prompt")}`,
        `${client.connection.name} receives the prompt.`,
      ];
      const summary = `Generate a picture with ${model.id}`;
      return { summary, usd, asks: "price", details, button: "Generate" };
    },
    async run(input, client, signal) {
      const { model, usd } = await choose(input, client, signal);
      const size = inputText(input, "size") as "1024x1024" | "";
      const request: ImageRequest = {
        mode: "generate",
        input: {
          prompt: inputText(input, "prompt"),
          model: model.id,
          moderation: "auto",
          ...(size === "" ? {} : { size }),
        },
      };
      return savedPicture(client, request, usd, results, signal);
    },
  };
}

function editTool({ files, results }: ImageToolDeps): ServiceTool {
  const choose = (input: ToolInput, client: Client, signal: AbortSignal) =>
    chooseModel(input, client, signal, {
      type: "inpaint",
      purpose: "edit a picture",
      usdOf: (model) => imageAmount(model, { inputs: 1 }).usd?.[1],
    });
  return {
    name: serviceToolNames.editImage,
    title: "Edit a picture",
    description: `Changes a picture as a prompt says. The picture is a file of the workspace, a data URL, or the public web address of a picture, which the service reads: PNG, JPEG or WebP, less than 25 MB, 65,536 to 33,177,600 pixels. The original is not changed. ${result}`,
    userDescription: "Changes a picture as a prompt says, and saves the result as a new file.",
    parameters: toolSchema(
      {
        prompt: prompt("Describes the change, at most 32,768 characters.", 32_768),
        image: {
          type: "string",
          minLength: 1,
          description:
            "Path of the picture relative to the workspace, with /; or a data URL (data:image/png;base64,…); or an http(s) address.",
        },
        model: modelProperty,
        aspect_ratio: { type: "string", enum: ratios, description: "Default: that of the picture." },
      },
      ["model", "aspect_ratio"],
    ),
    isReadOnly: false,
    async prepare(input, client, signal) {
      const [{ model, usd }, picture] = await Promise.all([
        choose(input, client, signal),
        readPicture(files, client, inputText(input, "image")),
      ]);
      const { name: service } = client.connection;
      const details = [
        `Prompt: ${inputText(input, "prompt")}`,
        "url" in picture
          ? `${service} receives the prompt, and reads ${picture.url}`
          : `${service} receives the prompt and ${picture.name}.`,
      ];
      return { summary: `Edit a picture with ${model.id}`, usd, asks: "price", details, button: "Edit" };
    },
    async run(input, client, signal) {
      const { model, usd } = await choose(input, client, signal);
      const picture = await readPicture(files, client, inputText(input, "image"));
      const ratio = inputText(input, "aspect_ratio") as "1:1" | "";
      const request: ImageRequest = {
        mode: "edit",
        input: {
          prompt: inputText(input, "prompt"),
          model: model.id,
          image: "url" in picture ? picture.url : uploadFromBytes(picture.name, picture.type, picture.bytes),
          safe_mode: true,
          ...(ratio === "" ? {} : { aspect_ratio: ratio }),
        },
      };
      return savedPicture(client, request, usd, results, signal);
    },
  };
}

function prompt(description: string, maxLength: number) {
  return { type: "string", minLength: 1, maxLength, description };
}

interface InputPicture {
  /** For the user's decision and as the file's name. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Throws Refusal unless this is a picture that the service accepts, or an address that it may read. */
async function readPicture(
  files: ImageToolDeps["files"],
  { root }: Pick<Client, "root">,
  image: string,
): Promise<InputPicture | { readonly url: string }> {
  if (/^https?:/i.test(image)) {
    const problem = pictureUrlProblemAt(root, image);
    if (problem !== undefined) throw new Refusal(`Nothing was sent. image: ${problem}`);
    return { url: new URL(image).href };
  }
  const isData = /^data:/i.test(image);
  const name = isData ? "the picture of the call" : image;
  const bytes = isData ? decodeBase64(image) : await readOpenFile(files, image);
  if (!bytes) throw new Refusal("Nothing was sent. image: the data URL is not base64 text.");
  const head = imageSize(bytes);
  const problem = pictureProblem(head, bytes.byteLength);
  if (problem || !head) throw new Refusal(`Nothing was sent. image: ${problem}`);
  if (head.rare) {
    const reason = undrawablePicture(`a ${head.rare} JPEG`);
    throw new Refusal(`Nothing was sent. image: ${name}: ${reason}`);
  }
  const type = `image/${head.type}`;
  return { name: isData ? `picture.${head.type}` : name, type, bytes: withoutMetadata(bytes) };
}

/** Requests a picture and saves it before anything else can fail. */
async function savedPicture(
  { api, connection }: Client,
  request: ImageRequest,
  usd: number | undefined,
  results: ResultFiles,
  signal: AbortSignal,
): Promise<readonly ToolContent[]> {
  const reply = await requestPicture(api, request, { signal, onProgress: () => {} });
  if (reply.kind === "blocked")
    throw new Refusal(
      `${connection.name} does not allow the content of this picture. Rephrase the prompt. The request may be on the bill.`,
    );
  const { data: bytes, head, isBlurred } = reply;
  const path = await results.save("picture", head.type === "jpeg" ? "jpg" : head.type, bytes);
  const price = usd === undefined ? "" : ` Price: ${formatUsd(usd, connection.kind === "sandbox")}.`;
  const blurred = isBlurred ? " The service blurred it." : "";
  const size = `${head.width} × ${head.height} pixels`;
  const fits = bytes.byteLength <= maxPartBytes;
  const where = fits ? `Saved as ${path}.` : `It is too large for a result. It was saved as ${path}.`;
  const text = `Picture of ${size}. ${where}${price}${blurred}`;
  const part: ToolContent = { kind: "image", mime: `image/${head.type}`, bytes };
  return fits ? [{ kind: "text", text }, part] : [{ kind: "text", text }];
}
