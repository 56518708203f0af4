import { beforeEach, describe, expect, it } from "vitest";
import { AppError } from "../../../core/error.ts";
import { namespaceOf } from "../../../core/ports/hub/clusters/hypershift/named.ts";
import { type Api, catalogApi, order, people, priv, pullSecret, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const create = async (spec: object = {}, name = "one") => {
  const answer = await api.ask("ann", "POST", `${v1}/clusters`, order(name, spec));
  expect(answer.body).toMatchObject({ metadata: { name } });
  return answer.body;
};

describe("an order", () => {
  it("is accepted with its defaults filled in, and says where its operation is", async () => {
    const { status, body, headers } = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order("one", { network: { pod_cidr: "10.128.0.5/14" } }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({
      metadata: { name: "one", tenant: people.ann.tenant, creator: "ann", version: 0, labels: {} },
      spec: {
        template: { id: "ocp_small", name: "ocp-small" },
        template_parameters: { vlan: 100, owner: "me" },
        node_sets: {
          workers: { host_type: { id: "small", name: "small" }, size: 2 },
          gpu: { host_type: { id: "large", name: "large" }, size: 1 },
        },
        version: { id: "4-17-0", name: "4-17-0" },
        network: { pod_cidr: "10.128.0.0/14" },
      },
      status: { state: "CLUSTER_STATE_PROGRESSING" },
    });
    expect(headers.get("ETag")).toBe('"0"');
    expect(headers.get("Retry-After")).not.toBeNull();
    const location = headers.get("Operation-Location") ?? "";
    const operation = await api.ask("ann", "GET", location);
    expect(operation.body).toMatchObject({
      spec: { change: "CREATE", target: { kind: "cluster", id: body.id, name: "one" } },
      status: { state: "OPERATION_STATE_PENDING", percent: 0, cancel_requested: false },
    });
  });

  it("takes camelCase names, references as text, and parameters as Any", async () => {
    const { body } = await api.ask("ann", "POST", `${v1}/clusters`, {
      metadata: { name: "one", displayName: "One" },
      spec: {
        template: "ocp_small",
        templateParameters: {
          vlan: { "@type": "type.googleapis.com/google.protobuf.Int64Value", value: "7" },
          owner: { "@type": "type.googleapis.com/google.protobuf.StringValue", value: "me" },
        },
        nodeSets: { workers: { hostType: "small", size: 3 } },
        sshPublicKey: null,
      },
      status: { state: "CLUSTER_STATE_READY" },
    });
    expect(body).toMatchObject({
      metadata: { display_name: "One" },
      spec: {
        template_parameters: { vlan: 7, owner: "me" },
        node_sets: { workers: { size: 3 }, gpu: { size: 1 } },
      },
      status: { state: "CLUSTER_STATE_PROGRESSING" },
    });
  });

  it("keeps its pull secret in the secret store only", async () => {
    const canary = "dXNlcjpjYW5hcnk=";
    const secret = `{"auths":{"quay.io":{"auth":"${canary}"}}}`;
    const cluster = await create({ pull_secret: secret });
    expect(cluster.spec.pull_secret).toBe("***");
    expect(JSON.stringify(api.deps.store.stream(undefined, 1000))).not.toContain(canary);
    expect([...api.deps.secretValues.values()]).toEqual([secret]);
  });

  it("takes its pull secret along when it is refused at the last moment", async () => {
    const body = order("one", { pull_secret: pullSecret("x") });
    await Promise.all(
      Array.from({ length: 5 }, () => api.ask("ann", "POST", `${v1}/clusters`, body)),
    );
    expect(api.deps.secretValues.size).toBe(1);
  });

  it("cannot touch the secret of a cluster whose id it names", async () => {
    await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order("one", { pull_secret: pullSecret("own") }),
    );
    const [cluster] = (await api.ask("ann", "GET", `${v1}/clusters`)).body.items;
    const body = { id: cluster.id, ...order("two", { pull_secret: pullSecret("other") }) };
    expect((await api.ask("bob", "POST", `${v1}/clusters`, body)).status).toBe(400);
    expect((await api.ask("admin", "POST", `${v1}/clusters`, body)).status).toBe(409);
    expect([...api.deps.secretValues.values()]).toEqual([pullSecret("own")]);
  });
});

describe("a dry run", () => {
  it.each([
    ["?dry_run=true", {}],
    ["", { "X-Dry-Run": "TRUE" }],
  ])("answers what would be and writes nothing (%s)", async (query, headers) => {
    const before = api.dump();
    const { status, body } = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters${query}`,
      order("one", { pull_secret: pullSecret("x") }),
      headers,
    );
    expect(status).toBe(200);
    expect(body.spec.template_parameters).toEqual({ vlan: 100, owner: "me" });
    expect(body).not.toHaveProperty("id");
    expect(body.metadata).not.toHaveProperty("version");
    expect(body.metadata).not.toHaveProperty("creation_timestamp");
    expect(api.dump()).toBe(before);
  });

  it("refuses what the order itself would be refused for", async () => {
    await create();
    const { status } = await api.ask("ann", "POST", `${v1}/clusters?dry_run=true`, order("one"));
    expect(status).toBe(409);
  });
});

describe("an Idempotency-Key", () => {
  const key = { "Idempotency-Key": "k1" };
  const post = (body: unknown, person: "ann" | "bob" = "ann") =>
    api.ask(person, "POST", `${v1}/clusters`, body, key);

  it("answers the object as accepted, also after it was changed", async () => {
    const first = await post(order("one"));
    await api.ask("ann", "PATCH", `${v1}/clusters/${first.body.id}`, {
      metadata: { labels: { a: "b" } },
    });
    const again = await post({ spec: order("one").spec, metadata: { name: "one" } });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Operation-Location")).toBe(first.headers.get("Operation-Location"));
  });

  it("refuses another body, and is each tenant's own", async () => {
    await post(order("one"));
    const other = await post(order("two"));
    expect(other.status).toBe(422);
    expect((await post(order("two"), "bob")).status).toBe(200);
  });

  it("is forgotten after a day", async () => {
    await post(order("one"));
    await api.deps.clock.advance(24 * 3_600_000 + 1000);
    expect((await post(order("two"))).status).toBe(200);
  });
});

it("gives one of many orders of the same name the name", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api.ask("ann", "POST", `${v1}/clusters`, order("one"))),
  );
  const codes = answers.map(({ status }) => status).sort();
  expect(codes).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
});

describe("PATCH", () => {
  const patch = (id: string, body: unknown, query = "", headers = {}) =>
    api.ask("ann", "PATCH", `${v1}/clusters/${id}${query}`, body, headers);

  it("writes metadata at once, whole maps, without an operation", async () => {
    const { id } = await create({}, "one");
    await patch(id, { metadata: { labels: { a: "1", b: "2" }, display_name: "One" } });
    const { body, headers } = await patch(id, { metadata: { labels: { c: "3" } } });
    expect(body.metadata).toMatchObject({ labels: { c: "3" }, display_name: "One", version: 2 });
    expect(headers.has("Operation-Location")).toBe(false);
    const cleared = await patch(id, { metadata: { display_name: null, labels: {} } });
    expect(cleared.body.metadata).not.toHaveProperty("display_name");
    expect(cleared.body.metadata.labels).toEqual({});
  });

  it("writes nothing when nothing changes, the whole object sent back included", async () => {
    const cluster = await create({ pull_secret: pullSecret("x") });
    const before = api.dump();
    for (const body of [
      {},
      cluster,
      { status: { state: "CLUSTER_STATE_FAILED" } },
      { spec: { template: "ocp-small" } },
    ]) {
      const answer = await patch(cluster.id, body);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual(cluster);
    }
    expect(api.dump()).toBe(before);
  });

  it("queues a new size behind the running operation; the queued one holds the newest wish", async () => {
    const cluster = await create();
    const sizes = (workers: number) => ({
      spec: { node_sets: { workers: { size: workers }, gpu: { size: 1 } } },
    });
    const first = await patch(cluster.id, sizes(4));
    expect(first.body.spec.node_sets.workers).toEqual({
      host_type: { id: "small", name: "small" },
      size: 4,
    });
    expect(first.body.metadata.version).toBe(1);
    const second = await patch(cluster.id, sizes(5));
    expect(second.headers.get("Operation-Location")).toBe(first.headers.get("Operation-Location"));
    const operation = await api.ask("ann", "GET", first.headers.get("Operation-Location") ?? "");
    expect(operation.body).toMatchObject({
      spec: { change: "UPDATE" },
      status: { queued: true, state: "OPERATION_STATE_PENDING" },
    });
    expect((await api.ask("ann", "GET", `${v1}/operations`)).body.total).toBe(2);
  });

  it("goes back to the size without it when the queued operation is cancelled", async () => {
    const cluster = await create();
    const queued = await patch(cluster.id, {
      spec: { node_sets: { workers: { size: 9 }, gpu: { size: 1 } } },
    });
    const location = queued.headers.get("Operation-Location") ?? "";
    const cancelled = await api.ask("ann", "POST", `${location}/cancel`);
    expect(cancelled.body.status).toMatchObject({
      state: "OPERATION_STATE_CANCELLED",
      queued: false,
      failure: { kind: "Cancelled", message: "cancelled by ann", given_back: true },
    });
    expect(cancelled.body.status.failure).not.toHaveProperty("step");
    const { body } = await api.ask("ann", "GET", `${v1}/clusters/${cluster.id}`);
    expect(body.spec.node_sets).toEqual(cluster.spec.node_sets);
    expect(body.status).not.toHaveProperty("queued_operation");
  });

  it("touches only what update_mask names, the rest of a node set included", async () => {
    const cluster = await create();
    const body = {
      metadata: { labels: { a: "1" } },
      spec: { node_sets: { workers: { size: 7 } } },
    };
    const answer = await patch(cluster.id, body, "?updateMask=spec.nodeSets.workers.size");
    expect(answer.body.spec.node_sets).toEqual({
      ...cluster.spec.node_sets,
      workers: { ...cluster.spec.node_sets.workers, size: 7 },
    });
    expect(answer.body.metadata.labels).toEqual({});
    const unknown = await patch(cluster.id, body, "?update_mask=spec.nonsense,metadata.labels.a");
    expect(unknown.body.errors).toEqual([
      { field: "spec.nonsense", message: "is not a field of this object" },
    ]);
  });

  it("with lock or If-Match only from the version that was read", async () => {
    const { id } = await create();
    await patch(id, { metadata: { labels: { a: "1" } } });
    const change = { metadata: { labels: {}, version: 0 } };
    const locked = await patch(id, change, "?lock=true");
    expect(locked.status).toBe(409);
    expect(locked.body).toMatchObject({
      code: 10,
      message: `object with identifier '${id}' has been modified: requested version is 0 but current version is 1`,
    });
    expect((await patch(id, change, "", { "If-Match": '"0"' })).status).toBe(412);
    expect((await patch(id, change, "", { "If-Match": "nonsense" })).status).toBe(412);
    expect((await patch(id, change, "", { "If-Match": '"1"' })).status).toBe(200);
    expect(
      (await patch(id, { metadata: { labels: { z: "1" }, version: 2 } }, "?lock=true")).status,
    ).toBe(200);
  });

  it("refuses with every field what is immutable or not served yet", async () => {
    const { id } = await create();
    const before = api.dump();
    const { status, body } = await patch(id, {
      metadata: { name: "other" },
      spec: {
        template: "another",
        template_parameters: { owner: "you" },
        version: "4-12-0",
        network: { pod_cidr: "10.0.0.0/8" },
        pull_secret: "new",
        node_sets: { workers: { host_type: "large", size: 501 }, more: { size: 1 } },
      },
    });
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      "metadata.name",
      "spec.network",
      "spec.node_sets.more.host_type",
      "spec.node_sets.workers.host_type",
      "spec.node_sets.workers.size",
      "spec.pull_secret",
      "spec.template",
      "spec.template_parameters",
      "spec.version",
    ]);
    expect(api.dump()).toBe(before);
  });

  it("does not resize what is being deleted", async () => {
    const { id } = await create();
    await api.ask("ann", "DELETE", `${v1}/clusters/${id}`);
    const { status, body } = await patch(id, {
      spec: { node_sets: { workers: { size: 3 }, gpu: { size: 1 } } },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 3,
      message: "cannot update cluster spec when cluster state is CLUSTER_STATE_DELETING",
    });
  });
});

describe("DELETE", () => {
  it("preempts what runs, drops what is queued, and is one deletion however often it is asked", async () => {
    const cluster = await create();
    const path = `${v1}/clusters/${cluster.id}`;
    const queued = await api.ask("ann", "PATCH", path, {
      spec: { node_sets: { workers: { size: 3 }, gpu: { size: 1 } } },
    });
    const first = await api.ask("ann", "DELETE", path);
    expect(first).toMatchObject({ status: 200, body: {} });
    const again = await api.ask("ann", "DELETE", path);
    expect(again.headers.get("Operation-Location")).toBe(first.headers.get("Operation-Location"));

    const { body } = await api.ask("ann", "GET", path);
    expect(body.metadata.deletion_timestamp).toBeDefined();
    expect(body.metadata.version).toBe(1);
    const running = await api.ask("ann", "GET", `${v1}/operations/${body.status.operation}`);
    expect(running.body).toMatchObject({
      spec: { change: "CREATE" },
      status: { cancel_requested: true },
    });
    const dropped = await api.ask("ann", "GET", queued.headers.get("Operation-Location") ?? "");
    expect(dropped.body.status).toMatchObject({
      state: "OPERATION_STATE_CANCELLED",
      failure: { kind: "Cancelled", message: "a deletion came first", given_back: true },
    });
    const deletion = await api.ask("ann", "GET", first.headers.get("Operation-Location") ?? "");
    expect(deletion.body).toMatchObject({ spec: { change: "DELETE" }, status: { queued: true } });
    expect((await api.ask("ann", "GET", `${v1}/operations`)).body.total).toBe(3);
    const refused = await api.ask(
      "ann",
      "POST",
      `${first.headers.get("Operation-Location")}/cancel`,
    );
    expect(refused.body).toMatchObject({ status: 400, code: 9 });
  });
});

describe("credentials", () => {
  it("are read from the hub, and missing until there are some", async () => {
    const cluster = await create();
    const path = `${v1}/clusters/${cluster.id}`;
    const early = await api.ask("ann", "GET", `${path}/kubeconfig`);
    expect(early).toMatchObject({
      status: 404,
      body: {
        message: `kubeconfig for cluster with identifier '${cluster.id}' isn't yet available`,
      },
    });

    await placeOn("hub-1", cluster.id);
    api.deps.hubClients.set("hub-1", {
      credentials: {
        readKubeconfig: async (owner) => `apiVersion: v1 # ${namespaceOf(owner)}`,
        readPassword: async () => undefined,
      },
    });
    const kubeconfig = await api.ask("ann", "GET", `${path}/kubeconfig`);
    expect(kubeconfig.headers.get("Content-Type")).toBe("application/yaml");
    expect(kubeconfig.text).toMatch(/^apiVersion: v1 # slipway-[a-z][a-z0-9]{9}$/);
    expect((await api.ask("ann", "GET", `${path}/password`)).status).toBe(404);
    expect((await api.ask("bob", "GET", `${path}/kubeconfig`)).status).toBe(404);
    expect((await api.ask("ann", "GET", `${v1}/clusters/none/password`)).status).toBe(404);
  });

  it.each(["Rejected", "Conflict", "Unavailable"] as const)(
    "cannot be read now when the hub answers %s, whose words stay inside",
    async (kind) => {
      const cluster = await create();
      await placeOn("hub-1", cluster.id);
      api.deps.hubClients.set("hub-1", {
        credentials: {
          readKubeconfig: async () => {
            throw new AppError(kind, "secrets is forbidden: user hub-1-writer");
          },
        },
      });
      const answer = await api.ask("ann", "GET", `${v1}/clusters/${cluster.id}/kubeconfig`);
      expect(answer).toMatchObject({ status: 503, body: { code: 14, retryable: true } });
      expect(answer.text).not.toContain("hub-1");
    },
  );

  async function placeOn(hub: string, id: string) {
    const { changeObject } = await import("../../../core/kernel/events/rewrite.ts");
    await changeObject(api.deps, "cluster", id, (cluster) => ({
      ...cluster,
      placement: {
        hub: hub as never,
        at: cluster.metadata.creation_timestamp,
        reason: "test",
        rejected: [],
        hosts: {},
      },
    }));
  }
});

