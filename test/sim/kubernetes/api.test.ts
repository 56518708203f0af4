import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it } from "vitest";
import type { KubeCluster } from "../../../sim/kubernetes/cluster.ts";
import { type Answer, caller, openCluster, widget, widgets } from "./fixture.ts";

let cluster: KubeCluster;
let call: (method: string, path: string, body?: unknown, headers?: object) => Promise<Answer>;
beforeEach(() => {
  cluster = openCluster().cluster;
  call = caller(cluster).call;
});

const configMaps = "/api/v1/namespaces/default/configmaps";
const mergeType = { "content-type": "application/merge-patch+json" };
const jsonType = { "content-type": "application/json-patch+json" };
const strategicType = { "content-type": "application/strategic-merge-patch+json" };
const applyType = { "content-type": "application/apply-patch+yaml" };

it("503 while the disk is full: nothing is made, and all goes on once there is room", async () => {
  const database = new DatabaseSync(":memory:");
  const { call } = caller(openCluster(database).cluster);
  const page_count = Number(database.prepare("PRAGMA page_count").get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${page_count + 4}`);
  const large = {
    ...widget("large"),
    metadata: { name: "large", annotations: { a: "a".repeat(50_000) } },
  };
  expect(await call("POST", widgets, large)).toMatchObject({
    code: 503,
    body: { kind: "Status", reason: "ServiceUnavailable" },
  });
  expect((await call("GET", `${widgets}/large`)).code).toBe(404);
  database.exec("PRAGMA max_page_count = 1000000");
  expect((await call("POST", widgets, large)).code).toBe(201);
});

describe("the rim", () => {
  it("is healthy without a token", async () => {
    const { api } = caller(cluster);
    for (const path of ["/readyz", "/livez", "/healthz"]) {
      expect(await (await api(new Request(`https://hub.test${path}`))).text()).toBe("ok");
    }
  });

  it("401 without a token or with an unknown one", async () => {
    const unauthorized = {
      code: 401,
      body: { kind: "Status", status: "Failure", reason: "Unauthorized", message: "Unauthorized" },
    };
    expect(await call("GET", "/api", undefined, { authorization: "" })).toMatchObject(unauthorized);
    const wrong = { authorization: "Bearer wrong" };
    expect(await call("GET", widgets, undefined, wrong)).toMatchObject(unauthorized);
  });

  it("403 in the words of RBAC", async () => {
    const authorize = ({ verb }: { verb: string }) => verb !== "delete";
    const limited = caller(cluster, { authorize });
    await limited.call("POST", widgets, widget("a"));
    expect(await limited.call("DELETE", `${widgets}/a`)).toMatchObject({
      code: 403,
      body: {
        reason: "Forbidden",
        message:
          'widgets.example.com "a" is forbidden: User "tester" cannot delete resource "widgets" in API group "example.com" in the namespace "default"',
        details: { name: "a", group: "example.com", kind: "widgets" },
      },
    });
  });

  it.each([
    "/apis/example.com/v1/gadgets",
    "/apis/example.com/v2/widgets",
    "/apis/nowhere/v1/widgets",
    "/api/v1/widgets",
    `${widgets}/a/logs`,
    "/somewhere",
  ])("404 for %s, which nobody serves", async (path) => {
    expect(await call("GET", path)).toMatchObject({
      code: 404,
      body: {
        reason: "NotFound",
        message: "the server could not find the requested resource",
      },
    });
  });

  it.each([
    ["POST", `${widgets}/a`],
    ["PUT", widgets],
    ["PATCH", widgets],
    ["POST", "/apis/example.com/v1/widgets"],
    ["DELETE", `${widgets}/a/status`],
    ["POST", "/api"],
  ])("405 for %s %s", async (method, path) => {
    expect(await call(method, path, {})).toMatchObject({
      code: 405,
      body: {
        reason: "MethodNotAllowed",
        message: "the server does not allow this method on the requested resource",
      },
    });
  });

  it("tells what it serves", async () => {
    expect((await call("GET", "/api")).body).toMatchObject({ versions: ["v1"] });
    const groups = (await call("GET", "/apis")).body.groups;
    expect(groups.map((group: { name: string }) => group.name)).toEqual([
      "coordination.k8s.io",
      "certificates.k8s.io",
      "rbac.authorization.k8s.io",
      "example.com",
    ]);
    const { body } = await call("GET", "/apis/example.com/v1");
    expect(body).toMatchObject({ kind: "APIResourceList", groupVersion: "example.com/v1" });
    expect(body.resources.map((resource: { name: string }) => resource.name)).toEqual([
      "widgets",
      "widgets/status",
      "widgets/scale",
      "shelves",
    ]);
    expect((await call("GET", "/version")).body).toMatchObject({ major: "1", minor: "32" });
    const { paths } = (await call("GET", "/openapi/v3")).body;
    const document = await call("GET", paths["apis/example.com/v1"].serverRelativeURL);
    expect(document.body.components.schemas).toHaveProperty(["com.example.v1.Widget"]);
  });
});

