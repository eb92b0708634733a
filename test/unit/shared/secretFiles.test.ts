// Recognizes files with keys or passwords by their names.
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import fc from "fast-check";
import { looksSecret } from "../../../src/shared/secretFiles.ts";

/** Secret files by product. */
const secret = {
  environment: ".env .env.local .env-prod .env_ci .envrc prod.env .flaskenv .dev.vars .dev.vars.staging",
  histories:
    ".bash_history .zsh_history .sh_history .ksh_history .histfile .history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history .bash_history-01234.tmp fish_history ConsoleHost_history.txt .lesshst .viminfo .dbshell",
  tools:
    ".netrc _netrc .npmrc .yarnrc.yml .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .git-credentials .dockercfg .dockerconfigjson .vault-token .vault_pass .s3cfg .boto .terraformrc terraform.rc .smbcredentials .erlang.cookie .msmtprc rclone.conf auth.json sftp.json sftp-config.json local.settings.json settings-security.xml filezilla.xml",
  telling:
    ".secrets .secret .credentials .credentials.json credentials credentials.json secrets.yaml secrets.yml secrets.toml app-secrets.json prod.secrets.env secret.txt passwords.txt db_password.txt passwd tokens.json token.json token.pickle access_token.txt refresh-token.json .token .api_tokens api_key.txt api-keys.json private_key.json application_default_credentials.json aws-credentials",
  clouds:
    "kubeconfig kubeconfig.yaml kubeconfig-prod.yml prod.kubeconfig service-account.json service_account_prod.json my-serviceAccountKey.json client_secret_1-a.apps.json acme-firebase-adminsdk-1a2b.json gcp-key.json gha-creds-1.json terraform.tfvars terraform.tfvars.json ci.auto.tfvars ci.auto.tfvars.json terraform.tfstate terraform.tfstate.backup terraform.tfstate.17.backup",
  ssh: "id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519-work id_rsa.old id_work.old id_rsa_2024 deploy_rsa github_ed25519 ssh_host_ed25519_key authorized_keys",
  stores:
    "server.pem server.key AuthKey_1A2B.p8 cert.p12 cert.pfx release.jks debug.keystore vault.kdbx vault.kdb putty.ppk krb5.keytab strong.snk site.pvk me.asc me.gpg home.ovpn login.keychain-db wallet.1pif key4.db logins.json cookies.sqlite",
  wallets:
    "wallet.dat wallet.json UTC--2024-01-02T03-04-05.006Z--d8da keystore.json keystore-m_12381.json deploy-keypair.json mnemonic.txt seed-phrase.txt recovery-codes.txt backup_codes.txt",
};
const secretNames = Object.values(secret).flatMap((names) => names.split(" "));

const secretPlaces = [
  "home/.ssh/config",
  ".ssh/keys/work",
  ".gnupg/trustdb",
  ".aws/config",
  ".aws/sso/cache/a.json",
  ".azure/accessTokens",
  ".docker/config.json",
  ".kube/config",
  ".git/config",
  "a/.git/config",
  ".config/gh/hosts.yml",
  ".config/gcloud/legacy/a/adc",
  ".config/solana/id.json",
  "C:\\Users\\a\\AppData\\Roaming\\gcloud\\x.db",
  "C:\\Users\\a\\AppData\\Roaming\\GitHub CLI\\hosts.yml",
  ".password-store/mail",
  ".secrets/mail",
  ".m2/settings.xml",
  ".foundry/keystores/dev",
  "run/secrets/db",
  "/etc/shadow",
  "/etc/kubernetes/admin.conf",
];

