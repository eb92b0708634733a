// What an agent may do to a file by its name alone: some it never writes, some it writes only after a question, because a
// program runs what they say: the editor, Git, a build, a package manager, a build service, or another agent.

/**
 * Names that begin with a dot belong to programs: most of them make the editor, Git, a shell or a build run something, or
 * steer other agents. Of them, an agent writes only these.
 */
const writtenDots = [
  /^\.(github|gitlab|gitlab-ci\.ya?ml|changeset|storybook|well-known)$/,
  /^\.(git|npm|docker|prettier|eslint|stylelint|markdownlint|vscode|helm|gcloud)ignore$/,
  /^\.(gitattributes|gitkeep|keep|mailmap|editorconfig|nojekyll|browserslistrc|clang-format|rustfmt\.toml)$/,
  /^\.(nvmrc|(node|python|ruby|java|go)-version)$/,
  /^\.(prettierrc|markdownlint|stylelintrc|yamllint|eslintrc)(\.(json|jsonc|json5|ya?ml|toml))?$/,
  // Those of real values are refused as secrets.
  /^\.env\..+$/,
];
/** Other files that make programs run by being there. */
const runsCode =
  /^(.*\.code-workspace|lefthook(-local)?\.(ya?ml|toml|json)|mise(\..+)?\.toml|opencode\.jsonc?)$/;

/** A kind of files about which the user is asked, by the last part of the path. Names are in the form of `sameName`. */
interface AskedNames {
  /** Why: the rest of a sentence that begins with the name. */
  readonly why: string;
  readonly names: readonly RegExp[];
}

const isRun = "says what builds and package managers run";
const askedNames: readonly AskedNames[] = [
  {
    why: "gives instructions to agents",
    names: [
      /^(agents?|claude|gemini|qwen|crush|warp|replit|copilot-instructions)(\.[\w-]+)?\.md$/,
      /\.(instructions|prompt|agent|chatmode)\.md$/,
      /^(skill\.md|mcp\.json|hooks\.json)$/,
    ],
  },
  {
    why: "says what build services run",
    names: [
      /^\.gitlab-ci\.ya?ml$/,
      /^(\.?gitlab-ci|azure-pipelines|bitbucket-pipelines|cloudbuild|buildspec|codemagic|wercker|bitrise|appveyor|amplify|render|pipeline|buildkite)([-.].+)?\.ya?ml$/,
      /^(netlify|fly|railway|wrangler|nixpacks|samconfig|render)\.(toml|jsonc?)$/,
      /^(vercel|cdk|app|renovate|railway)\.json5?$/,
      /^(serverless|pulumi|codegen)(\..+)?\.(ya?ml|json|[cm]?[jt]s)$/,
      /^(jenkinsfile|procfile)(\..+)?$/,
    ],
  },
  {
    why: "decides which code of others is installed",
    names: [
      /\.(lock|lockb|lockfile)$/,
      /[-.]lock\.(json|ya?ml)$/,
      /^(npm-shrinkwrap\.json|go\.sum|(package|cartfile)\.resolved|cabal\.project\.freeze)$/,
    ],
  },
  {
    why: "names programs that Git runs",
    names: [
      /^\.gitattributes$/,
      /^((pre|post)-(applypatch|commit|merge|merge-commit|rebase|checkout|rewrite|push|receive|update|auto-gc)|(applypatch|commit|prepare-commit)-msg|reference-transaction|proc-receive|push-to-checkout|sendemail-validate|fsmonitor-watchman|update)(\.(sh|ps1))?$/,
    ],
  },
  {
    why: isRun,
    names: [
      // JavaScript.
      /^package\.(json5?|ya?ml)$/,
      /^(bower|deno|jsr|lerna|nx|project|workspace|turbo|rush|moon|angular|nodemon|pm2)\.(jsonc?|ya?ml)$/,
      /^(pnpm-workspace\.ya?ml|pnpmfile\.[cm]?js|bunfig\.toml)$/,
      /^(gulpfile|gruntfile|jakefile|dangerfile|webpack\.mix|brunch-config|ember-cli-build|testem)(\..+)?$/,
      /^(webpack|rollup|vite|vitest|jest|babel|karma)\..+\.(json|[cm]?[jt]sx?)$/,
      // Rust, Go, Zig, Nim, Crystal.
      /^(cargo\.toml|build\.rs|rust-toolchain(\.toml)?|go\.(mod|work)|magefile\.go|build\.zig(\.zon)?|shard\.yml)$/,
      /\.(nimble|nims)$/,
      // Python.
      /^(setup\.(py|cfg)|pyproject\.toml|conftest\.py|(site|user)customize\.py|tox\.ini|noxfile\.py|pytest\.ini)$/,
      /^(fabfile|dodo|pavement)\.py$/,
      /^(pipfile|(uv|pdm|poetry|hatch|pixi)\.toml|environment\.ya?ml|(requirements|constraints)([-_.].+)?\.(txt|in))$/,
      /\.pth$/,
      // Ruby, PHP, Perl, Elixir, Erlang.
      /^(gemfile|rakefile|guardfile|capfile|fastfile|appfile|podfile|brewfile|vagrantfile|berksfile|thorfile)(\..+)?$/,
      /\.(gemspec|rake|podspec|rockspec)$/,
      /^(composer\.json|makefile\.pl|build\.pl|cpanfile|mix\.exs|rebar\.config(\.script)?)$/,
      // JVM.
      /\.(gradle|gradle\.kts|main\.kts|sbt)$/,
      /^(gradle(-wrapper)?|maven-wrapper)\.(properties|jar)$/,
      /^(gradlew|mvnw)(\.(bat|cmd))?$/,
      /^(pom|build|ivy|server|web)\.xml$/,
      /^(libs\.versions\.toml|project\.clj|(deps|shadow-cljs|bb)\.edn|build\.boot)$/,
      // .NET and C++.
      /\.([a-z]{0,6}proj|proj|props|targets|sln|slnx|pbxproj|xcscheme|xcconfig)$/,
      /^(nuget\.config|global\.json|packages\.config|web\.config|app\.config|directory\..+)$/,
      /^(cmakelists\.txt|cmake(user)?presets\.json|meson\.build|meson(_options|\.options)(\.txt)?|conanfile\.(py|txt)|vcpkg\.json)$/,
      /\.(cmake|mk|mak|bzl|cabal|opam|just)$/,
      /^(gnu|bsd)?makefile([-_.].+)?$/,
      /^(configure(\.ac|\.in)?|autogen\.sh|bootstrap\.sh|kbuild|sconstruct|sconscript|wscript|snakefile)$/,
      /^(build|workspace|module)(\.(bazel|bzlmod))?$/,
      /^(buck|justfile|earthfile|tiltfile)$/,
      /^(taskfile|magefile)(\..+)?\.ya?ml$/,
      // Haskell, OCaml, Swift, Dart, Julia.
      /^(stack\.yaml|cabal\.project(\.local)?|setup\.hs|dune(-project|-workspace)?|package\.swift|pubspec(_overrides)?\.yaml)$/,
      /^(build\.yaml|project\.toml|manifest\.toml)$/,
      // Chains.
      /^(foundry|anchor|move|scarb)\.toml$/,
      /^(brownie-config\.ya?ml|truffle(-config)?\.js)$/,
      // Containers, environments.
      /^(dockerfile|containerfile)([-_.].+)?$/,
      /\.(dockerfile|containerfile)$/,
      /^(docker-)?compose([-_.].+)?\.ya?ml$/,
      /^docker-bake(\..+)?\.(hcl|json)$/,
      /^(devcontainer|devbox)\.json$/,
      /^(skaffold|process-compose)\.ya?ml$/,
      /^((flake|default|shell|devenv)\.nix|direnv\.toml|ansible\.cfg|terragrunt\.hcl|crontab|supervisord\.conf)$/,
      /\.(service|desktop)$/,
    ],
  },
  {
    why: "can name code that editors, linters and tests run",
    names: [
      /^\.(prettierrc|stylelintrc|eslintrc)(\..+)?$/,
      /\.(config|conf|workspace|setup)\.[cm]?[jt]sx?$/,
      /^(app|babel|capacitor|commitlint|cspell|eslint|graphql|ionic|jest|lint-staged|metro|nightwatch|postcss|prettier|release|stylelint|tailwind|vitest|wdio)\.config\..+$/,
      /^(ts|js)config([-_.].+)?\.json$/,
      /^(tslint|oxlintrc|biome|rome|dprint|pyrightconfig|infection|typedoc)\.jsonc?$/,
      /^(pylintrc|mypy\.ini|phpunit\.xml(\.dist)?|phpstan\.neon(\.dist)?|psalm\.xml(\.dist)?|rector\.php|ecs\.php|behat\.ya?ml)$/,
      /^(mkdocs|_config|golangci|buf\.gen|sqlc|pre-commit-config)\.ya?ml$/,
      /^(conf\.py|.+\.conf\.py|(jupyter|ipython)_.*config\.py|_vimrc)$/,
    ],
  },
];

