const names =
  "sh bash zsh fish ksh csh tcsh dash ash shell shellscript shell-script shellsession shell-session bash-session " +
  "sh-session console terminal term cli powershell pwsh posh ps ps1 bat batch cmd command dos doscon nu nushell elvish xonsh";
const shells: ReadonlySet<string> = new Set(names.split(" "));

/** Whether what a fence calls its language is one of commands, to be typed into a terminal. */
export function isShellLanguage(language: string): boolean {
  return shells.has(language.toLowerCase());
}
