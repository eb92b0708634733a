// Which files an agent writes unasked, which only after a question, and which never, by their names.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { questionAbout, refusedName } from "../../../../../src/changes/engine/files/fileRisk.ts";

const riskOf = (path: string) =>
  refusedName(path) !== undefined ? "refused" : questionAbout(path) === undefined ? "unasked" : "asks";

const words = (text: string) => text.trim().split(/\s+/);

// A member of each pattern for which VS Code 1.139 asks (`chat.tools.edits.autoApprove`).
const editorAsks = words(`
  .git/config .git/hooks/pre-commit package.json server.xml build.rs web.config .gitattributes Cargo.toml .npmrc .yarnrc
  .yarnrc.yml .pnpmfile.js .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml a.code-workspace App.csproj App.fsproj App.vbproj
  App.vcxproj build.proj Directory.Build.targets Directory.Build.props build.gradle build.gradle.kts gradle.properties
  ruby_lsp/mine/addon.rb yarn.lock Cargo.lock poetry.lock package-lock.json pnpm-lock.yaml .mcp.json .vscode/settings.json
  .vscode/tasks.json .github/agents/a.agent.md .github/hooks/a.json .claude/agents/a.md .claude/settings.json
  .claude/settings.local.json .codex/agents/a.md .codex/config.toml .codex/hooks.json
`);

// The names that tools look for when they check, format, test, build or install, and what they read at the start.
const toolsRead = {
  prettier: `.prettierrc .prettierrc.json .prettierrc.yml .prettierrc.yaml .prettierrc.json5 .prettierrc.toml prettier.config.js
    prettier.config.mjs prettier.config.cjs prettier.config.ts prettier.config.mts prettier.config.cts package.yaml`,
  eslint: `eslint.config.js eslint.config.mjs eslint.config.cjs eslint.config.ts eslint.config.mts eslint.config.cts
    .eslintrc .eslintrc.yaml .eslintrc.yml .eslintrc.json`,
  stylelint: `stylelint.config.js stylelint.config.mjs stylelint.config.cjs stylelint.config.ts .stylelintrc .stylelintrc.json
    .stylelintrc.yml .stylelintrc.yaml`,
  others: `babel.config.js babel.config.json babel.config.cts jest.config.js jest.config.ts jest.config.json jest.setup.js
    vitest.config.ts vitest.workspace.ts vite.config.mts webpack.config.js webpack.dev.js rollup.config.mjs rspack.config.js
    tailwind.config.cjs postcss.config.js tsup.config.ts playwright.config.ts cypress.config.js karma.conf.js wdio.conf.ts
    next.config.mjs nuxt.config.ts svelte.config.js astro.config.mjs metro.config.js commitlint.config.js tsconfig.json
    tsconfig.build.json jsconfig.json tslint.json biome.json biome.jsonc dprint.json angular.json nx.json turbo.json lerna.json
    gulpfile.js gulpfile.babel.js Gruntfile.js nodemon.json deno.json deno.jsonc bunfig.toml bun.lock bun.lockb
    npm-shrinkwrap.json app.config.ts capacitor.config.ts .storybook/main.ts .changeset/config.json codegen.ts`,
  python: `pyproject.toml setup.py setup.cfg conftest.py tests/conftest.py tox.ini noxfile.py pytest.ini Pipfile Pipfile.lock
    requirements.txt requirements-dev.txt requirements/dev.txt constraints.txt environment.yml sitecustomize.py docs/conf.py
    mkdocs.yml pylintrc mypy.ini uv.lock uv.toml pdm.lock gunicorn.conf.py lib/a.pth`,
  others2: `Gemfile Gemfile.lock Rakefile lib/tasks/a.rake a.gemspec Guardfile Podfile Podfile.lock a.podspec Vagrantfile
    composer.json composer.lock phpunit.xml phpunit.xml.dist phpstan.neon Makefile GNUmakefile makefile.am build.mk
    CMakeLists.txt cmake/a.cmake CMakePresets.json meson.build configure configure.ac conanfile.py vcpkg.json justfile Justfile
    Taskfile.yml pom.xml build.xml settings.gradle settings.gradle.kts gradlew gradlew.bat mvnw mvnw.cmd
    gradle/wrapper/gradle-wrapper.properties gradle/wrapper/gradle-wrapper.jar gradle/libs.versions.toml build.sbt
    project/plugins.sbt project.clj deps.edn Package.swift Package.resolved a.xcodeproj/project.pbxproj go.mod go.sum go.work
    rust-toolchain rust-toolchain.toml mix.exs mix.lock rebar.config stack.yaml a.cabal dune-project pubspec.yaml pubspec.lock
    build.zig foundry.toml hardhat.config.ts truffle-config.js Anchor.toml App.sln Directory.Packages.props NuGet.Config
    global.json packages.lock.json WORKSPACE MODULE.bazel BUILD.bazel a.bzl flake.nix flake.lock default.nix shell.nix`,
  containers: `Dockerfile Dockerfile.dev api.dockerfile Containerfile docker-compose.yml docker-compose.dev.yaml compose.yaml
    docker-bake.hcl devcontainer.json Procfile skaffold.yaml`,
  services: `.github/workflows/ci.yml .github/dependabot.yml .github/actions/a/action.yml .gitlab-ci.yml .gitlab/ci/a.yml
    azure-pipelines.yml bitbucket-pipelines.yml Jenkinsfile cloudbuild.yaml buildspec.yml appveyor.yml netlify.toml vercel.json
    serverless.yml wrangler.toml fly.toml renovate.json`,
  agents: `AGENTS.md a/AGENTS.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md .github/copilot-instructions.md
    .github/instructions/a.instructions.md .github/prompts/a.prompt.md .github/skills/a/SKILL.md a/SKILL.md a.agent.md
    a.chatmode.md mcp.json`,
  dependencies: `node_modules/typescript/lib/tsserver.js a/node_modules/b/index.js vendor/a/a.go vendor/bundle/x.rb venv/bin/python
    lib/python3/site-packages/a.py Pods/a.m bower_components/a.js`,
  git: `.gitattributes a/.gitattributes hooks/pre-commit scripts/commit-msg post-checkout prepare-commit-msg.sh`,
};

