// Formats whose text nobody here reads: each place where a file is given names the format and the step that helps, sends
// nothing, and shows no bytes as text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import { createAttachmentReader } from "../../../../src/chat/host/attachments/content/readAttachment.ts";
import { createReadFileTool } from "../../../../src/chat/host/tools/files/readFile.ts";
import type { CallContext } from "../../../../src/chat/host/tools/tool.ts";
import { createBlobStore } from "../../../../src/platform/files/blobStore.ts";
import { parseDocument } from "../../../../src/sandbox/documents/parseDocument.ts";
import { otherDocument } from "../../../../src/shared/documents/otherDocument.ts";
import { pictureProblem } from "../../../../src/shared/images/imageBounds.ts";
import { imageFormatOf } from "../../../../src/shared/images/imageFormats.ts";
import { createParseDocumentAction } from "../../../../src/tools/parseDocument.ts";
import { checkDocument } from "../../../../src/web/parse/documentKind.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { double, replace } from "../../vscodeDouble.ts";

const { wholeDocument } = await import("../../../../src/speech/host/reading/readTarget.ts");

const hex = (start: string) => Buffer.concat([Buffer.from(start, "hex"), Buffer.alloc(600)]);
const box = (brand: string) => hex(`00000018${Buffer.from(`ftyp${brand}`).toString("hex")}`);
const odf = (kind: string) =>
  zipSync({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${kind}`), { level: 0 }],
    "content.xml": strToU8("<office:document-content>Harvest</office:document-content>"),
  });

/** What is said of each file, after `it is`. */
const formats: Readonly<Record<string, readonly [bytes: Uint8Array, words: RegExp]>> = {
  "a.odt": [odf("text"), /^an OpenDocument file: save it as DOCX/],
  "a.ods": [odf("spreadsheet"), /^an OpenDocument file: save it as DOCX, PPTX or XLSX$/],
  "no-type.odp": [zipSync({ "content.xml": strToU8("<x/>") }), /^an OpenDocument file/],
  "a.epub": [
    zipSync({
      mimetype: [strToU8("application/epub+zip"), { level: 0 }],
      "META-INF/container.xml": strToU8("<container/>"),
    }),
    /^an EPUB book: convert it to DOCX/,
  ],
  "no-type.epub": [zipSync({ "META-INF/container.xml": strToU8("<container/>") }), /^an EPUB book/],
  "a.rtf": [Buffer.from("{\\rtf1\\ansi Harvest}"), /^an RTF file: save it as DOCX$/],
  "a.doc": [hex("d0cf11e0a1b11ae1"), /^an old or password-protected Office file: save it as DOCX/],
  "a.ppt": [hex("d0cf11e0a1b11ae1"), /^an old or password-protected Office file/],
  "a.xls": [hex("d0cf11e0a1b11ae1"), /^an old or password-protected Office file/],
  "a.xlsb": [
    zipSync({ "[Content_Types].xml": strToU8("<x/>"), "xl/workbook.bin": strToU8("x") }),
    /^an XLSB file: save it as XLSX$/,
  ],
  "a.pages": [zipSync({ "Index/Document.iwa": strToU8("x") }), /^an iWork file: export it as DOCX/],
  // The name `.key` is that of a file of secrets, too.
  "a.keynote": [
    zipSync({ "preview.jpg": strToU8("x"), "Index/Slide-1.iwa": strToU8("x") }),
    /^an iWork file/,
  ],
  "old.numbers": [zipSync({ "Index.zip": strToU8("x") }), /^an iWork file/],
  "a.7z": [hex("377abcaf271c"), /^an archive$/],
  "a.mp4": [box("isom"), /^a video$/],
  "a.heic": [box("heic"), /^a HEIC image: export it as PNG or JPEG$/],
  "a.heif": [box("mif1"), /^a HEIC image: export/],
  "a.tiff": [hex("49492a0008000000"), /^a TIFF image: export/],
  "photo.dng": [hex("4d4d002a00000008"), /^a TIFF image: export/],
  "photo.cr3": [box("crx "), /^a raw photo: export it as JPEG$/],
  "photo.raf": [Buffer.concat([Buffer.from("FUJIFILMCCD-RAW "), Buffer.alloc(300)]), /^a raw photo/],
  "a.psd": [hex("3842505300010000"), /^a Photoshop image: export/],
};
const { signal } = new AbortController();
const messageOf = async (call: () => unknown): Promise<string> => {
  try {
    return `no refusal: ${JSON.stringify(await call())}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

for (const [name, [bytes, words]] of Object.entries(formats))
  test(`${name} is refused by its format everywhere`, async (t) => {
    const said = otherDocument(bytes) ?? "";
    assert.match(said, words);
    const checked = checkDocument(name, bytes.length, bytes);
    const attach = () =>
      createAttachmentReader(createBlobStore(temporaryFolder())).fromFile("1", {
        kind: "bytes",
        name,
        bytes,
        size: bytes.length,
      });
    const files = {
      read: async () => bytes,
      readText: async () => assert.fail("no text"),
      look: async () => ({ size: bytes.length, head: bytes.subarray(0, 8192) }),
    };
    const reader = createReadFileTool(
      files,
      () => {},
      async () => assert.fail("no document"),
    );
    const read = () => reader.run?.({ path: name }, signal, { results: { maxTokens: 9 } } as CallContext);
    const client = () => assert.fail("nothing is sent");
    const parse = (isHere: boolean) => () =>
      createParseDocumentAction({ readsHere: () => isHere, read: async () => assert.fail("not read") }).run(
        { path: name },
        { client, files: { ...files, bytes: async () => bytes } as never },
        signal,
      );
    const [attached, agent, service] = await Promise.all(
      [attach, read, () => parseDocument(bytes)].map(messageOf),
    );
    assert.ok("problem" in checked && checked.problem.startsWith(`${name} is ${said}. The parser accepts`));
    assert.ok(agent?.includes(`it is ${said}.`), agent);
    assert.ok(service?.includes(`This is ${said}. Must be`), service);
    for (const isHere of [true, false]) {
      const tool = await messageOf(parse(isHere));
      assert.ok(tool.includes(`${name} can't be read: it is ${said}.`), tool);
    }
    const image = imageFormatOf(bytes);
    // A picture is told with the way that its device has.
    if (image) assert.match(attached ?? "", new RegExp(`content is ${image.name}\\..*(?:Export|export)`));
    else assert.ok(attached?.includes(`it is ${said}.`), attached);
    const studio = pictureProblem(undefined, bytes.length, image) ?? "";
    assert.match(studio, image ? new RegExp(`content is ${image.name}\\.`) : /Use PNG, JPEG or WebP\./);
    const fs = { stat: async () => ({ size: bytes.length }), readFile: async () => bytes };
    const isText = name === "a.rtf";
    const document = { getText: () => bytes.toString(), uri: double.Uri.file(`/${name}`), isUntitled: false };
    replace(
      "workspace",
      {
        fs,
        asRelativePath: () => name,
        openTextDocument: async () => (isText ? document : Promise.reject(new Error("binary"))),
      },
      t,
    );
    const aloud = await wholeDocument(double.Uri.file(`/${name}`) as never, {} as never);
    assert.equal(aloud, `${name} can't be read aloud: it is ${said}.`);
  });

test("text that begins as another file does is text, and so is a document that is read", () => {
  for (const start of [
    "MZ is a mark",
    "ID3 tags",
    "OggS",
    "fLaC",
    "Rar!",
    "BM",
    "8BPS",
    "<svg></svg>",
    "{ rtf",
  ])
    assert.equal(otherDocument(Buffer.from(`${start} and more words`)), undefined, start);
  const parts = {
    "[Content_Types].xml": strToU8("<x/>"),
    "word/document.xml": strToU8("x"),
    "content.xml": strToU8("x"),
  };
  assert.equal(otherDocument(zipSync(parts)), undefined);
  assert.equal(otherDocument(new Uint8Array()), undefined);
  assert.equal(otherDocument(Buffer.from("%PDF-1.7\n\0")), undefined);
});

test("a zip file of many signatures and none is looked at in bounded steps", () => {
  const head = Buffer.from("504b030414000000000000000000000000000000000000000000ffff0000", "hex");
  assert.equal(otherDocument(Buffer.concat(Array.from({ length: 100_000 }, () => head))), undefined);
  assert.equal(otherDocument(Buffer.concat([head, Buffer.alloc(9_000_000, 0x50)])), undefined);
});
