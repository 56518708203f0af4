import { beforeAll, describe, expect, it } from "vitest";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { pathOf } from "../../../core/kernel/input/field.ts";
import { type Kind, pluralOf } from "../../../core/kernel/object/object.ts";
import { rolesFor } from "../../../functions/api/permissions.ts";
import { type Api, catalogApi, priv, v1 } from "../../support/api.ts";
import { type Ids, oneOfEach } from "../../support/one-of-each.ts";
import { sshKey } from "../../support/orders.ts";

/** Objects that were stored before a rule was made: everything but the value that breaks it goes on. */

let api: Api;
let ids: Ids;
const admin = (method: string, path: string, body?: unknown) =>
  api.ask("admin", method, `${priv}/${path}`, body);

/** The invalid objects of all pages, each by kind. */
async function invalid(limit = 1000): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {};
  let token = "";
  do {
    const page = token && `&page_token=${token}`;
    const { status, body, text } = await admin("GET", `invalid_objects?limit=${limit}${page}`);
    expect(status, text).toBe(200);
    expect(body.judged).toBeLessThanOrEqual(limit);
    for (const { kind, violations } of body.items)
      found[kind] = Object.fromEntries(
        violations.map((each: { field: string; message: string }) => [each.field, each.message]),
      );
    token = body.next_page_token ?? "";
  } while (token);
  return found;
}

/** Has the record of an object another value, as code of former days has stored it. */
async function store(kind: Kind, field: string, value: unknown): Promise<void> {
  await changeObject(api.deps, kind, ids[kind] ?? "", (object) => {
    const changed: object = structuredClone(object);
    const path = pathOf(field);
    const last = path.pop() ?? "";
    const parent = path.reduce<object>((part, name) => Reflect.get(part, name), changed);
    Reflect.set(parent, last, value);
    return changed as typeof object;
  });
}

/** An ed25519 key that lacks its last characters. */
const cutKey = sshKey("ann").replace(/.{4}(?= ann)/, "");

/** Of each rule: a value that former code took, and what its field must be by now. */
const old: readonly [kind: Kind, field: string, value: unknown, right: RegExp][] = [
  ["host", "spec.nics[0].switch", "leaf\t1", /must not have control characters/],
  ["host", "spec.bmc.certificate", "AB:CD", /must be a SHA-256 fingerprint/],
  ["host", "spec.nics[0].mac", "00:00:00:00:00:00", /must be the address of one NIC/],
  ["host", "spec.nics[0].mac", "01:00:5e:00:00:01", /must be the address of one NIC/],
  ["host", "spec.bmc.address", "redfish://192.0.2.010/redfish/v1/Systems/1", /four plain decimals/],
  ["dpu", "spec.bmc.address", "redfish://3221225994", /four plain decimals/],
  ["host", "spec.bmc.address", "redfish://192.0.2.10/redfish", /must name a system as/],
  ["host", "spec.bmc.address", "redfish://0.0.0.0", /must have the address of a machine/],
  ["dpu", "spec.bmc.address", "redfish://192.0.2.10/1", /must name a system as/],
  ["dpu", "spec.bmc.address", "redfish://[ff02::1]", /must have the address of a machine/],
  ["webhook", "spec.url", "https://8.8.8.010/events", /four plain decimals/],
  ["identity_provider", "spec.oidc", { issuer: "https://192.0.2.010" }, /four plain decimals/],
  ["cluster", "spec.ssh_public_key", "ssh-rsa", /must be an OpenSSH public key/],
  ["cluster", "spec.ssh_public_key", cutKey, /is cut off/],
  ["cluster_template", "spec.ssh_public_key", cutKey, /is cut off/],
  ["baremetal_instance", "spec.ssh_public_key", cutKey, /is cut off/],
  ["cluster", "spec.network", { pod_cidr: "10.0.0.0/33" }, /is not a CIDR/],
  ["cluster", "spec.network", { pod_cidr: "10.128.0.0/24" }, /is too small: each node takes a .23/],
  ["cluster", "spec.network", { pod_cidr: "100.64.0.0/16" }, /which OVN-Kubernetes uses/],
  [
    "cluster",
    "spec.network",
    { service_cidr: "172.0.0.0/11" },
    /is too large: Kubernetes takes .12/,
  ],
  ["cluster_template", "spec.network", { pod_cidr: "10.128.0.0/24" }, /is too small/],
  ["cluster_template", "spec.network", { pod_cidr: "100.88.0.0/16" }, /which OVN-Kubernetes uses/],
  ["cluster_template", "spec.network", { service_cidr: "172.0.0.0/11" }, /is too large/],
  ["baremetal_instance", "spec.image.source_ref", "--autofree", /must be an image in a registry/],
  ["baremetal_instance", "spec.image.source_ref", "quay.io:0/x", /must be an image in a registry/],
  ["baremetal_instance", "spec.image.source_ref", "[::1]/x", /must have a host that servers reach/],
  [
    "baremetal_instance_template",
    "spec.image",
    { source_type: "url", source_ref: "https://127.0.0.1/rhel.raw" },
    /must have a host that servers reach/,
  ],
  [
    "baremetal_instance_template",
    "spec.image",
    { source_type: "url", source_ref: "http://images.example.com/rhel.raw" },
    /must be an https URL/,
  ],
  [
    "baremetal_instance_catalog_item",
    "spec.field_definitions",
    [{ path: "image", default: { source_type: "registry", source_ref: "--autofree" } }],
    /must be an image in a registry/,
  ],
  [
    "baremetal_instance_catalog_item",
    "spec.field_definitions",
    [{ path: "image.source_type", default: "url" }],
    /needs image.source_ref beside it/,
  ],
  ["site", "spec.machines", { url: "http://$(id)/" }, /must have a host name of letters/],
  ["site", "spec.machines", { url: "http://10.0.0.2/?a=b" }, /must not have a query/],
  ["site", "spec.machines", { url: "http://0.0.0.0" }, /must have the address of a machine/],
  ["webhook", "spec.url", "https://$(id)/events", /must have a host name of letters/],
  ["cluster_template", "spec.ssh_public_key", "ssh-rsa", /must be an OpenSSH public key/],
  ["webhook", "spec.url", "ftp://hooks.example.com", /https/],
  ["dpu", "spec.serial", "MT\t1", /must not have control characters/],
];