describe("create", () => {
  it("answers 201 with what the server adds", async () => {
    const { code, body } = await call("POST", widgets, widget("a", { replicas: 1 }));
    expect(code).toBe(201);
    expect(body).toMatchObject({
      kind: "Widget",
      metadata: { name: "a", namespace: "default", generation: 1 },
      spec: { size: "small", replicas: 1 },
    });
    expect(body.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(body.metadata.creationTimestamp).toBe("2030-01-01T00:00:00Z");
  });

  it("makes a name from generateName", async () => {
    const metadata = { name: undefined, generateName: "thing-" };
    const first = await call("POST", widgets, widget("", {}, metadata));
    const second = await call("POST", widgets, widget("", {}, metadata));
    expect(first.body.metadata.name).toMatch(/^thing-[b-z2-9]{5}$/);
    expect(second.body.metadata.name).not.toBe(first.body.metadata.name);
  });

  it("409 for a name that is taken", async () => {
    await call("POST", widgets, widget("a"));
    expect(await call("POST", widgets, widget("a"))).toMatchObject({
      code: 409,
      body: {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        message: 'widgets.example.com "a" already exists',
        reason: "AlreadyExists",
        details: { name: "a", group: "example.com", kind: "widgets" },
        code: 409,
      },
    });
  });

  it.each([
    [
      "a wrong type",
      { spec: { replicas: "two" } },
      'Widget.example.com "a" is invalid: spec.replicas: Invalid value: "string": spec.replicas in body must be of type integer: "string"',
    ],
    [
      "a value that is not offered",
      { spec: { size: "huge" } },
      'Widget.example.com "a" is invalid: spec.size: Unsupported value: "huge": supported values: "small", "large"',
    ],
    [
      "a missing member",
      { spec: undefined },
      'Widget.example.com "a" is invalid: spec: Required value',
    ],
    [
      "several at once",
      { spec: { size: "huge", parts: [{}] } },
      'Widget.example.com "a" is invalid: [spec.size: Unsupported value: "huge": supported values: "small", "large", spec.parts[0].name: Required value]',
    ],
    [
      "a bad name",
      { metadata: { name: "Upper" } },
      /metadata.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain/,
    ],
    [
      "no name",
      { metadata: {} },
      /metadata.name: Required value: name or generateName is required/,
    ],
    [
      "a label with two slashes",
      { metadata: { name: "a", labels: { "a/b/c": "x" } } },
      /metadata.labels: Invalid value: "a\/b\/c"/,
    ],
    [
      "a bad label value",
      { metadata: { name: "a", labels: { a: "-" } } },
      /metadata.labels: Invalid value: "-"/,
    ],
  ])("422 for %s", async (_, change, message) => {
    const { code, body } = await call("POST", widgets, { ...widget("a"), ...change });
    expect({ code, reason: body.reason }).toEqual({ code: 422, reason: "Invalid" });
    if (typeof message === "string") expect(body.message).toBe(message);
    else expect(body.message).toMatch(message);
    expect(body.details.causes.length).toBeGreaterThan(0);
  });

  it("refuses unknown fields unless the client has them dropped", async () => {
    const misspelt = { ...widget("a", { replica: 1 }), extra: true };
    expect(await call("POST", widgets, misspelt)).toMatchObject({
      code: 400,
      body: {
        reason: "BadRequest",
        message: 'strict decoding error: unknown field "spec.replica", unknown field "extra"',
      },
    });
    const warned = await call("POST", `${widgets}?fieldValidation=Warn`, misspelt);
    expect(warned.body.spec).toEqual({ size: "small" });
    expect(warned.headers.get("warning")).toContain('unknown field \\"spec.replica\\"');
  });

  it("400 for a body that does not belong to the path, 415 for one it cannot read", async () => {
    const elsewhere = widget("a", {}, { namespace: "kube-system" });
    expect(await call("POST", widgets, elsewhere)).toMatchObject({ code: 400 });
    expect(await call("POST", widgets, { ...widget("a"), kind: "Shelf" })).toMatchObject({
      code: 400,
    });
    expect(await call("POST", widgets, "{")).toMatchObject({ code: 400 });
    const protobuf = { "content-type": "application/vnd.kubernetes.protobuf" };
    expect(await call("POST", widgets, "x", protobuf)).toMatchObject({
      code: 415,
      body: { reason: "UnsupportedMediaType" },
    });
  });

  it("a dry run answers and leaves nothing", async () => {
    expect((await call("POST", `${widgets}?dryRun=All`, widget("a"))).code).toBe(201);
    expect((await call("GET", `${widgets}/a`)).code).toBe(404);
    expect((await call("POST", `${widgets}?dryRun=Some`, widget("a"))).code).toBe(400);
  });

  it("takes YAML", async () => {
    const yaml = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: '1'}}";
    const type = { "content-type": "application/yaml" };
    expect(await call("POST", configMaps, yaml, type)).toMatchObject({
      code: 201,
      body: { data: { x: "1" } },
    });
  });
});

