// The command lines of the programs in the random cases.
import { dirname } from "node:path";
import { quoted } from "./commandShell.ts";

/** What a program does: the line gets its file, another file, their folders, and a text, each quoted. */
const lines = {
  /** In a new file of the same mode. */
  sed: ({ file }) => `sed -i '1s/.*/program/' ${file}`,
  returns: ({ file }) => `sed -i 's/$/\\r/' ${file}`,
  /** As many formatters: the same file gets a new content. */
  format: ({ file }) => `[ -f ${file} ] && sed 's/^/  /' ${file} >x.tmp && cat x.tmp >${file}; rm -f x.tmp`,
  /** Bytes in the middle. */
  patch: ({ file }) => `[ -f ${file} ] && printf XY | dd of=${file} bs=1 seek=1 conv=notrunc`,
  truncate: ({ file }) => `truncate -c -s 3 ${file}`,
  /** A content of the same length, with the times from before. */
  disguise: ({ file }) =>
    `[ -f ${file} ] && touch -r ${file} x.ref && tr 'n' 'N' <${file} >x.tmp && cat x.tmp >${file}; ` +
    `touch -r x.ref ${file}; rm -f x.tmp x.ref`,
  append: ({ file }) => `[ -f ${file} ] && echo program >>${file}`,
  generate: ({ file, folder, text }) => `mkdir -p ${folder} && printf %s ${text} >${file}`,
  binary: ({ file, folder }) => `mkdir -p ${folder} && printf '\\000\\005' >${file}`,
  remove: ({ file }) => `rm -f ${file}`,
  /** As an atomic write. */
  replace: ({ file, folder, text }) =>
    `mkdir -p ${folder} && printf %s ${text} >x.tmp && chmod 640 x.tmp && mv -f x.tmp ${file}`,
  move: ({ file, to, toFolder }) => `[ -f ${file} ] && mkdir -p ${toFolder} && mv -f ${file} ${to}`,
  swap: ({ file, to }) =>
    `[ ${file} != ${to} ] && [ -f ${file} ] && [ -f ${to} ] && mv ${file} x.tmp && mv ${to} ${file} && mv x.tmp ${to}`,
  copy: ({ file, to, toFolder }) => `[ -f ${file} ] && mkdir -p ${toFolder} && cp -p ${file} ${to}`,
  hardLink: ({ file, to, toFolder }) => `[ -f ${file} ] && mkdir -p ${toFolder} && ln -f ${file} ${to}`,
  /** Another name that is gone again. */
  writeByLink: ({ file }) => `[ -f ${file} ] && ln -L ${file} x.link && echo program >>x.link; rm -f x.link`,
  chmod: ({ file }) => `chmod 600 ${file}`,
  chmodMore: ({ file }) => `chmod 744 ${file}`,
  readOnly: ({ file }) => `chmod 444 ${file}`,
  touch: ({ file }) => `touch -c -d @1000 ${file}`,
  link: () => "ln -s lf.txt link.txt",
  linkTo: ({ file, folder, to }) => `mkdir -p ${folder} && ln -s ${to} ${file}`,
  /** Over a file, or another link. */
  linkOver: ({ file, folder, to }) => `mkdir -p ${folder} && ln -sfn ${to} ${file}`,
  linkAway: ({ file, folder, pick }) =>
    `mkdir -p ${folder} && ln -sfn ${quoted(targets[pick] ?? "")} ${file}`,
  removeLink: ({ file }) => `[ -L ${file} ] && rm ${file}`,
  removeLinks: () => "rm -f up link.txt away dead d/up",
  retarget: ({ pick }) => `{ [ -L up ] || [ ! -e up ]; } && ln -sfn ${quoted(targets[pick] ?? "")} up`,
  moveLink: ({ file, toFolder, to }) => `[ -L ${file} ] && mkdir -p ${toFolder} && mv -fT ${file} ${to}`,
  fileForLink: ({ text }) => `[ -L up ] && rm up && printf %s ${text} >up`,
  folderForLink: () => "[ -L up ] && rm up && mkdir up && echo in >up/in.txt",
  linkForFolder: () => "[ ! -e m ] && mv d m && ln -s m d",
  linkForMissing: () => "[ ! -e m ] && mv d m && ln -s nowhere d",
  removeFolder: () => "rm -rf d",
  moveFolder: () => "[ ! -e m ] && mv d m",
  moveFolderBack: () => "[ ! -e d ] && mv m d",
  folderForFile: () => "[ -f lf.txt ] && rm lf.txt && mkdir lf.txt && echo in >lf.txt/in.txt",
  fileForFolder: () => "[ -d lf.txt ] && rm -r lf.txt && echo back >lf.txt",
  renameCase: () => "[ -f lf.txt ] && [ ! -e LF.TXT ] && mv lf.txt LF.TXT",
  breaks: ({ file }) => `[ -f ${file} ] && printf 'a\\rb\\f\\342\\200\\250c\\r\\n' >>${file}`,
  generateFolder: () =>
    `mkdir -p m/e m/copy && for name in m/in.txt "m/e/it's deep.txt"; do seq 3 >"$name"; done && cp -p m/e/* m/copy`,
} satisfies Readonly<Record<string, (given: Given) => string>>;

interface Given {
  readonly file: string;
  readonly folder: string;
  readonly to: string;
  readonly toFolder: string;
  readonly text: string;
  /** Of a target of a link. */
  readonly pick: number;
}

/** Also those that must only be texts: out of the workspace, into the repository, names that are no UTF-8, and very long ones. */
const targets = [
  "lf.txt",
  "d",
  "/etc",
  "../../../..",
  ".git/hooks/pre-commit",
  "none\u0001\n$(x)",
  "up",
  `${"long/".repeat(600)}end`,
];

export type ProgramAct = keyof typeof lines;
export const programActs = Object.keys(lines) as readonly ProgramAct[];

/** `file` and `to` are relative to the folder of the workspace. */
export function lineOf({
  act,
  file,
  to,
  text,
  pick,
}: {
  readonly act: ProgramAct;
  readonly file: string;
  readonly to: string;
  readonly text: string;
  readonly pick: number;
}): string {
  // A name that begins with a dash would count as an option.
  const placed = (name: string) => quoted(name.startsWith("-") ? `./${name}` : name);
  return lines[act]({
    file: placed(file),
    folder: quoted(dirname(file)),
    to: placed(to),
    toFolder: quoted(dirname(to)),
    text: quoted(text),
    pick,
  });
}
