import { expect, it } from "vitest";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { api } from "../../../../core/resources/external-ip-attachment/api.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { instanceRecord } from "../../../support/instance-record.ts";
import { externalIpRecord } from "../../../support/network-records.ts";
import { depsWith, refusedOrder } from "../../../support/refused.ts";

/** The refusals of orders for an attachment: each names its field and reports each fault once. */

const cluster = (id: string, more: Partial<Cluster> = {}): Cluster => ({
  ...clusterRecord(0, id),
  ...{ infra_id: `a-${id}`, published: true },
  ...more,
});

const targets = () =>
  depsWith(
    cluster("c1", { site: { id: "site-1", parts: {} } }),
    cluster("nowhere"),
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
    "a server that is made",
    ofServer,
    ["server 'server' is not RUNNING: BARE_METAL_INSTANCE_STATE_PROVISIONING"],
  ],
])("refuses an attachment to %s", async (_, spec, faults) => {
  expect(await refusedOrder(await targets(), api.rules, { ...usual, ...spec })).toEqual(faults);
});
