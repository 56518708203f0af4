import { expect, it } from "vitest";
import type { JsonObject } from "../../../../core/kernel/input/shape.ts";
import { infraKey } from "../../../../core/kernel/object/keys.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { createObject } from "../../../../core/kernel/request/crud.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { api } from "../../../../core/resources/external-ip-attachment/api.ts";
import type { ExternalIpAttachment } from "../../../../core/resources/external-ip-attachment/model.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import type { TestDeps } from "../../../support/deps.ts";
import { instanceRecord } from "../../../support/instance-record.ts";
import { attachmentRecord, externalIpRecord } from "../../../support/network-records.ts";
import { ann } from "../../../support/orders.ts";
import { changeSpec, depsWith, refusedChange, refusedOrder } from "../../../support/refused.ts";

/** Orders for an attachment: what an accepted one stores and claims, and the refusals, each with its field. */

const cluster = (id: string, more: Partial<Cluster> = {}): Cluster => ({
  ...clusterRecord(0, id),
  ...{ infra_id: `a-${id}`, published: true },
  ...more,
});

const rival = { attachment: "rival", name: "rival", address: "203.0.113.90" };

const targets = () =>
  depsWith(
    cluster("c1", { site: { id: "site-1", parts: {} } }),
    cluster("nowhere"),
    cluster("led-to", { site: { id: "site-1", parts: {}, external_ips: { api: rival } } }),
    cluster("new", { published: false }),
    instanceRecord({ id: "server" }),
    externalIpRecord("front"),
    externalIpRecord("six", { address: "2001:db8::1" }),
    externalIpRecord("elsewhere", { address: "198.51.100.0", site: undefined }),
    externalIpRecord("taken", { attached_to: { kind: "nat_gateway", id: "nat-1" } }),
  );

const usual = {
  external_ip: "front",
  cluster: "c1",
  target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
};
const ofServer = {
  ...{ external_ip: "elsewhere", baremetal_instance: "server" },
  ...{ cluster: undefined, target_endpoint: undefined },
};
const names = "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API or EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS";

it.each<[string, object, string[]]>([
  [
    "a virtual machine",
    { compute_instance: "vm", cluster: undefined, target_endpoint: undefined },
    [
      "spec.cluster: is required",
      "spec.compute_instance: is not possible yet: external IPs are attached to clusters and servers",
    ],
  ],
  [
    "no endpoint",
    { target_endpoint: undefined },
    [`spec.target_endpoint: is required with a cluster: ${names}`],
  ],
  [
    "an endpoint that does not exist",
    { target_endpoint: "API" },
    [
      'spec.target_endpoint: must be one of "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API"|"EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS"',
    ],
  ],
  [
    "a cluster that is not there",
    { cluster: "c9" },
    ['spec.cluster: Cluster "c9" not found in this project'],
  ],
  [
    "a cluster without id and name",
    { cluster: { project: "x" } },
    ["spec.cluster: Cluster reference must specify id or name"],
  ],
  [
    "a server that is not there",
    { ...ofServer, baremetal_instance: "none" },
    ['spec.baremetal_instance: BareMetalInstance "none" not found in this project'],
  ],
  [
    "a cluster and a server",
    { external_ip: "elsewhere", baremetal_instance: "server" },
    ["spec.baremetal_instance: cluster and baremetal_instance are mutually exclusive"],
  ],
  [
    "an endpoint of a server",
    { ...ofServer, target_endpoint: usual.target_endpoint },
    ["spec.target_endpoint: is for clusters alone"],
  ],
  [
    "an address that is not there",
    { external_ip: "none" },
    ['spec.external_ip: ExternalIP "none" not found in this project'],
  ],
  [
    "an address of a pool elsewhere",
    { external_ip: "elsewhere" },
    [
      "spec.external_ip: 198.51.100.0 does not lead to where cluster 'c1' is: order one of a pool there",
    ],
  ],
  [
    "an address of IPv6",
    { external_ip: "six" },
    ["spec.external_ip: 2001:db8::1 is of IPv6, and IPv4 alone is translated"],
  ],
  [
    "a cluster at no site",
    { cluster: "nowhere" },
    ["spec.cluster: cluster 'nowhere' is at no site, so no address leads there"],
  ],
  [
    "an address that another has",
    { external_ip: "taken" },
    ["external IP 'taken' is attached already: nat gateway 'nat-1' has it"],
  ],
  [
    "a cluster that is made",
    { cluster: "new" },
    ["cluster 'new' is not READY: CLUSTER_STATE_PROGRESSING"],
  ],
  [
    "an endpoint that another has",
    { cluster: "led-to" },
    [
      "cluster 'led-to' has the address 203.0.113.90 for api already: external ip attachment 'rival' has it",
    ],
  ],
  [
    "an endpoint that another has, of an address elsewhere",
    { cluster: "led-to", external_ip: "elsewhere" },
    [
      "spec.external_ip: 198.51.100.0 does not lead to where cluster 'led-to' is: order one of a pool there",
    ],
  ],
  [
    "a server that is made",
    ofServer,
    ["server 'server' is not RUNNING: BARE_METAL_INSTANCE_STATE_PROVISIONING"],
  ],
])("refuses an attachment to %s", async (_, spec, faults) => {
  expect(await refusedOrder(await targets(), api.rules, { ...usual, ...spec })).toEqual(faults);
});