/** Files that are asked about only in such a folder. */
const askedInFolders = [/^\.changeset\/config\./, /^(requirements|constraints)\/.+\.(txt|in)$/];

/** Folders in which any file is asked about. */
const askedFolders: readonly AskedNames[] = [
  {
    why: "holds code of others, which programs run",
    names: [
      /^(node_modules|bower_components|jspm_packages|vendor|venv|virtualenv|(site|dist)-packages|__pypackages__|__pycache__|pods|carthage)$/,
    ],
  },
  { why: "holds what build services run, and instructions for agents", names: [/^\.(github|gitlab)$/] },
  { why: "holds code that its program runs", names: [/^\.storybook$/, /^ruby_lsp$/] },
];

/** The first name in a path that an agent never writes; undefined if it may. */
export function refusedName(path: string): string | undefined {
  return namesIn(path).find((name) => isRefused(sameName(name)));
}

/** Why an agent asks before it writes, moves or deletes this file, as a sentence; undefined if it need not. */
export function questionAbout(path: string): string | undefined {
  const names = namesIn(path);
  const folder = names.slice(0, -1);
  for (const name of folder) {
    const found = askedFolders.find(({ names: patterns }) => isOf(patterns, name));
    if (found) return `It asks because ${name} ${found.why}.`;
  }
  const last = names.at(-1) ?? "";
  const pair = `${names.at(-2) ?? ""}/${last}`;
  if (isOf(askedInFolders, pair)) return `It asks because ${last} ${isRun}.`;
  const found = askedNames.find(({ names: patterns }) => isOf(patterns, last));
  return found && `It asks because ${last} ${found.why}.`;
}

function isOf(patterns: readonly RegExp[], name: string): boolean {
  const plain = sameName(name);
  return patterns.some((pattern) => pattern.test(plain));
}

function namesIn(path: string): readonly string[] {
  return path.split(/[\\/]/).filter((name) => name !== "" && name !== ".");
}

function isRefused(name: string): boolean {
  return name.startsWith(".") ? !writtenDots.some((pattern) => pattern.test(name)) : runsCode.test(name);
}

/** A name as file systems compare it: some ignore case, invisible characters, and compatible forms such as `ſ` for `s`. */
export function sameName(name: string): string {
  const plain = name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
  return plain.toUpperCase().toLowerCase().normalize("NFKC");
}
