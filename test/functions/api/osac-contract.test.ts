import { beforeEach, describe, expect, it } from "vitest";
import { type Api, catalogApi, pullSecret, v1 } from "../../support/api.ts";

/**
 * OSAC's wire contract, rule by rule: how a client of its REST API lists, makes, changes and deletes.
 * What is different on purpose is in docs/osac-compatibility.md.
 */

const int64 = "type.googleapis.com/google.protobuf.Int64Value";
const text = "type.googleapis.com/google.protobuf.StringValue";
/** An order as OSAC's documents have it. */
const order = (name: string, more: object = {}) => ({
  metadata: { name },
  spec: {
    template: { name: "ocp-small" },
    node_sets: { workers: { size: 3 } },
    template_parameters: {
      vlan: { "@type": int64, value: "100" },
      owner: { "@type": text, value: "me" },
    },
    ...more,
  },
});

let api: Api;
const clusters = `${v1}/clusters`;
const osac = { Accept: "application/json;profile=osac" };
const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.ask("ann", method, `${clusters}${path}`, body, { ...osac, ...headers });
beforeEach(async () => {
  api = await catalogApi();
});
async function ordered(name = "c1", more: object = {}) {
  const { status, body, text: said } = await ask("POST", "", order(name, more));
  expect(status, said).toBe(200);
  return body;
}

describe("create", () => {
  it("answers the bare object with 200, references filled in, Any as it came", async () => {
    const body = await ordered();
    expect(body.spec).toMatchObject({
      template: { id: "ocp_small", name: "ocp-small" },
      version: { id: "4-17-0", name: "4-17-0" },
      node_sets: {
        workers: { host_type: { id: "small", name: "small" }, size: 3 },
        // Sets that are not named take the template's size.
        gpu: { host_type: { id: "large", name: "large" }, size: 1 },
      },
      template_parameters: { vlan: { "@type": int64, value: "100" } },
    });
    expect(body).not.toHaveProperty("object");
  });

  it("takes lowerCamelCase, numbers of enums, and null as absent", async () => {
    const { template, template_parameters } = order("x").spec;
    const { status, body } = await ask("POST", "", {
      metadata: { name: "c1", labels: null },
      spec: {
        template,
        templateParameters: template_parameters,
        nodeSets: { workers: { hostType: { name: "small" }, size: 1 } },
        network: { podCidr: "10.128.0.5/14", serviceCidr: null },
      },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ metadata: { name: "c1" } });
    // CIDRs are made canonical.
    expect(body.spec.network).toEqual({ pod_cidr: "10.128.0.0/14" });
    const version = await api.ask("admin", "POST", "/api/private/v1/cluster_versions", {
      metadata: { name: "4-16-0" },
      spec: { version: "4.16.0", image: "quay.io/x/y:z", state: 2 },
    });
    expect(version.body.spec.state).toBe("CLUSTER_VERSION_STATE_DEPRECATED");
  });

  it("names all bad references at once, in details whose fields begin with object", async () => {
    const { status, body } = await ask("POST", "", {
      ...order("c1", { template: { name: "nope" }, version: { id: "9" } }),
    });
    expect(status).toBe(400);
    expect(body.code).toBe(3);
    expect(body.details).toEqual([
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        field_violations: [
          { field: "object.spec.template", description: 'ClusterTemplate "nope" not found' },
          { field: "object.spec.version", description: 'ClusterVersion "9" not found' },
        ],
      },
    ]);
  });

  it.each([
    [{ template: {} }, "ClusterTemplate reference must specify id or name"],
    [{ template: { id: "ocp_small", name: "other" } }, 'ClusterTemplate "other" not found'],
    [{ template: undefined }, "template is mandatory"],
    [
      { template_parameters: { x: { "@type": int64, value: "1" } } },
      "template parameter 'x' doesn't exist, valid values for template 'ocp_small' are 'vlan' and 'owner'",
    ],
    [{ template_parameters: {} }, "parameter 'owner' of template 'ocp_small' is mandatory"],
    [{ catalog_item: { name: "x" } }, "catalog_item and template are mutually exclusive"],
    [{ foo: 1 }, "is not a known field"],
  ])("refuses %j with code 3 and OSAC's words", async (spec, message) => {
    const { status, body } = await ask("POST", "", order("c1", spec));
    expect({ status, code: body.code }).toEqual({ status: 400, code: 3 });
    expect(body.message).toContain(message);
  });

  it("refuses a name that is taken with 409 and code 6", async () => {
    await ordered();
    const again = await ask("POST", "", order("c1"));
    expect(again).toMatchObject({ status: 409, body: { code: 6 } });
  });

  it("shows what would be when it is dry, in either spelling, and stores nothing", async () => {
    const before = api.dump();
    const { status, body } = await ask("POST", "", order("c1"), { "X-Dry-Run": "True" });
    expect(status).toBe(200);
    expect(body.metadata).toMatchObject({ name: "c1", tenant: "tenant-a", creator: "ann" });
    for (const member of ["creation_timestamp", "version"])
      expect(body.metadata).not.toHaveProperty(member);
    expect(body).not.toHaveProperty("id");
    expect(api.dump()).toBe(before);
  });

  it("ignores what the server writes", async () => {
    const body = {
      ...order("c1"),
      status: { state: "CLUSTER_STATE_READY" },
      metadata: { name: "c1", creator: "eve", creation_timestamp: "2000-01-01T00:00:00Z" },
    };
    const { metadata, status } = (await ask("POST", "", body)).body;
    expect(metadata.creator).toBe("ann");
    expect(metadata.creation_timestamp).not.toMatch(/^2000/);
    expect(status.state).toBe("CLUSTER_STATE_PROGRESSING");
  });
});