test("whatever VS Code asks about is refused or asked about", () => {
  for (const path of editorAsks)
    for (const one of [path, `a/${path}`, path.toUpperCase()]) assert.notEqual(riskOf(one), "unasked", one);
});

test("what tools, builds, build services and agents read asks, at any depth and in any case, with a short reason", () => {
  for (const list of Object.values(toolsRead))
    for (const path of words(list))
      for (const one of [path, `packages/app/${path}`, path.toUpperCase(), path.replaceAll("/", "\\")]) {
        assert.equal(riskOf(one), "asks", one);
        const question = questionAbout(one) ?? "";
        assert.match(question, /^It asks because \S.*\.$/);
        assert.ok(question.length < 110, question);
      }
});

test("ordinary files are written unasked", () => {
  const files = `src/a.ts src/index.js README.md docs/guide.md a.py test/a.test.ts src/config.ts src/config/index.ts lib/setup.ts
    src/user.service.ts src/app.module.ts src/vendors.ts src/lock.ts src/package.ts main.go Main.java a.tf a.sql a.css a.svg
    data/users.json tasks/plan.md agents/run.ts src/agent.ts src/claude.ts hooks/useUser.ts src/hooks.ts src/build/a.ts
    build/a.txt target/a.txt public/index.html locales/en.json src/project.js src/workspace.js schema.prisma .gitignore
    .editorconfig .prettierignore .nvmrc .env.example CHANGELOG.md LICENSE a.ipynb src/make.ts src/docker.ts env/a.txt
    .well-known/security.txt .changeset/brave-cats.md`;
  for (const path of words(files)) assert.equal(riskOf(path), "unasked", path);
});

test("other spellings that a file system takes for the same name ask, too", () => {
  for (const path of [
    "pac\u200dkage.json",
    "ｐackage.json",
    "package.jſon",
    "./package.json",
    "a//package.json",
    "a/./.\u200cgithub/hooks/x.json",
    "MA\u212aEFILE",
    "node_module\u017f/a.js",
  ])
    assert.equal(riskOf(path), "asks", JSON.stringify(path));
});

test("the own configuration of this project asks", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  assert.ok(scripts.test);
  for (const path of ["package.json", "package-lock.json", "biome.json", "tsconfig.json"])
    assert.equal(riskOf(path), "asks", path);
});

test("a path below a folder that asks never runs unasked, and case does not matter", () => {
  const name = fc.string({ minLength: 1, maxLength: 12 }).filter((one) => !/[\\/]/.test(one) && one !== ".");
  const risky = fc.constantFrom("node_modules", ".github", "vendor", "site-packages");
  fc.assert(
    fc.property(
      fc.array(name, { maxLength: 3 }),
      risky,
      fc.array(name, { minLength: 1, maxLength: 3 }),
      (a, b, c) => {
        const path = [...a, b, ...c].join("/");
        assert.notEqual(riskOf(path), "unasked");
        assert.equal(riskOf(path.toUpperCase()) === "unasked", false);
      },
    ),
  );
});

test("names of any length are judged in linear time", () => {
  for (const part of ["a", "a.", "requirements-", ".config", "webpack.", "-"]) {
    const path = part.repeat(200_000);
    assert.ok(["asks", "unasked", "refused"].includes(riskOf(path)));
  }
});
