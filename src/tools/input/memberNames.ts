/** A name without case and separators: models write `file_path`, `filePath` and `FilePath` for one. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * The names that trained models use for the members of our tools, without case and separators. A name may stand for
 * several: that which the tool has is meant.
 */
const otherNames: Readonly<Record<string, string>> = {
  path: "file filepath filename targetfile absolutepath absolutefilepath fullpath relativepath relativefilepath relativeworkspacepath uri fileuri documentpath notebookpath dir dirpath directory directorypath folder folderpath targetdirectory absolutedirectorypath",
  from: "source sourcepath sourcefile src oldpath oldfilepath frompath original path filepath",
  to: "destination destinationpath destinationfile dest dst target targetpath newpath newfilepath topath",
  cwd: "workdir workingdirectory workingdir dir directory currentdirectory folder",
  old_text: "oldstring oldstr oldcode oldcontent oldtext search searchtext find original before",
  new_text: "newstring newstr newcode newcontent newtext replace replacetext replacement after updated",
  all: "replaceall global allowmultiple replaceallmatches",
  text: "content contents filetext filecontent filecontents newcontent newcontents body data code",
  edits: "changes replacements",
  query: "pattern regex q search searchterm searchtext searchquery term text keyword keywords string",
  include: "glob includepattern filepattern fileglob includes globpattern filespattern",
  glob: "pattern globpattern filepattern include",
  regex: "isregex isregexp useregex regexp",
  depth: "maxdepth levels",
  command: "cmd commandline shellcommand script",
  background: "runinbackground isbackground inbackground detached",
  timeout_seconds: "timeoutsec timeoutsecs timeouts",
  id: "commandid bashid shellid processid sessionid jobid terminalid",
  name: "task taskname label tasklabel",
  new_name: "newname name to",
  task: "prompt message text",
  plan: "todos todolist todo items markdown content tasks",
  url: "uri address link href page",
  symbol: "symbolname identifier name",
  line: "linenumber lineno",
  limit: "maxresults numresults count maxlines linecount numlines",
  offset: "startline linestart firstline startlinenumber startlineoneindexed from",
  end: "endline lineend lastline endlinenumber",
  params: "parameters args arguments",
  question: "prompt message text query",
  options: "choices followup suggestions suggest answers",
  patch: "input diff content text patchtext",
  image: "imagepath path filepath file",
};

const meanings = new Map<string, readonly string[]>();
for (const [member, others] of Object.entries(otherNames))
  for (const other of others.split(" ")) meanings.set(other, [...(meanings.get(other) ?? []), member]);

/** Members of our tools that a name may stand for. */
export function meaningsOf(name: string): readonly string[] {
  return meanings.get(plainName(name)) ?? [];
}

/** What models say beside a call: for a reader, or for the permissions of another product. It changes nothing. */
const said = new Set(
  "description explanation reason reasoning rationale justification thought thoughts thinking purpose summary title comment note instruction instructions goal intent taskprogress requiresapproval safetoautorun issafe sandboxpermissions withescalatedpermissions dangerouslydisablesandbox securityrisk activeform header toolcallid toolname toolsummary prefixrule yieldtimems maxoutputtokens linecount language aiproposedcontent modifiedbyuser login shell tty waitmsbeforeasync complexity ismultiline shouldreadentirefile haslargeoutput".split(
    " ",
  ),
);

/** True for a member that a tool may leave unread whatever it does. */
export function isHarmless(name: string, value: unknown): boolean {
  return said.has(plainName(name)) || isUnset(value);
}

function isUnset(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