describe("update, by the mask of the body", () => {
  const label = { metadata: { labels: { a: "1", b: "2" } } };

  it("descends into objects, replaces maps whole, and leaves the rest", async () => {
    const { id, spec } = await ordered();
    const { workers, gpu } = spec.node_sets;
    await ask("PATCH", `/${id}`, label);
    const { body } = await ask("PATCH", `/${id}`, {
      metadata: { labels: { c: "3" } },
      spec: { node_sets: { workers: { ...workers, size: 4 } } },
    });
    expect(body.metadata).toMatchObject({ name: "c1", labels: { c: "3" } });
    expect(body.spec).toMatchObject({ template: spec.template, version: spec.version });
    expect(body.spec.node_sets).toEqual({ workers: { ...workers, size: 4 } });
    expect(body.spec.node_sets).not.toEqual(expect.objectContaining({ gpu }));
  });

  it("clears by null, and empties a map by {}", async () => {
    const { id } = await ordered();
    for (const labels of [null, {}]) {
      await ask("PATCH", `/${id}`, label);
      const { body } = await ask("PATCH", `/${id}`, { metadata: { labels } });
      expect(body.metadata.labels).toEqual({});
    }
  });

  it("takes an empty object where a message stands for an empty message", async () => {
    const made = await api.ask("admin", "POST", "/api/private/v1/tenants", {
      metadata: { name: "t" },
      spec: { domains: ["example.com"] },
    });
    expect(made.body.spec).toEqual({ domains: ["example.com"] });
    const path = "/api/private/v1/tenants/t";
    expect((await api.ask("admin", "PATCH", path, { spec: {} })).body.spec).toEqual({});
  });

  it("changes nothing by {}, raises no version, and tells nobody", async () => {
    const { id } = await ordered();
    const { body } = await ask("GET", `/${id}`);
    const before = api.dump();
    for (const change of [undefined, {}, { metadata: { labels: {} } }, { id: "other" }]) {
      const answer = await ask("PATCH", `/${id}`, change);
      expect(answer).toMatchObject({ status: 200, body });
    }
    expect(api.dump()).toBe(before);
  });

  it("ignores status, and neither sets nor clears it", async () => {
    const { id, status } = await ordered();
    const change = { status: { state: "CLUSTER_STATE_READY" } };
    for (const query of ["", "?update_mask=status.state"])
      expect((await ask("PATCH", `/${id}${query}`, change)).body.status).toEqual(status);
  });

  it("keeps the pull secret that is sent back masked", async () => {
    const { id, spec } = await ordered("c1", { pull_secret: pullSecret("x") });
    expect(spec.pull_secret).toBe("***");
    const before = [...api.deps.secretValues];
    const { body } = await ask("PATCH", `/${id}`, { spec: { pull_secret: "***" } });
    expect(body.spec.pull_secret).toBe("***");
    expect([...api.deps.secretValues]).toEqual(before);
  });

  it("takes a name that is the same, and no other", async () => {
    const { id } = await ordered();
    expect((await ask("PATCH", `/${id}`, { metadata: { name: "c1" } })).status).toBe(200);
    for (const member of ["name", "tenant", "project"]) {
      const { status, body } = await ask("PATCH", `/${id}`, { metadata: { [member]: "other" } });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 3 });
      expect(body.message).toContain(`field 'metadata.${member}' is immutable`);
    }
  });

  it("judges what comes of it: one node set has to stay", async () => {
    const { id } = await ordered();
    const { status, body } = await ask("PATCH", `/${id}`, { spec: { node_sets: {} } });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 3 });
    expect(body.message).toContain("cannot remove the last node set");
  });

  it("counts effective changes from 0, one by one", async () => {
    const { id, metadata } = await ordered();
    expect(metadata.version).toBe(0);
    expect((await ask("PATCH", `/${id}`, label)).body.metadata.version).toBe(1);
    expect((await ask("PATCH", `/${id}`, label)).body.metadata.version).toBe(1);
  });
});