const order = async (deps: TestDeps, spec: JsonObject) =>
  (await createObject(deps, ann, api.rules, { metadata: { name: "it" }, spec })).object;

it("stores an order for a cluster, and claims the endpoint and the address", async () => {
  const deps = await targets();
  const object = await order(deps, usual);
  expect(object).toMatchObject({
    ...{ address: "203.0.113.80", site: { id: "site-1", parts: {} }, charge: {} },
    status: {
      state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING",
      external_ip_address: "203.0.113.80",
    },
  });
  expect(object.spec).toEqual({
    external_ip: { id: "front", name: "front" },
    cluster: { id: "c1", name: "c1" },
    target_endpoint: usual.target_endpoint,
  });
  const { id, infra_id: name } = object;
  expect(await deps.store.get(infraKey(name))).toMatchObject({ external_ip_attachment: id });
  expect((await mustLoad(deps, "external_ip", "front")).attached_to).toEqual({
    ...{ kind: "external_ip_attachment", id },
  });
  expect((await mustLoad(deps, "cluster", "c1")).site?.external_ips).toEqual({
    api: { attachment: id, name, address: "203.0.113.80" },
  });
});

it("stores an order for a server, which has one address", async () => {
  const deps = await targets();
  const running = instanceRecord({ id: "running", published: true });
  await deps.store.transact(putNew(deps.kinds, running));
  const spec = { external_ip: "elsewhere", baremetal_instance: "running" };
  const object = await order(deps, spec);
  expect(object.spec).toEqual({
    external_ip: { id: "elsewhere", name: "elsewhere" },
    baremetal_instance: { id: "running", name: "running" },
  });
  expect((await mustLoad(deps, "baremetal_instance", "running")).external_ip).toMatchObject({
    attachment: object.id,
  });
});

const immutable = (member: string) => `spec.${member}: field 'spec.${member}' is immutable`;
const attachment = attachmentRecord("it");
const { cluster: _, target_endpoint: __, ...ofAddress } = attachment.spec;
const toServer = attachmentRecord("it", {
  spec: { ...ofAddress, baremetal_instance: { id: "server", name: "server" } },
});

it.each<[object, ExternalIpAttachment, string[]]>([
  [{ external_ip: "six" }, attachment, [immutable("external_ip")]],
  [{ cluster: "nowhere" }, attachment, [immutable("cluster")]],
  [{ cluster: undefined }, attachment, [immutable("cluster")]],
  [{ baremetal_instance: "server" }, attachment, [immutable("baremetal_instance")]],
  [
    { target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS" },
    attachment,
    [immutable("target_endpoint")],
  ],
  [{ compute_instance: "vm" }, attachment, [immutable("compute_instance")]],
  [{ baremetal_instance: "other" }, toServer, [immutable("baremetal_instance")]],
  [{ cluster: "c1" }, toServer, [immutable("cluster")]],
])("refuses the change %j", async (members, before, faults) => {
  const deps = await depsWith(before);
  expect(await refusedChange(deps, api.rules, "it", members)).toEqual(faults);
});

it.each([attachment, toServer])("a change that alters nothing is accepted", async (before) => {
  const deps = await depsWith(before);
  const members = { external_ip: "front" };
  expect((await changeSpec(deps, api.rules, "it", members)).object).toEqual(before);
});
