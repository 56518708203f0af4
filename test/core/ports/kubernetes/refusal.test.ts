import { ApiException } from "@kubernetes/client-node";
import { describe, expect, it } from "vitest";
import { NoAnswer } from "../../../../core/ports/kubernetes/connection.ts";
import { NotNow } from "../../../../core/ports/kubernetes/not-now.ts";
import { translate } from "../../../../core/ports/kubernetes/refusal.ts";

const user = "system:serviceaccount:slipway:slipway";
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "pull", namespace: "ns" } };
const account = { ...secret, kind: "ServiceAccount" };

/** A Status object as an API server sends it. */
function refused(code: number, message: string, members: object = {}): ApiException<string> {
  const status = { kind: "Status", apiVersion: "v1", status: "Failure", message, code, ...members };
  return new ApiException(code, "Unsuccessful HTTP Request", JSON.stringify(status), {});
}

const forbidden = (message: string, causes?: object[]) =>
  refused(403, message, { reason: "Forbidden", details: { kind: "agents", causes } });

describe("a right that is missing passes, and is named with who misses it", () => {
  const sentences = [
    `User "${user}" cannot list resource "agents" in API group "agent-install.openshift.io" in the namespace "hardware-inventory"`,
    `User "${user}" cannot delete resource "managedclusters" in API group "cluster.open-cluster-management.io" at the cluster scope`,
    `User "${user}" cannot get path "/api/v1"`,
  ];
  const heads = ["agents.agent-install.openshift.io is ", 'managedclusters.cluster "x" is ', ""];
  it.each(sentences.map((words, n) => [words, heads[n]]))("%s", (words, head) => {
    const error = translate(forbidden(`${head}forbidden: ${words}`), "agents");
    expect(error).toMatchObject({
      kind: "Unavailable",
      message: `the hub does not grant a right: ${words}`,
    });
    expect(error).toBeInstanceOf(NotNow);
  });

  it("of a Secret too, without what else is said", () => {
    const words = `User "${user}" cannot patch resource "secrets" in API group "" in the namespace "ns"`;
    const error = translate(forbidden(`secrets "pull" is forbidden: ${words}: HUSH`), secret);
    expect(error).toMatchObject({
      kind: "Unavailable",
      message: `the hub does not grant a right: ${words}`,
    });
    expect(everythingOf(error)).not.toContain("HUSH");
  });

  it("by what clients call the server", () => {
    const words = `User "u" cannot get path "/apis"`;
    const error = translate(forbidden(`forbidden: ${words}`), "x", "the hosted cluster");
    expect(error.message).toBe(`the hosted cluster does not grant a right: ${words}`);
  });
});

describe("what admission forbids stays forbidden", () => {
  it.each([
    'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": privileged',
    'roles.rbac.authorization.k8s.io "r" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held',
    'admission webhook "a.b.c" denied the request: User "ann" cannot get path "/x"',
    "injected fault: the server answers 403",
  ])("%s", (message) => {
    expect(translate(forbidden(message), "x")).toMatchObject({ kind: "Rejected", message });
  });
});

describe("a namespace on its way out passes", () => {
  const message =
    'x "pull" is forbidden: unable to create new content in namespace ns because it is being terminated';
  const causes = [{ reason: "NamespaceTerminating", message: "HUSH", field: "metadata.namespace" }];
  it.each([account, secret])("for a $kind", (object) => {
    const error = translate(forbidden(message, causes), object);
    expect(error).toMatchObject({
      kind: "Unavailable",
      message: "its namespace is still being removed",
    });
    expect(error).toBeInstanceOf(NotNow);
  });

  it("and nothing that is said of a Secret is kept", () => {
    expect(everythingOf(translate(forbidden(message, causes), secret))).not.toContain("HUSH");
  });
});

describe("an apply that does not fit the schema is refused for good", () => {
  const message =
    "failed to create typed patch object (default/u; /v1, Kind=ConfigMap): .dataa: field not declared in schema";
  it("in the server's words, although it answers 500", () => {
    expect(translate(refused(500, message), account)).toMatchObject({ kind: "Rejected", message });
  });

  it("but for a Secret, whose value it quotes", () => {
    const quoted = `${message}\n  .data.a: expected string, got &value.valueUnstructured{Value:HUSH}`;
    const error = translate(refused(500, quoted), secret);
    expect(error).toMatchObject({
      kind: "Rejected",
      message: "the hub does not take Secret pull (500)",
    });
    expect(everythingOf(error)).not.toContain("HUSH");
  });

  it("any other 500 passes", () => {
    const error = translate(refused(500, "Internal error occurred: etcd", {}), account);
    expect(error.kind).toBe("Unavailable");
    expect(error).not.toBeInstanceOf(NotNow);
  });
});