describe("update_mask", () => {
  const masked = (id: string, mask: string, change: object, name = "update_mask") =>
    ask("PATCH", `/${id}?${name}=${mask}`, change);

  it("changes what it names, clears what the body lacks, and nothing else", async () => {
    const { id } = await ordered();
    await ask("PATCH", `/${id}`, { metadata: { labels: { a: "1" }, annotations: { b: "2" } } });
    const change = { metadata: { labels: { ignored: "yes" } } };
    const { body } = await masked(id, "metadata.annotations", change);
    expect(body.metadata).toMatchObject({ labels: { a: "1" }, annotations: {} });
  });

  it("sets, keeps and deletes entries of a map, and parts of one", async () => {
    const { id, spec } = await ordered();
    const { gpu, workers } = spec.node_sets;
    const change = { spec: { node_sets: { gpu: { size: 2 } } } };
    const resized = await masked(id, "spec.node_sets.gpu.size", change);
    expect(resized.body.spec.node_sets).toEqual({ workers, gpu: { ...gpu, size: 2 } });
    const set = { spec: { node_sets: { gpu: { ...gpu, size: 3 } } } };
    const whole = await masked(id, "spec.nodeSets.gpu", set, "updateMask");
    expect(whole.body.spec.node_sets).toEqual({ workers, gpu: { ...gpu, size: 3 } });
    const gone = await masked(id, "spec.node_sets.gpu", {});
    expect(gone.body.spec.node_sets).toEqual({ workers });
  });

  it("is refused with 400 where it names no field", async () => {
    const { id } = await ordered();
    const { status, body } = await masked(id, "spec.foo,metadata.labels", {});
    expect({ status, code: body.code }).toEqual({ status: 400, code: 3 });
    expect(body.message).toContain("spec.foo");
  });
});

describe("lock=true", () => {
  it("takes the version that is stored, left out for 0, and no other", async () => {
    const { id } = await ordered();
    const change = (labels: object, version?: number) =>
      ask("PATCH", `/${id}?lock=true`, { metadata: { labels, version } });
    expect((await change({ a: "1" })).status).toBe(200);
    expect((await change({ a: "2" }, 1)).status).toBe(200);
    expect(await change({ a: "3" }, 1)).toMatchObject({
      status: 409,
      body: {
        code: 10,
        message: `object with identifier '${id}' has been modified: requested version is 1 but current version is 2`,
      },
    });
    const last = await ask("PATCH", `/${id}`, { metadata: { labels: { a: "4" }, version: 1 } });
    expect(last.status).toBe(200);
  });
});

describe("delete", () => {
  it("answers {} and leaves the object to be seen, with the time, until it is gone", async () => {
    const { id } = await ordered();
    for (const _ of [1, 2])
      expect(await ask("DELETE", `/${id}`)).toMatchObject({ status: 200, body: {}, text: "{}" });
    const { body } = await ask("GET", `/${id}`);
    expect(body.metadata.deletion_timestamp).toMatch(/Z$/);
    const list = await ask("GET", "");
    expect(list.body.items).toEqual([body]);
    expect((await ask("POST", "", order("c1"))).status).toBe(409);
  });

  it("leaves nothing of kinds that need no work, and is 404 for what is missing", async () => {
    const path = "/api/private/v1/host_types";
    await api.ask("admin", "POST", path, { metadata: { name: "tiny" } });
    expect((await api.ask("admin", "DELETE", `${path}/tiny`)).body).toEqual({});
    for (const method of ["GET", "DELETE"])
      expect(await api.ask("admin", method, `${path}/tiny`)).toMatchObject({
        status: 404,
        body: { code: 5, message: "object with identifier 'tiny' not found" },
      });
  });

  it("is refused with 400 and code 9 for what is in use", async () => {
    await ordered();
    const path = "/api/private/v1/cluster_versions/4-17-0";
    const answer = await api.ask("admin", "DELETE", path);
    expect(answer).toMatchObject({ status: 400, body: { code: 9 } });
  });
});