describe("tenancy", () => {
  it("hides another tenant's objects in the words of a missing one, whatever is asked", async () => {
    const { id } = await create();
    const { body: operations } = await api.ask("ann", "GET", `${v1}/operations`);
    const operation = operations.items[0].id;
    const same = ({ body }: { body: object }, name: string) =>
      JSON.stringify({ ...body, request_id: "" }).replaceAll(name, "ID");
    // The audit has it that somebody asked for a credential.
    const written = () =>
      api.deps.store.stream(undefined, 10_000).filter(({ key }) => !key.pk.startsWith("audit"))
        .length;
    const before = written();
    for (const [method, path, body] of [
      ["GET", "clusters/ID"],
      ["PATCH", "clusters/ID", { spec: { node_sets: {} } }],
      ["DELETE", "clusters/ID"],
      ["POST", "clusters/ID/retry"],
      ["GET", "clusters/ID/history"],
      ["GET", "clusters/ID/kubeconfig"],
      ["GET", "operations/ID"],
      ["POST", "operations/ID/cancel"],
      ["POST", "operations/ID/resume"],
    ] as const) {
      const real = path.startsWith("clusters") ? id : operation;
      const theirs = await api.ask("bob", method, `${v1}/${path.replace("ID", real)}`, body);
      const missing = await api.ask("bob", method, `${v1}/${path.replace("ID", "nothing")}`, body);
      expect(theirs.status).toBe(404);
      expect(same(theirs, real)).toBe(same(missing, "nothing"));
    }
    expect(written()).toBe(before);
    expect((await api.ask("bob", "GET", `${v1}/clusters`)).body).toEqual({
      size: 0,
      total: 0,
      items: [],
    });
  });

  it("lets an administrator see everybody's, and order for a tenant", async () => {
    await create();
    const answer = await api.ask(
      "admin",
      "POST",
      `${v1}/clusters`,
      order("two", {}, { tenant: "tenant-b" }),
    );
    expect(answer.body.metadata.tenant).toBe("tenant-b");
    const { body } = await api.ask("admin", "GET", `${priv}/clusters`);
    expect(
      body.items.map(({ metadata }: { metadata: { tenant: string } }) => metadata.tenant),
    ).toEqual(["tenant-a", "tenant-b"]);
    const other = await api.ask(
      "ann",
      "POST",
      `${v1}/clusters`,
      order("three", {}, { tenant: "tenant-b" }),
    );
    expect(other).toMatchObject({
      status: 403,
      body: { message: "tenant 'tenant-b' can't be assigned" },
    });
  });
});