/** Similar names without secrets. */
const plain = [
  ..."environment.ts keyboard.ts secretFiles.ts secretary.md tokens.ts token.md tokenizer.json".split(" "),
  ..."design-tokens.json special_tokens_map.json id_card.png id_map.ts identity.rs keys.ts key.ts".split(" "),
  ..."history.md HISTORY.rst history.ts kubeconfig.go kubeconfig_test.go kubeconfig.md passwords.php".split(
    " ",
  ),
  ..."password.tsx credentials.ts secrets.md wallet.ts keystore.go service-account.md serviceAccount.ts".split(
    " ",
  ),
  ..."variables.tf main.tf rsa.ts crypto_rsa.go known_issues.md .gitconfig .editorconfig .npmignore".split(
    " ",
  ),
  ...".gitignore package.json tsconfig.json settings.xml settings.json env.d.ts docker-compose.yml".split(
    " ",
  ),
  ..."config.json .docker/cli/plugins/list.txt .azure/pipelines/ci.yml .github/workflows/scan-secrets.yml".split(
    " ",
  ),
  ..."sshd.conf ssh/readme.md aws/lambda.ts seed.ts seeds.sql recovery.md backup.ts cookies.ts auth.ts".split(
    " ",
  ),
  ..."a.crt a.cer ca-bundle.crt monkey.ts turkey.json hockey.txt donkey.key.ts".split(" "),
];

const examples = [
  ..."id_rsa.pub id_ed25519.pub .env.example .env.sample .env.template .env.dist .env.defaults example.env".split(
    " ",
  ),
  ..."secrets.example.yaml credentials.sample.json secrets.schema.json .npmrc.example tokens.example.json".split(
    " ",
  ),
];

suite("looksSecret", () => {
  test("matches names and folders of keys and passwords", () => {
    for (const path of [...secretNames, ...secretPlaces]) assert.ok(looksSecret(path), path);
  });

  test("does not match similar names and examples", () => {
    for (const path of [...plain, ...examples]) assert.ok(!looksSecret(path), path);
  });

  test("matches in any folder, path style and case", () => {
    const folder = fc.array(fc.constantFrom("src", "home", "Müller & Söhne", "C:", "..", "a.b"));
    const separator = fc.constantFrom("/", "\\");
    const path = fc.tuple(folder, separator, fc.constantFrom(...secretNames), fc.boolean());
    fc.assert(
      fc.property(path, ([folders, separator, name, upper]) => {
        const whole = [...folders, upper ? name.toUpperCase() : name].join(separator);
        assert.ok(looksSecret(whole), whole);
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...secretPlaces), (place) => {
        assert.ok(looksSecret(`/x/${place.replaceAll("/", "\\")}`), place);
      }),
    );
  });

  test("a copy is as secret as its original", () => {
    const copies: readonly ((name: string) => string)[] = [
      ...["~", ".old", ".bak", ".backup", ".orig", ".1", ".bak.2", ".", "::$DATA"].map(
        (mark) => (name: string) => name + mark,
      ),
      (name) => `.${name}.swp`,
      (name) => `#${name}#`,
      (name) => name.replace(/(\.[^.]*)?$/, " (1)$1"),
      (name) => name.replace(/(\.[^.]*)?$/, " copy$1"),
      (name) => name.replace(/(\.[^.]*)?$/, " - Copy (2)$1"),
    ];
    for (const name of ["id_rsa", "server.pem", "credentials.json", "kubeconfig", "tokens.json", ".netrc"])
      for (const copy of copies) {
        if (name.startsWith(".") && /[ (]/.test(copy(name))) continue;
        assert.ok(looksSecret(copy(name)), copy(name));
      }
    for (const name of ["notes.md", "main.ts"])
      for (const copy of copies) assert.ok(!looksSecret(copy(name)), copy(name));
  });

  test("a line break in a name hides nothing", () => {
    for (const name of [".env.\nlocal", ".ssh/\nkey", "my\nown-secrets.yaml"])
      assert.ok(looksSecret(name), JSON.stringify(name));
  });

  test("accepts any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (path) => typeof looksSecret(path) === "boolean"));
    for (const part of [".tfstate", ".backup", "-secrets.", "(1)", ".kube/", "a/.ssh", "~", ".old", "copy "])
      assert.equal(typeof looksSecret(part.repeat(100_000)), "boolean");
  });
});