describe("read", () => {
  beforeEach(async () => {
    for (const [name, tier] of [
      ["a", "front"],
      ["b", "back"],
      ["c", "front"],
    ] as const) {
      await call("POST", widgets, widget(name, {}, { labels: { tier } }));
    }
  });

  const names = ({ body }: Answer) =>
    body.items.map((item: { metadata: { name: string } }) => item.metadata.name);

  it("404 names what is missing", async () => {
    expect(await call("GET", `${widgets}/x`)).toMatchObject({
      code: 404,
      body: {
        message: 'widgets.example.com "x" not found',
        reason: "NotFound",
        details: { name: "x", group: "example.com", kind: "widgets" },
      },
    });
  });

  it("lists one namespace or all, by selectors", async () => {
    await call(
      "POST",
      widgets.replace("default", "kube-system"),
      widget("z", {}, { namespace: "kube-system" }),
    );
    const all = "/apis/example.com/v1/widgets";
    expect(names(await call("GET", widgets))).toEqual(["a", "b", "c"]);
    expect(names(await call("GET", all))).toEqual(["a", "b", "c", "z"]);
    expect(names(await call("GET", `${widgets}?labelSelector=tier%3Dfront`))).toEqual(["a", "c"]);
    expect(names(await call("GET", `${widgets}?labelSelector=tier+notin+(front)`))).toEqual(["b"]);
    expect(names(await call("GET", `${all}?fieldSelector=metadata.name=b`))).toEqual(["b"]);
    expect((await call("GET", `${widgets}?fieldSelector=spec.size=small`)).code).toBe(400);
  });

  it("pages through a list at one resourceVersion", async () => {
    const first = await call("GET", `${widgets}?limit=2`);
    expect(first.body).toMatchObject({ kind: "WidgetList", metadata: { remainingItemCount: 1 } });
    const { continue: token, resourceVersion } = first.body.metadata;
    await call("POST", widgets, widget("d"));
    const second = await call("GET", `${widgets}?limit=2&continue=${token}`);
    expect([...names(first), ...names(second)]).toEqual(["a", "b", "c", "d"]);
    expect(second.body.metadata).toEqual({ resourceVersion });
    expect((await call("GET", `${widgets}?continue=garbage`)).code).toBe(400);
  });

  it("410 for a page whose history is forgotten", async () => {
    const { body } = await call("GET", `${widgets}?limit=1`);
    const churn = (n: number) => cluster.patchStatus("Widget", "default", "a", () => ({ n }));
    cluster.store.transaction(() => {
      for (let n = 0; n < 2100; n++) churn(n);
    });
    const next = await call("GET", `${widgets}?limit=1&continue=${body.metadata.continue}`);
    expect(next).toMatchObject({ code: 410, body: { reason: "Expired" } });
  });

  it("prints tables", async () => {
    cluster.patchStatus("Widget", "default", "a", () => ({
      conditions: [{ type: "Ready", status: "True" }],
    }));
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    const { body } = await call("GET", `${widgets}?limit=1`, undefined, { accept });
    expect(body).toMatchObject({
      kind: "Table",
      apiVersion: "meta.k8s.io/v1",
      rows: [{ cells: ["a", "small", "True", "0s"], object: { kind: "PartialObjectMetadata" } }],
    });
    expect(body.columnDefinitions.map((column: { name: string }) => column.name)).toEqual([
      "Name",
      "Size",
      "Ready",
      "Age",
    ]);
    expect((await call("GET", widgets, undefined, { accept: "text/html" })).code).toBe(406);
  });
});