describe("a list", () => {
  it("always has size, total and items; limit=0 counts", async () => {
    expect((await ask("GET", "")).body).toEqual({ size: 0, total: 0, items: [] });
    await ordered("c1");
    await ordered("c2");
    expect((await ask("GET", "?limit=0")).body).toEqual({ size: 0, total: 2, items: [] });
    expect((await ask("GET", "?offset=-1&limit=5000")).body).toMatchObject({ size: 2, total: 2 });
    expect((await ask("GET", "?offset=7")).body).toEqual({ size: 0, total: 2, items: [] });
  });

  it("refuses parameters that are none, but the one that a client of OSAC sends", async () => {
    expect((await ask("GET", "?limit=-1")).body).toMatchObject({
      code: 3,
      message: "limit must be a non-negative integer, but it is -1",
    });
    for (const query of [
      "?limit=abc",
      "?limit=1&limit=2",
      "?filter=this.x",
      "?filter=this.metadata.name",
    ])
      expect((await ask("GET", query)).status).toBe(400);
    expect((await ask("GET", "?nothing=1")).status).toBe(400);
    const offers = "/api/fulfillment/v1/cluster_catalog_items?include_unpublished=true";
    expect((await api.ask("ann", "GET", offers)).status).toBe(200);
  });

  it.each([
    ['this.metadata.name.startsWith("c") && this.metadata.labels["tier"] == "gpu"', ["c1"]],
    ['this.spec.template.id == "ocp_small" || this.spec.template.name in ["a","b"]', ["c1", "c2"]],
    ["this.metadata.deletion_timestamp == null && this.status.state == 1", ["c1", "c2"]],
    ['"gpu" in this.spec.node_sets', ["c1", "c2"]],
    ["has(this.status.api_url)", []],
    ['!("tier" in this.metadata.labels)', ["c2"]],
    ["this.metadata.creation_timestamp <= now", ["c1", "c2"]],
    // As a web interface of OSAC writes it.
    ['this.spec.catalog_item == "abc"', []],
  ])("takes the filter %s", async (filter, names) => {
    const { id } = await ordered("c1");
    await ordered("c2");
    await ask("PATCH", `/${id}`, { metadata: { labels: { tier: "gpu" } } });
    const { status, body, text: said } = await ask("GET", `?filter=${encodeURIComponent(filter)}`);
    expect(status, said).toBe(200);
    const found = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
    expect(found.toSorted()).toEqual(names);
  });
});

describe("paths", () => {
  it("are 404 where there is none, and 501 for another method", async () => {
    expect(await api.ask("ann", "GET", `${v1}/compute_instances`)).toMatchObject({
      status: 404,
      body: { code: 5, message: "Not Found" },
    });
    expect(await ask("PUT", "/x", {})).toMatchObject({
      status: 501,
      body: { code: 12, message: "Method Not Allowed" },
    });
  });

  it("of credentials answer text, and 404 while there are none", async () => {
    const { id } = await ordered();
    for (const [secret, said] of [
      ["kubeconfig", `kubeconfig for cluster with identifier '${id}' isn't yet available`],
      ["password", `password for cluster with identifier '${id}' isn't available yet`],
    ])
      expect(await ask("GET", `/${id}/${secret}`)).toMatchObject({
        status: 404,
        body: { code: 5, message: said },
      });
    expect((await ask("GET", "/missing/kubeconfig")).status).toBe(404);
  });
});

describe("the watch", () => {
  it("wraps what is wrong with its filter in error, beside what all errors have", async () => {
    const path = "/api/events/v1/events?filter=event.type%20==";
    const { status, body } = await api.ask("ann", "GET", path, undefined, osac);
    expect(status).toBe(400);
    expect(body.error).toEqual({ code: 3, message: body.message });
    const stream = await api.ask("ann", "GET", path, undefined, { Accept: "text/event-stream" });
    expect(stream.body).not.toHaveProperty("error");
  });
});