/** Where the answer has a stored field. */
const shownAt: Partial<Record<Kind, Record<string, (value: object) => string>>> = {
  cluster: { "spec.network": (value) => `spec.network.${Object.keys(value).join()}` },
  identity_provider: { "spec.oidc": () => "spec.oidc.issuer" },
  cluster_template: {
    "spec.ssh_public_key": () => "spec_defaults.ssh_public_key",
    "spec.pull_secret_secret": () => "spec_defaults.pull_secret_secret",
    "spec.network": (value) => `spec_defaults.network.${Object.keys(value).join()}`,
  },
  baremetal_instance_template: { "spec.image": () => "spec_defaults.image.source_ref" },
  baremetal_instance_catalog_item: {
    "spec.field_definitions": (value) =>
      `field_definitions[0].${JSON.stringify(value).includes("autofree") ? "default" : "path"}`,
  },
  site: { "spec.machines": () => "spec.machines.url" },
};

/** Stores a value that a rule refuses by now, and has the object listed, read, changed elsewhere and deletable. */
async function goesOn(kind: Kind, field: string, value: unknown, right: RegExp): Promise<void> {
  const id = ids[kind] ?? "";
  const path = rolesFor("private", kind, "update").length > 0 ? priv : v1;
  const who = path === priv ? "admin" : "amy";
  const one = `${path}/${pluralOf(kind)}/${id}`;
  const { object } = JSON.parse(
    JSON.stringify(await api.deps.store.get({ pk: `${kind}#${id}`, sk: "-" })),
  );
  expect(object).toBeDefined();
  const was = pathOf(field).reduce<unknown>(
    (part, name) => (part === undefined ? undefined : Reflect.get(Object(part), name)),
    object,
  );
  await store(kind, field, value);
  try {
    const shown = shownAt[kind]?.[field]?.(Object(value)) ?? field;
    expect((await invalid())[kind]).toEqual({ [shown]: expect.stringMatching(right) });
    expect((await api.ask(who, "GET", one)).status).toBe(200);
    const listed = await api.ask(who, "GET", `${path}/${pluralOf(kind)}?filter=this.id=='${id}'`);
    expect(listed.body.items, listed.text).toHaveLength(1);
    const labels = { metadata: { labels: { old: field.replaceAll(/[^a-z]/g, "") } } };
    const changed = await api.ask(who, "PATCH", one, labels);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.metadata.labels).toMatchObject(labels.metadata.labels);
    const annotations = { metadata: { annotations: { note: "here" } } };
    const noted = await api.ask(
      who,
      "PATCH",
      `${one}?update_mask=metadata.annotations`,
      annotations,
    );
    expect(noted.status, noted.text).toBe(200);
    // The value is as it was, there and in the store.
    expect((await invalid())[kind]).toEqual({ [shown]: expect.stringMatching(right) });
    const gone = await api.ask(who, "DELETE", `${one}?dry_run=true`);
    expect(gone.body.message ?? "", gone.text).not.toMatch(right);
  } finally {
    await store(kind, field, was);
  }
}