describe("update", () => {
  it("409 for a stale resourceVersion, 422 for none", async () => {
    const { body } = await call("POST", widgets, widget("a"));
    const changed = { ...body, spec: { size: "large" } };
    expect((await call("PUT", `${widgets}/a`, changed)).body.metadata.generation).toBe(2);
    expect(await call("PUT", `${widgets}/a`, changed)).toMatchObject({
      code: 409,
      body: {
        reason: "Conflict",
        message:
          'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
      },
    });
    expect((await call("PUT", `${widgets}/a`, widget("a"))).code).toBe(422);
    expect((await call("PUT", `${widgets}/x`, widget("x"))).code).toBe(404);
  });

  it("keeps what the server owns, and takes status only at its subresource", async () => {
    const { body } = await call("POST", widgets, { ...widget("a"), status: { phase: "Made up" } });
    expect(body.status).toBeUndefined();
    const put = {
      ...body,
      metadata: { ...body.metadata, generation: 99 },
      status: { phase: "Up" },
    };
    expect((await call("PUT", `${widgets}/a`, put)).body).toEqual(body);
    const changed = { ...put, spec: { size: "large" } };
    const { body: next } = await call("PUT", `${widgets}/a/status`, changed);
    expect(next).toMatchObject({ spec: { size: "small" }, status: { phase: "Up" } });
    expect(next.metadata.generation).toBe(1);
  });

  it("422 in the rule's words for a field that may not change", async () => {
    await call("POST", widgets, widget("a", { base: "x" }));
    for (const base of ["y", null]) {
      expect(await call("PATCH", `${widgets}/a`, { spec: { base } }, mergeType)).toMatchObject({
        code: 422,
        body: {
          message:
            'Widget.example.com "a" is invalid: spec.base: Invalid value: "string": Base is immutable',
        },
      });
    }
  });

  it("scale reads and writes the replicas", async () => {
    await call("POST", widgets, widget("a", { replicas: 2 }));
    const scale = await call("PATCH", `${widgets}/a/scale`, { spec: { replicas: 5 } }, mergeType);
    expect(scale.body).toMatchObject({ kind: "Scale", spec: { replicas: 5 } });
    expect((await call("GET", `${widgets}/a/scale`)).body.spec).toEqual({ replicas: 5 });
    expect((await call("GET", `${widgets}/a`)).body.spec).toMatchObject({ replicas: 5 });
    expect(
      (await call("PUT", `${widgets}/a/scale`, { ...scale.body, spec: { replicas: -1 } })).code,
    ).toBe(422);
  });
});

