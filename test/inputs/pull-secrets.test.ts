import { describe } from "vitest";
import { AppError } from "../../core/error.ts";
import { pullSecretFault } from "../../core/resources/secret/pull-secret.ts";
import { judgeInputs, refused } from "./table.ts";

/** Pull secrets, as nodes read them: containers/image takes `auth`, and `identitytoken` beside it. */

function read(text: string): string {
  const fault = pullSecretFault(text);
  if (fault !== undefined) throw new AppError("Invalid", fault);
  return text;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const good = { auth: base64("me:secret") };
const auths = (entries: unknown, more: object = {}): string =>
  JSON.stringify({ auths: entries, ...more });

const accepted: [string, string][] = [
  [auths({ "quay.io": good }), "docker login"],
  [auths({ "quay.io": { ...good, email: "me@example.com" } }), "OpenShift's own"],
  [auths({ "quay.io": good, "registry.redhat.io": good, "cloud.openshift.com": good }), "as usual"],
  [auths({ "https://index.docker.io/v1/": good }), "docker login of Docker Hub"],
  [auths({ "registry.example.com:5000/team": good }), "a port and a path"],
  [auths({ "[2001:db8::5]:5000": good }), "an IPv6 registry"],
  [auths({ "http://registry.example.com:5000": good }), "an older docker login"],
  [auths({ "https://registry.example.com/v2/": good }), "a URL, as docker takes it"],
  [auths({ "localhost:5000": good }), "a registry without dots"],
  [auths({ "*.registry.example.com": good }), "Kubernetes takes patterns"],
  [
    auths({
      ...{ "cloud.openshift.com": good, "quay.io": good },
      ...{ "registry.connect.redhat.com": good, "registry.redhat.io": good },
    }),
    "console.redhat.com",
  ],
  [auths({ "quay.io": { auth: base64("uhc-pool-1|me+x@y:eyJ.-_~ $%") } }), "all that is printed"],
  [auths({ "quay.io": { auth: base64("me:a:b") } }), "a password with a colon"],
  [auths({ "quay.io": { auth: base64("$oauthtoken:x") } }), "a robot"],
  [auths({ "quay.io": { auth: base64("me:pässwört") } }), "a password in UTF-8"],
  [
    auths({
      "x.azurecr.io": {
        auth: base64("00000000-0000-0000-0000-000000000000:"),
        identitytoken: "eyJ",
      },
    }),
    "az acr login",
  ],
  [auths({ "quay.io": good }, { credsStore: "desktop" }), "each entry is whole all the same"],
  [auths({ "quay.io": good }, { HttpHeaders: { "User-Agent": "Docker" } }), "docker's own file"],
  [JSON.stringify({ auths: { "quay.io": good } }, null, 2), "over several lines"],
  [`${auths({ "quay.io": good })}\n`, "a line's end"],
];

const noAuth = (registry: string) => refused(new RegExp(`has no 'auth' for ${registry}`));
const noLogin = (registry: string) =>
  refused(new RegExp(`has an 'auth' for ${registry}.*user:pass`));
const noRegistry = refused(/names '.*', which is no registry: .*such as quay.io/);
const noConfig = refused(/must be a docker config JSON/);

describe("a pull secret", () => {
  judgeInputs(read, [
    ...accepted.map(([text, from]) => [text, text, from] as const),
    [auths({ "quay.io": {} }, { credsStore: "desktop" }), noAuth("'quay.io'"), "docker/cli#3947"],
    [
      auths({ "quay.io": {} }, { credHelpers: { "quay.io": "x" } }),
      noAuth("'quay.io'"),
      "credHelpers",
    ],
    [
      auths({ "quay.io": { username: "me", password: "x" } }),
      noAuth("'quay.io'"),
      "nodes read auth",
    ],
    [
      auths({ "quay.io": good, "gcr.io": {} }),
      noAuth("'gcr.io'"),
      "one good entry beside an empty one",
    ],
    [
      auths({ a: {}, b: {}, c: {}, d: {}, e: {} }),
      noAuth("'a', 'b', 'c', 2 more"),
      "all that lack it",
    ],
    [auths({ "quay.io": { auth: "" } }), noAuth("'quay.io'"), "bazel-contrib/rules_oci#124"],
    [auths({ "quay.io": { auth: null } }), noAuth("'quay.io'"), "null"],
    [auths({ "quay.io": null }), noAuth("'quay.io'"), "null"],
    [auths({ "quay.io": "x" }), noAuth("'quay.io'"), "text"],
    [
      auths({ "quay.io": { identitytoken: "eyJ" } }),
      noAuth("'quay.io'"),
      "a token without its user",
    ],
    [auths({ "quay.io": { auth: base64("me:") } }), noLogin("'quay.io'"), "no password"],
    [auths({ "quay.io": { auth: base64(":x") } }), noLogin("'quay.io'"), "no user"],
    [auths({ "quay.io": { auth: base64("me") } }), noLogin("'quay.io'"), "no colon"],
    [auths({ "quay.io": { auth: "me:secret" } }), noLogin("'quay.io'"), "no base64"],
    [auths({ "quay.io": { auth: 5 } }), noLogin("'quay.io'"), "a number"],
    [
      auths({ "quay.io": { auth: base64("0000:"), identitytoken: "" } }),
      noLogin("'quay.io'"),
      "an empty token",
    ],
    [auths({ "quay.io": { auth: base64("me:secret\n") } }), noLogin("'quay.io'"), "echo | base64"],
    [auths({ "quay.io": { auth: base64("me\n:secret") } }), noLogin("'quay.io'"), "two lines"],
    [auths({ "quay.io": { auth: base64("me:secret\r\n") } }), noLogin("'quay.io'"), "Windows"],
    [auths({ "quay.io": { auth: base64("me:\0") } }), noLogin("'quay.io'"), "NUL alone"],
    [auths({ "quay.io": { auth: base64("me:a\tb") } }), noLogin("'quay.io'"), "a tab"],
    [auths({ "quay.io": { auth: base64("me:a\u0085") } }), noLogin("'quay.io'"), "a C1 control"],
    ...[
      ...["http://", "https://", "???", "/", ":5000", "quay.io:0", "quay.io:99999", "quay.io?a=b"],
      ...["oci://quay.io", "me@quay.io", "a..b", "-a.example.com", "192.0.2.010", "quay.io#a"],
      ...["[2001:db8::5", "quay.io\\x", "quay.io:port"],
    ].map(
      (registry) =>
        [auths({ "quay.io": good, [registry]: good }), noRegistry, `'${registry}'`] as const,
    ),
    [auths({}), noConfig, "openshift/installer: auths required"],
    [auths([good]), noConfig, "a list"],
    [auths({ "": good }), noConfig, "no registry"],
    [auths({ "quay.io\n": good }), noConfig, "a line's end in a name"],
    [JSON.stringify({ "quay.io": good }), noConfig, "the old .dockercfg"],
    ["{}", noConfig, "nothing in it"],
    ["null", noConfig, "no object"],
    ["x", noConfig, "no JSON"],
    [`\uFEFF${auths({ "quay.io": good })}`, noConfig, "Go reads no byte order mark"],
  ]);
});