describe("an object with a value that is refused by now", () => {
  beforeAll(async () => {
    api = await catalogApi();
    ids = await oneOfEach(api);
  });

  it("is the only one that is listed: none of today's is", async () => {
    expect(await invalid()).toEqual({});
    expect(await invalid(1)).toEqual({});
  });

  it.each(old)("%s %s %j is listed, read and changed elsewhere", goesOn);

  it.each<Kind>(["cluster", "cluster_template"])(
    "%s: a secret object that is no pull secret by now is listed, and the rest is changed",
    async (kind) => {
      const config = JSON.stringify({ auths: { "quay.io": {} }, credsStore: "desktop" });
      const data = { ".dockerconfigjson": Buffer.from(config).toString("base64") };
      const tenant = kind === "cluster" ? "tenant-a" : "shared";
      const metadata = { name: "registry-2", tenant, ...(kind === "cluster" && { project: "p" }) };
      const { body, text } = await admin("POST", "secrets", { metadata, data });
      expect(body.id, text).toBeDefined();
      const secret = { id: body.id, name: "registry-2" };
      await goesOn(kind, "spec.pull_secret_secret", secret, /has no 'auth' for 'quay\.io'/);
    },
  );

  it.each<[Kind, string, string, RegExp]>([
    ["cluster", "pull_secret", '{"auths":{"quay.io":{}},"credsStore":"desktop"}', /quay\.io/],
    ["baremetal_instance", "user_data", "packages: [nginx]", /begins with none of/],
    ["baremetal_instance", "user_data", "H4sIbroken", /cannot be unpacked/],
  ])("%s: a secret %s that is refused by now is listed", async (kind, member, value, right) => {
    await api.deps.secrets.put("old", value);
    const key = kind === "cluster" ? undefined : "spec.ssh_public_key";
    await store(kind, `spec.${member}`, "old");
    if (key && !value.startsWith("H4sI")) await store(kind, key, undefined);
    try {
      const found = (await invalid())[kind];
      expect(found).toMatchObject({ [`spec.${member}`]: expect.stringMatching(right) });
      expect(JSON.stringify(found)).not.toContain(value);
    } finally {
      if (key) await store(kind, key, sshKey("ann"));
      await store(kind, `spec.${member}`, undefined);
    }
  });

  describe("and a change of its spec", () => {
    const host = () => `hosts/${ids.host}`;
    const bmc = { certificate: "AB:CD" };

    it("is refused for another value that is no better", async () => {
      await store("host", "spec.bmc.certificate", bmc.certificate);
      const { status, body } = await admin("PATCH", host(), {
        spec: { bmc: { certificate: "AB" } },
      });
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringContaining("spec.bmc.certificate: must be a SHA-256 fingerprint"),
      });
    });

    it("is accepted elsewhere, and keeps the value", async () => {
      await store("host", "spec.bmc.certificate", bmc.certificate);
      const changed = await admin("PATCH", host(), { spec: { rack: "r9" } });
      expect(changed.status, changed.text).toBe(200);
      expect(changed.body.spec).toMatchObject({ rack: "r9", bmc });
    });

    it("is refused for another rule, which alone is named", async () => {
      await store("host", "spec.bmc.certificate", bmc.certificate);
      const { body } = await admin("PATCH", host(), { spec: { rack: "a\tb" } });
      expect(body.message).toBe("validation failed: spec.rack: must not have control characters");
    });

    it("is accepted that mends the value", async () => {
      await store("host", "spec.bmc.certificate", bmc.certificate);
      const certificate = Array.from({ length: 32 }, () => "0a").join(":");
      const changed = await admin("PATCH", host(), { spec: { bmc: { certificate } } });
      expect(changed.status, changed.text).toBe(200);
      expect(await invalid()).toEqual({});
    });

    it("is written whole: a template gets another revision with the value that it keeps", async () => {
      await store("cluster_template", "spec.network", {
        pod_cidr: "10.0.0.0/12",
        service_cidr: "10.0.0.0/16",
      });
      const { body: before } = await admin("GET", "cluster_templates/ocp_small");
      const changed = await admin("PATCH", "cluster_templates/ocp_small", { title: "Smaller" });
      expect(changed.status, changed.text).toBe(200);
      expect(changed.body).toMatchObject({ title: "Smaller", spec_defaults: before.spec_defaults });
      // Both prefixes are looked at by the rule that one breaks.
      const moved = { spec_defaults: { network: { pod_cidr: "10.0.0.0/13" } } };
      const { body } = await admin("PATCH", "cluster_templates/ocp_small", moved);
      expect(body.message).toContain("overlaps pod_cidr");
    });
  });
});