describe("a webhook that the server cannot ask", () => {
  const head =
    'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook';
  const cure = ": its administrator has to repair it or its configuration";
  it.each([
    [
      `${head}: Post "https://10.0.0.1:443/x?timeout=10s": dial tcp 10.0.0.1:443: connect: connection refused`,
      "'a.example.com' fails (connection refused)",
    ],
    [
      `${head}: Post "https://10.0.0.1:443/x?timeout=10s": context deadline exceeded`,
      "'a.example.com' fails (context deadline exceeded)",
    ],
    [
      'conversion webhook for hypershift.openshift.io/v1alpha1, Kind=HostedCluster failed: Post "https://x": EOF',
      "that converts hypershift.openshift.io/v1alpha1, Kind=HostedCluster fails (EOF)",
    ],
  ])("passes, and is named: %s", (message, webhook) => {
    const error = translate(refused(500, message, { reason: "InternalError" }), account);
    expect(error).toMatchObject({
      kind: "Unavailable",
      message: `the hub's webhook ${webhook}${cure}`,
    });
    // The server has answered.
    expect(error).toBeInstanceOf(NotNow);
  });

  it("is named alone for a Secret", () => {
    const error = translate(refused(500, `${head}: Post "https://x": HUSH`), secret);
    expect(error.message).toContain("webhook 'a.example.com' fails: ");
    expect(everythingOf(error)).not.toContain("HUSH");
  });
});

describe("a kind that the server does not serve", () => {
  const cudn = {
    ...{ apiVersion: "k8s.ovn.org/v1", kind: "ClusterUserDefinedNetwork" },
    metadata: { name: "slipway-net" },
  };
  const other = { apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "x" } };
  const message = "the server could not find the requested resource";
  it.each([
    [
      cudn,
      "the hub has no kind ClusterUserDefinedNetwork (k8s.ovn.org/v1): install OVN-Kubernetes with user-defined networks there, in a version that serves it",
    ],
    [other, "the hub has no kind Thing (example.com/v1)"],
  ])("is named with its version, and what to install: %s", (object, words) => {
    for (const error of [
      // A group that nobody serves is no path of the server.
      new ApiException(404, "no", "404 page not found\n", {}),
      refused(404, message, { reason: "NotFound", details: {} }),
      new Error("Unrecognized API version and kind: k8s.ovn.org/v1 ClusterUserDefinedNetwork"),
    ])
      expect(translate(error, object)).toMatchObject({ kind: "Rejected", message: words });
  });

  it("is not an object that is not there", () => {
    const gone = 'namespaces "ns" not found';
    const details = { name: "ns", kind: "namespaces" };
    const error = translate(refused(404, gone, { reason: "NotFound", details }), account);
    expect(error).toMatchObject({ kind: "Rejected", message: gone });
  });
});

describe("a certificate that does not do", () => {
  it.each([
    ["SELF_SIGNED_CERT_IN_CHAIN", "is not signed by the CA in its kubeconfig"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "is not signed by the CA in its kubeconfig"],
    ["CERT_HAS_EXPIRED", "has expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "is for another host"],
  ])("%s: %s", (code, words) => {
    const cause = new TypeError("fetch failed", {
      cause: Object.assign(new Error("no"), { code }),
    });
    const error = new NoAnswer("no", "GET version", { cause });
    expect(translate(error, "version")).toMatchObject({
      ...{ kind: "Unavailable", message: `the certificate of the hub ${words}` },
      call: "GET version",
    });
  });
});

describe("a refusal by its status alone", () => {
  it.each([
    [400, "Rejected"],
    [401, "Unavailable"],
    [403, "Rejected"],
    [404, "Rejected"],
    [405, "Rejected"],
    [406, "Rejected"],
    [408, "Unavailable"],
    [409, "Conflict"],
    // The token of a list that goes on has expired: the next list begins anew.
    [410, "Unavailable"],
    [413, "Rejected"],
    [415, "Rejected"],
    [422, "Rejected"],
    [429, "Unavailable"],
    [500, "Unavailable"],
    [501, "Unavailable"],
    [502, "Unavailable"],
    [503, "Unavailable"],
    [504, "Unavailable"],
  ])("%i is %s, whether or not a Status comes with it", (code, kind) => {
    for (const error of [
      refused(code, "no"),
      new ApiException(code, "no", "<html>no</html>", {}),
    ]) {
      expect(translate(error, "agents").kind).toBe(kind);
      expect(translate(error, secret).kind).toBe(kind);
    }
  });

  it("none at all, or none that makes sense, passes", () => {
    const timeout = new NoAnswer("the hub took too long", "GET agents");
    expect(translate(timeout, "agents")).toMatchObject({
      kind: "Unavailable",
      message: "the hub does not answer",
      call: "GET agents",
    });
    const unknown = new Error("Unrecognized API version and kind: x/v1 Y");
    expect(translate(unknown, "agents").kind).toBe("Rejected");
    expect(translate(new SyntaxError("no JSON"), "agents").kind).toBe("Unavailable");
  });
});

it.each([
  refused(503, "HUSH"),
  refused(401, "HUSH"),
  refused(422, "HUSH"),
  refused(409, "HUSH"),
  new SyntaxError('Unexpected token "HUSH"'),
])("what is said of a Secret is kept nowhere: %s", (thrown) => {
  expect(everythingOf(translate(thrown, secret))).not.toContain("HUSH");
});

/** What a log may make of an error. */
function everythingOf(error: Error): string {
  const { message, cause, stack } = error;
  const rest = "detail" in error ? String(error.detail) : "";
  return [message, stack, rest, String(cause), JSON.stringify(cause)].join("\n");
}
