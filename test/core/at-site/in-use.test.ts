import { expect, it } from "vitest";
import { mustLoad, putNew } from "../../../core/kernel/object/records.ts";
import { createObject } from "../../../core/kernel/request/crud.ts";
import { rules as clusters } from "../../../core/resources/cluster/api.ts";
import { api as ips } from "../../../core/resources/external-ip/api.ts";
import { api as networkClasses } from "../../../core/resources/network-class/api.ts";
import { api as groups } from "../../../core/resources/security-group/api.ts";
import { api as networks } from "../../../core/resources/virtual-network/api.ts";
import { clusterRecord } from "../../support/cluster-record.ts";
import type { TestDeps } from "../../support/deps.ts";
import {
  attachmentRecord,
  externalIpRecord,
  groupRecord,
  natRecord,
  networkRecord,
  subnetRecord,
} from "../../support/network-records.ts";
import { root } from "../../support/orders.ts";
import { depsWith, refusedDeletion } from "../../support/refused.ts";

/** Deletions of what networks need, or of what is in them: each is refused with its users, by their ids. */

async function records(): Promise<TestDeps> {
  const rule = {
    protocol: "PROTOCOL_ALL",
    security_group: { id: "front", name: "front" },
  } as const;
  const shop = { id: "shop", name: "shop" };
  const api = { attachment: "api", name: "api", address: "203.0.113.80" };
  const deps = await depsWith(
    subnetRecord("web"),
    groupRecord("front"),
    groupRecord("back", { spec: { virtual_network: shop, ingress: [rule], egress: [] } }),
    natRecord("exit"),
    externalIpRecord("shop"),
    externalIpRecord("front"),
    attachmentRecord("api"),
    { ...clusterRecord(0, "c1"), site: { id: "site-1", parts: {}, external_ips: { api } } },
  );
  const { object } = await createObject(deps, root, networkClasses.rules, {
    ...{ metadata: { name: "isolated" }, implementation_strategy: "overlay", is_default: true },
    spec: { vni_range: { first: 5000, last: 5999 } },
  });
  const network_class = { id: object.id, name: "isolated" };
  const { spec } = networkRecord("shop");
  const network = networkRecord("shop", { spec: { ...spec, network_class } });
  await deps.store.transact(putNew(deps.kinds, network));
  return deps;
}

it.each<[string, (deps: TestDeps) => Promise<string[]>, string]>([
  [
    "a network",
    (deps) => refusedDeletion(deps, networks.rules, "shop"),
    "subnet 'web', security group 'back', security group 'front', nat gateway 'exit'",
  ],
  [
    "a group that a rule names",
    (deps) => refusedDeletion(deps, groups.rules, "front"),
    "security group 'back'",
  ],
  [
    "the external IP of a NAT gateway",
    (deps) => refusedDeletion(deps, ips.rules, "shop"),
    "nat gateway 'exit'",
  ],
  [
    "the external IP of an attachment",
    (deps) => refusedDeletion(deps, ips.rules, "front"),
    "external ip attachment 'api'",
  ],
  [
    "the cluster of an attachment",
    (deps) => refusedDeletion(deps, clusters, "c1"),
    "external ip attachment 'api' \\(api\\)",
  ],
])("refuses the deletion of %s", async (_, deletion, users) => {
  const deps = await records();
  expect(await deletion(deps)).toEqual([expect.stringMatching(new RegExp(`in use by ${users}$`))]);
});

it("refuses the deletion of the class of a network", async () => {
  const deps = await records();
  const { spec } = await mustLoad(deps, "virtual_network", "shop");
  const { id } = spec.network_class;
  expect(await refusedDeletion(deps, networkClasses.rules, id, root)).toEqual([
    `cannot delete network class '${id}': in use by virtual network 'shop'`,
  ]);
});