describe("patch", () => {
  beforeEach(async () => {
    await call("POST", widgets, widget("a", { replicas: 1 }));
  });

  it("JSON patch with a test that holds, and one that does not", async () => {
    const { body } = await call("GET", `${widgets}/a`);
    const { resourceVersion } = body.metadata;
    const patch = [
      { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
      { op: "add", path: "/metadata/labels", value: { taken: "yes" } },
    ];
    expect((await call("PATCH", `${widgets}/a`, patch, jsonType)).body.metadata.labels).toEqual({
      taken: "yes",
    });
    expect(await call("PATCH", `${widgets}/a`, patch, jsonType)).toMatchObject({
      code: 422,
      body: {
        reason: "Invalid",
        message: "the server rejected our request due to an error in our request",
      },
    });
  });

  it("merge patch, with a resourceVersion as precondition", async () => {
    const patch = { metadata: { resourceVersion: "1" }, spec: { replicas: 3 } };
    expect((await call("PATCH", `${widgets}/a`, patch, mergeType)).code).toBe(409);
    const merged = await call("PATCH", `${widgets}/a`, { spec: { replicas: null } }, mergeType);
    expect(merged.body.spec).toEqual({ size: "small" });
    expect((await call("PATCH", `${widgets}/x`, {}, mergeType)).code).toBe(404);
    expect((await call("PATCH", `${widgets}/a`, { metadata: { name: "b" } }, mergeType)).code).toBe(
      400,
    );
  });

  it("strategic merge patch only for built-in kinds", async () => {
    expect(await call("PATCH", `${widgets}/a`, {}, strategicType)).toMatchObject({
      code: 415,
      body: {
        reason: "UnsupportedMediaType",
        message:
          "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
      },
    });
    await call("POST", configMaps, { metadata: { name: "a" }, data: { x: "1" } });
    const patched = await call("PATCH", `${configMaps}/a`, { data: { y: "2" } }, strategicType);
    expect(patched.body.data).toEqual({ x: "1", y: "2" });
  });

  it("server-side apply creates, changes, and wants a manager", async () => {
    const path = `${widgets}/b?fieldManager=slipway&force=true`;
    expect((await call("PATCH", path, widget("b", { replicas: 1 }), applyType)).code).toBe(201);
    const second = await call("PATCH", path, widget("b"), applyType);
    expect(second).toMatchObject({ code: 200, body: { spec: { size: "small" } } });
    expect((await call("PATCH", `${widgets}/b`, widget("b"), applyType)).code).toBe(422);
  });

  it.each([
    [{ nope: 1 }, ".spec.nope: field not declared in schema"],
    [{ base: 1 }, ".spec.base: expected string, got &value.valueUnstructured{Value:1}"],
    [{ size: 1 }, ".spec.size: expected string, got &value.valueUnstructured{Value:1}"],
    [{ replicas: "2" }, ".spec.replicas: expected numeric (int or float), got string"],
    [{ parts: "x" }, '.spec.parts: expected list, got &{"x"}'],
    [{ labels: "x" }, '.spec.labels: expected map, got &{"x"}'],
    [
      { nope: 1, parts: [{ nome: "x" }] },
      "errors:\n  .spec.parts[0].nome: field not declared in schema\n  .spec.nope: field not declared in schema",
    ],
  ])(
    "an apply of %j, which does not fit the schema, is a 500 that says where",
    async (spec, why) => {
      for (const strictness of ["Strict", "Ignore"]) {
        const path = `${widgets}/b?fieldManager=slipway&force=true&fieldValidation=${strictness}`;
        const { code, body } = await call("PATCH", path, widget("b", spec), applyType);
        const object = "default/b; example.com/v1, Kind=Widget";
        expect({ code, body }).toEqual({
          code: 500,
          body: {
            ...{ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 500 },
            message: `failed to create typed patch object (${object}): ${why}`,
          },
        });
      }
      expect(cluster.get("Widget", "default", "b")).toBeUndefined();
    },
  );

  it("an apply of the right types is judged as any other write", async () => {
    const path = `${widgets}/b?fieldManager=slipway&force=true`;
    expect(await call("PATCH", path, widget("b", { size: "huge" }), applyType)).toMatchObject({
      code: 422,
    });
  });
});

describe("delete", () => {
  it("answers a Status, or the object while finalizers hold it", async () => {
    const { body } = await call("POST", widgets, widget("a"));
    await call("POST", widgets, widget("held", {}, { finalizers: ["example.com/x"] }));
    const { uid } = body.metadata;
    const wrong = { preconditions: { uid: "other" } };
    expect((await call("DELETE", `${widgets}/a`, wrong)).code).toBe(409);
    expect(await call("DELETE", `${widgets}/a?dryRun=All`)).toMatchObject({ code: 200 });
    expect(await call("DELETE", `${widgets}/a`, { preconditions: { uid } })).toMatchObject({
      code: 200,
      body: {
        kind: "Status",
        status: "Success",
        details: { name: "a", group: "example.com", kind: "widgets", uid },
      },
    });
    expect((await call("DELETE", `${widgets}/a`)).code).toBe(404);
    const held = await call("DELETE", `${widgets}/held`, { propagationPolicy: "Background" });
    expect(held.body).toMatchObject({ kind: "Widget", metadata: { name: "held" } });
    expect(held.body.metadata.deletionTimestamp).toBe("2030-01-01T00:00:00Z");
    expect((await call("DELETE", `${widgets}/held`, { propagationPolicy: "Sideways" })).code).toBe(
      400,
    );
  });

  it("a collection goes by selector", async () => {
    for (const name of ["a", "b"]) {
      await call("POST", widgets, widget(name, {}, { labels: { name } }));
    }
    const { body } = await call("DELETE", `${widgets}?labelSelector=name=a`);
    expect(body).toMatchObject({ kind: "WidgetList", items: [{ metadata: { name: "a" } }] });
    expect((await call("GET", widgets)).body.items).toHaveLength(1);
  });
});

describe("kinds without a schema or a namespace", () => {
  const shelves = "/apis/example.com/v1/shelves";

  it("take anything, but a name and its labels", async () => {
    const shelf = { metadata: { name: "s" }, anything: { goes: [1] } };
    expect((await call("POST", shelves, shelf)).body).toMatchObject(shelf);
    expect((await call("POST", shelves, { metadata: { name: "S" } })).code).toBe(422);
    const changed = await call("PATCH", `${shelves}/s`, { status: { up: true } }, mergeType);
    // Without the subresource status is a member like any other.
    expect(changed.body).toMatchObject({ status: { up: true }, metadata: { generation: 2 } });
    expect((await call("GET", "/apis/example.com/v1/namespaces/default/shelves")).code).toBe(404);
  });
});

describe("built-in kinds", () => {
  const secrets = "/api/v1/namespaces/default/secrets";
  const secret = (rest: object) => ({ metadata: { name: "s" }, ...rest });

  it("a Secret encodes stringData and is Opaque unless told", async () => {
    const data = { a: "MQ==" };
    const { body } = await call("POST", secrets, secret({ data, stringData: { b: "2" } }));
    expect(body).toMatchObject({ type: "Opaque", data: { a: "MQ==", b: "Mg==" } });
    expect(body.stringData).toBeUndefined();
    const retyped = await call("PATCH", `${secrets}/s`, { type: "x/y" }, mergeType);
    expect(retyped.body.message).toContain('type: Invalid value: "string": field is immutable');
  });

  it.each([
    [
      400,
      { data: { a: "no base64!" } },
      /cannot be handled as a Secret: illegal base64 data at input byte 2/,
    ],
    [
      400,
      { stringData: { a: 1 } },
      /json: cannot unmarshal integer into Go struct field Secret.stringData.a of type string/,
    ],
    [422, { type: "kubernetes.io/dockerconfigjson" }, /data..dockerconfigjson: Required value/],
    [
      422,
      { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{" } },
      /must be valid JSON/,
    ],
  ])("%i for a Secret with %j", async (code, rest, message) => {
    const answer = await call("POST", secrets, secret(rest));
    expect(answer.code).toBe(code);
    expect(answer.body.message).toMatch(message);
  });

  it("a Namespace is Active and labelled with its name", async () => {
    const { body } = await call("POST", "/api/v1/namespaces", { metadata: { name: "tenant" } });
    expect(body).toMatchObject({
      metadata: { labels: { "kubernetes.io/metadata.name": "tenant" } },
      status: { phase: "Active" },
    });
    expect(body.metadata.generation).toBeUndefined();
    const gone = await call("DELETE", "/api/v1/namespaces/tenant");
    expect(gone.body.status).toEqual({ phase: "Terminating" });
    expect((await call("GET", "/api/v1/namespaces/tenant")).code).toBe(404);
  });

  it("a RoleBinding keeps its role", async () => {
    const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";
    const roleRef = { kind: "ClusterRole", name: "admin" };
    const subjects = [{ kind: "ServiceAccount", name: "osac", namespace: "default" }];
    await call("POST", path, { metadata: { name: "system:admin" }, roleRef, subjects });
    const patch = { roleRef: { name: "view" } };
    const { body } = await call("PATCH", `${path}/system:admin`, patch, mergeType);
    expect(body.message).toContain("cannot change roleRef");
  });

  it("events are found by what they are about", async () => {
    const events = "/api/v1/namespaces/default/events";
    const involvedObject = { kind: "Widget", name: "a", namespace: "default" };
    await call("POST", events, { metadata: { name: "a.1" }, involvedObject, reason: "Made" });
    const about = (name: string) =>
      call("GET", `${events}?fieldSelector=involvedObject.name=${name}`);
    expect((await about("a")).body.items).toHaveLength(1);
    expect((await about("b")).body.items).toHaveLength(0);
  });
});
