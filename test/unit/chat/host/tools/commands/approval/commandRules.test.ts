import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleOf } from "../../../../../../../src/chat/host/tools/commands/approval/commandRules.ts";
import { simpleCommands } from "../../../../../../../src/chat/host/tools/commands/commandLine.ts";
import { nowherePlace } from "../judged.ts";

const ruleFor = (line: string) => ruleOf(nowherePlace, simpleCommands(line)?.[0] ?? assert.fail(line));

test("a rule keeps the program and its command, and covers names, paths of the workspace and harmless options", () => {
  for (const [line, rule] of [
    ["npm run lint", "npm run *"],
    ["npm run build docs", "npm run *"],
    ["npm run --silent lint", "npm run *"],
    ["npm test", "npm test *"],
    ["cargo test parser --release", "cargo test *"],
    ["go test ./...", "go test *"],
    ["go test -v ./pkg/a", "go test *"],
    ["pytest tests/a.py::test_b -x -k 'b and c'", "pytest *"],
    ["python -m pytest tests", "python -m pytest *"],
    ["python3 -m pytest -q", "python3 -m pytest *"],
    ["tsc -p src --noEmit", "tsc *"],
    ["git add src/a.ts", "git add *"],
    ["git commit -am 'fix = it'", "git commit *"],
    ["git commit -m '/api: a' src", "git commit *"],
    ["ruff check src", "ruff check *"],
  ] as const)
    assert.equal(ruleFor(line), rule, line);
});

test("no rule covers an interpreter, a program that runs others, or one that installs, sends or deletes", () => {
  for (const line of [
    ...[
      "node a.js",
      "python a.py",
      "python -m http.server",
      "python3 -m pip install x",
      "ruby x",
      "perl x",
      "deno run x",
    ],
    ...[
      "npm exec x",
      "npm install x",
      "npm ci",
      "npm publish",
      "pnpm dlx x",
      "pnpm exec x",
      "yarn run x",
      "yarn x",
      "bun run x",
    ],
    ...[
      "uv run x",
      "cargo run x",
      "cargo install x",
      "go run x",
      "go install x",
      "go generate",
      "make test",
      "gradle test",
    ],
    ...[
      "./gradlew test",
      "mvn test",
      "rake test",
      "docker run x",
      "kubectl get x",
      "terraform plan",
      "rm x",
      "mv a b",
      "cp a b",
    ],
    ...[
      "curl x",
      "wget x",
      "ssh-keygen",
      "git push",
      "git fetch x",
      "git checkout x",
      "git reset x",
      "git clean",
      "git config x",
    ],
    ...[
      "git stash",
      "git rebase x",
      "git clone x",
      "sed s/a/b/ x",
      "awk x",
      "tee x",
      "dd x",
      "npm",
      "git",
      "cargo",
      "go",
      "x",
    ],
  ])
    assert.equal(ruleFor(line), undefined, line);
});

test("no rule covers an option that is not known to be harmless, another folder, a secret or an address", () => {
  for (const line of [
    ...[
      "npm run lint -- --fix",
      "npm run lint --prefix=/tmp/x",
      "npm run lint --prefix x",
      "npm run -C x y",
      "npm run x --script-shell=x",
    ],
    ...[
      "npm run lint -- -x",
      "npm run a=b",
      "npm run @x",
      "npm run +x",
      "npm run ../x",
      "npm run /tmp/x",
      "npm run http://x",
    ],
    ...["npm --prefix x run lint", "npm test .env", "npm test src/../../x", "npm run lint -- --config=x"],
    ...[
      "cargo test --config x",
      "cargo test --manifest-path=x",
      "cargo +nightly test",
      "cargo test --target-dir=x",
      "cargo build -Zx",
    ],
    ...[
      "cargo test -- --nocapture",
      "go test -exec x",
      "go build -o x",
      "go build -toolexec=x",
      "go vet -vettool=x",
      "go test -o x",
    ],
    ...[
      "pytest -c x",
      "pytest -p x",
      "pytest --rootdir=x",
      "pytest -o a",
      "pytest -k --x",
      "python -m pytest -p x",
    ],
    ...[
      "tsc -p /tmp/x",
      "tsc -p ../x",
      "tsc -p/tmp/x",
      "tsc --outDir=x",
      "tsc @x",
      "eslint -c x",
      "eslint --rulesdir=x",
      "eslint -o x",
    ],
    ...[
      "jest --config=x",
      "jest -c x",
      "prettier --plugin=x",
      "prettier --config=x",
      "mypy --install-types",
      "black --config=x",
    ],
    ...[
      "git commit --amend",
      "git commit -F x",
      "git commit -m -x",
      "git commit -n",
      "git commit --template=x",
      "git add -f x",
    ],
    ...[
      "git add ../x",
      "git add .env",
      "git add --pathspec-from-file=x",
      "git -c a=b commit",
      "git commit -S",
      "ruff check --config=x",
    ],
  ])
    assert.equal(ruleFor(line), undefined, line);
});
