const names =
  "sh bash zsh fish ksh csh tcsh dash ash shell shellscript shell-script shellsession shell-session bash-session " +
  "sh-session console terminal term cli powershell pwsh posh ps ps1 bat batch cmd command dos doscon nu nushell elvish xonsh";
const shells: ReadonlySet<string> = new Set(names.split(" "));

/** True if the language of a fence is that of shell commands. */
export function isShellLanguage(language: string): boolean {
  return shells.has(language.toLowerCase());
}
