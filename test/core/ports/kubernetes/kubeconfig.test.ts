import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { AppError } from "../../../../core/error.ts";
import { parseKubeconfig } from "../../../../core/ports/kubernetes/kubeconfig.ts";

const pem = (name: string) => `-----BEGIN ${name}-----\nAAAA\n-----END ${name}-----\n`;
const data = (name: string) => Buffer.from(pem(name)).toString("base64");

interface Parts {
  cluster?: object;
  user?: object;
  top?: object;
}

const text = ({ cluster, user, top }: Parts = {}) =>
  stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "main",
    contexts: [{ name: "main", context: { cluster: "hub", user: "admin" } }],
    clusters: [
      {
        name: "hub",
        cluster: {
          server: "https://api.hub.example.com:6443",
          "certificate-authority-data": data("CERTIFICATE"),
          ...cluster,
        },
      },
    ],
    users: [{ name: "admin", user: user ?? { token: "abc.def" } }],
    ...top,
  });

function refused(kubeconfig: string): string[] {
  try {
    parseKubeconfig(kubeconfig);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.kind).toBe("Invalid");
    return error.violations.map(({ field }) => field);
  }
  return [];
}

it("a token, the authority and the server come out of it", () => {
  expect(parseKubeconfig(text())).toEqual({
    server: "https://api.hub.example.com:6443",
    ca: pem("CERTIFICATE"),
    token: "abc.def",
  });
});

it("so does a client certificate, and JSON is YAML too", () => {
  const user = {
    "client-certificate-data": data("CERTIFICATE"),
    "client-key-data": data("EC PRIVATE KEY"),
  };
  const connection = parseKubeconfig(text({ user, cluster: { server: "https://10.0.0.1:6443/" } }));
  expect(connection).toEqual({
    server: "https://10.0.0.1:6443",
    ca: pem("CERTIFICATE"),
    clientCertificate: pem("CERTIFICATE"),
    clientKey: pem("EC PRIVATE KEY"),
  });
});

it("members that are empty are as good as absent", () => {
  const user = { token: "abc", "client-certificate": "", exec: null };
  expect(refused(text({ user, cluster: { "insecure-skip-tls-verify": false } }))).toEqual([]);
});

it("of several contexts the current one counts, and the others are not looked at", () => {
  const top = {
    "current-context": "other",
    contexts: [
      { name: "main", context: { cluster: "hub", user: "admin" } },
      { name: "other", context: { cluster: "second", user: "bot" } },
    ],
    clusters: [
      { name: "hub", cluster: { server: "http://plain" } },
      { name: "second", cluster: { server: "https://second" } },
    ],
    users: [
      { name: "admin", user: { exec: { command: "rm" } } },
      { name: "bot", user: { token: "t" } },
    ],
  };
  expect(parseKubeconfig(text({ top }))).toEqual({ server: "https://second", token: "t" });
  expect(refused(text({ top: { ...top, "current-context": "main" } }))).toEqual([
    "users[0].user.exec",
    "clusters[0].cluster.server",
  ]);
  expect(refused(text({ top: { ...top, "current-context": undefined } }))).toEqual([
    "current-context",
  ]);
  expect(refused(text({ top: { ...top, "current-context": "none" } }))).toEqual([
    "current-context",
  ]);
});

describe("refuses and names", () => {
  const user = (member: string, value: unknown): [string, string] => [
    text({ user: { token: "t", [member]: value } }),
    `users[0].user.${member}`,
  ];
  const cluster = (member: string, value: unknown): [string, string] => [
    text({ cluster: { [member]: value } }),
    `clusters[0].cluster.${member}`,
  ];

  it.each([
    user("exec", { apiVersion: "client.authentication.k8s.io/v1", command: "aws" }),
    user("auth-provider", { name: "oidc" }),
    user("tokenFile", "/var/run/token"),
    user("client-certificate", "/etc/cert.pem"),
    user("client-key", "/etc/key.pem"),
    user("username", "admin"),
    user("as", "system:admin"),
    user("token", "two\nlines"),
    user("token", 7),
    user("client-key-data", "%%%"),
    cluster("certificate-authority", "/etc/ca.pem"),
    cluster("certificate-authority-data", Buffer.from("no pem").toString("base64")),
    cluster("insecure-skip-tls-verify", true),
    cluster("proxy-url", "http://proxy:3128"),
    cluster("server", "http://api.hub.example.com"),
    cluster("server", "https://user:pass@api.hub.example.com"),
    cluster("server", "not a url"),
    cluster("server", undefined),
    cluster("tls-server-name", "a b"),
  ])("%#: the member", (kubeconfig, field) => {
    expect(refused(kubeconfig)).toEqual([field]);
  });

  it("all that is wrong at once", () => {
    const all = text({
      user: { exec: { command: "x" } },
      cluster: { "proxy-url": "p", server: "" },
    });
    expect(refused(all)).toEqual([
      "clusters[0].cluster.proxy-url",
      "users[0].user.exec",
      "clusters[0].cluster.server",
    ]);
  });

  it("missing credentials, or half of them", () => {
    expect(refused(text({ user: {} }))).toEqual(["users[0].user.token"]);
    const half = { "client-certificate-data": data("CERTIFICATE") };
    expect(refused(text({ user: half }))).toEqual(["users[0].user.client-key-data"]);
  });

  it.each([
    ["broken YAML", "{ not: [closed", [""]],
    ["a word", "just a word", [""]],
    ["nothing", "", [""]],
    ["no parts", "clusters: []", ["contexts", "users"]],
    ["a context's user missing", text({ top: { users: [] } }), ["users"]],
    ["a malformed list", text({ top: { clusters: "none" } }), ["clusters"]],
    ["a malformed item", text({ top: { users: [{ user: {} }] } }), ["users[0].name"]],
  ])("what is no kubeconfig: %s", (_, kubeconfig, fields) => {
    expect(refused(kubeconfig)).toEqual(fields);
  });

  it("without quoting what may be secret", () => {
    try {
      parseKubeconfig(text({ user: { token: "SECRET value", "client-key-data": "SECRET%" } }));
      expect.unreachable();
    } catch (error) {
      expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("SECRET");
    }
  });
});
