import { describe, expect, it } from "vitest";
import type { MadeOutsideKind } from "../../../core/at-site/made-outside.ts";
import { timestamp } from "../../../core/clock.ts";
import { asOperationId } from "../../../core/id.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { api as attachments } from "../../../core/resources/external-ip-attachment/api.ts";
import { api as gateways } from "../../../core/resources/nat-gateway/api.ts";
import { claimingWayOut, wayOutOf } from "../../../core/resources/nat-gateway/claim.ts";
import { api as groups } from "../../../core/resources/security-group/api.ts";
import { api as subnets } from "../../../core/resources/subnet/api.ts";
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
import { ann } from "../../support/orders.ts";
import { depsWith, forbid, refusedRetry } from "../../support/refused.ts";
import { type Retried, retryObject } from "../../support/retry.ts";

/** Retries of networks and of what is in them: which are accepted, and what they order. */

const failure = { step: "CreateRouter", kind: "Rejected", message: "no", given_back: true };
const failed = { made: undefined, failure };
const onHub = { site: undefined, hub: { id: "hub-1", parts: {} } };
/** What every such kind has in common; `record` makes one that is READY. */
function retriesOf<K extends MadeOutsideKind>(
  rules: Retried<K>,
  record: (more: object) => ObjectOf[K],
): void {
  const { kind } = rules;
  const what = kind.replaceAll("_", " ");
  const withRecord = (more: object) => depsWith(record(more), externalIpRecord("shop"));

  describe(`a retry of a ${what}`, () => {
    it("orders what was never created again, and counts it", async () => {
      const deps = await withRecord({ ...failed, charge: {} });
      const { operation } = await retryObject(deps, rules, "it");
      const after = await mustLoad(deps, kind, "it");
      expect(after).toMatchObject({ operation, charge: { [`${kind}s`]: 1 } });
      expect(after.failure).toBeUndefined();
      expect((await mustLoad(deps, "operation", operation ?? "")).spec).toMatchObject({
        saga: `${kind.replaceAll("_", "-")}-create`,
        change: "CREATE",
      });
    });

    it("is refused with what the quota does not allow any more", async () => {
      const deps = await withRecord({ ...failed, charge: {} });
      await forbid(deps, `${kind}s`);
      expect(await refusedRetry(deps, rules, "it")).toEqual([
        expect.stringContaining(`at most 0 ${what}s`),
      ]);
    });

    it.each<[string, object, string]>([
      ["is READY", {}, "READY"],
      ["is READY though a change has failed", { failure }, "READY"],
      ["is being created", { made: undefined, operation: asOperationId("create") }, "PENDING"],
      ["is being created again", { ...failed, operation: asOperationId("again") }, "FAILED"],
      ["is ordered", { made: undefined }, "PENDING"],
    ])("is refused for one that %s", async (_, more, state) => {
      const name = kind.toUpperCase();
      const status = { ...record({}).status, state: `${name}_STATE_${state}` };
      const made = { made: true, wanted: 1, applied: 1, ...more, status };
      const deps = await withRecord(made);
      expect(await refusedRetry(deps, rules, "it")).toEqual([
        `nothing of ${what} 'it' is to be retried: it is ${name}_STATE_${state}`,
      ]);
    });

    it("is refused for one that is being deleted, whatever has failed of it", async () => {
      const { metadata } = record({});
      const deletion_timestamp = timestamp(0);
      const more = { ...failed, metadata: { ...metadata, deletion_timestamp } };
      const deps = await withRecord(more);
      expect(await refusedRetry(deps, rules, "it")).toEqual([
        expect.stringContaining("nothing of"),
      ]);
    });

    it("finds nothing of another tenant", async () => {
      const deps = await withRecord(failed);
      await expect(
        retryObject(deps, rules, "it", { ...ann, tenant: "tenant-b" }),
      ).rejects.toMatchObject({
        kind: "NotFound",
      });
    });
  });
}

retriesOf(networks.rules, (more) => networkRecord("it", more));
retriesOf(subnets.rules, (more) => subnetRecord("it", {}, { made: true, ...more }));
retriesOf(groups.rules, (more) => groupRecord("it", more));
retriesOf(gateways.rules, (more) => natRecord("it", more));

const ordered = async (deps: TestDeps, { operation = "" }: { operation?: string }) => {
  const { spec } = await mustLoad(deps, "operation", operation);
  return [spec.saga, spec.change];
};

it("a retry on a hub runs the hub's saga", async () => {
  const deps = await depsWith(
    networkRecord("network", { ...failed, ...onHub }),
    subnetRecord("subnet", {}, { ...failed, ...onHub }),
  );
  const network = await retryObject(deps, networks.rules, "network");
  expect(await ordered(deps, network)).toEqual(["hub-network-create", "CREATE"]);
  const subnet = await retryObject(deps, subnets.rules, "subnet");
  expect(await ordered(deps, subnet)).toEqual(["hub-subnet-create", "CREATE"]);
});

it.each<[string, object, string, string]>([
  ["was never created", { ...failed, wanted: 2 }, "security-group-create", "CREATE"],
  ["has other rules", { failure, wanted: 2 }, "security-group-apply", "UPDATE"],
  [
    "was never created on a hub",
    { ...failed, ...onHub, wanted: 2 },
    "hub-security-group-create",
    "CREATE",
  ],
  [
    "has other rules on a hub",
    { failure, ...onHub, wanted: 2 },
    "hub-security-group-apply",
    "UPDATE",
  ],
])("a retry of a group that %s orders that", async (_, more, saga, change) => {
  const deps = await depsWith(groupRecord("it", more));
  const accepted = await retryObject(deps, groups.rules, "it");
  expect(await ordered(deps, accepted)).toEqual([saga, change]);
});

it.each<[string, object, string[]]>([
  [
    "its external IP is another's",
    { attached_to: { kind: "nat_gateway", id: "rival" } },
    ["external IP 'shop' is attached already: nat gateway 'rival' has it"],
  ],
  [
    "its network has another way out",
    {},
    ["network 'shop' has a way out already: NAT gateway 'first' (nat-1)"],
  ],
])("a retry of a NAT gateway is refused while %s", async (_, ip, faults) => {
  const deps = await depsWith(natRecord("it", failed), externalIpRecord("shop", ip));
  await deps.store.transact([claimingWayOut("shop", { id: "nat-1", name: "first" })]);
  expect(await refusedRetry(deps, gateways.rules, "it")).toEqual(faults);
});

it("a retry of a NAT gateway claims its external IP and its network's way out", async () => {
  const deps = await depsWith(natRecord("it", failed), externalIpRecord("shop"));
  await retryObject(deps, gateways.rules, "it");
  const attached_to = { kind: "nat_gateway", id: "it" };
  expect(await mustLoad(deps, "external_ip", "shop")).toMatchObject({ attached_to });
  expect(await wayOutOf(deps.store, "shop")).toMatchObject({ nat_gateway: "it", name: "it" });
});

const at = (name: string) => ({ attachment: name, name, address: "203.0.113.80" });
const cluster = (more: Partial<Cluster> = {}): Cluster => ({
  ...clusterRecord(0, "c1"),
  ...{ published: true, site: { id: "site-1", parts: {} } },
  ...more,
});

describe("a retry of an attachment", () => {
  const attachment = attachmentRecord("it", failed);

  it.each<[string, Cluster[], object, string[]]>([
    [
      "its endpoint has another",
      [cluster({ site: { id: "site-1", parts: {}, external_ips: { api: at("rival") } } })],
      {},
      [
        "cluster 'c1' has the address 203.0.113.80 for api already: external ip attachment 'rival' has it",
      ],
    ],
    [
      "its external IP is attached elsewhere",
      [cluster()],
      { attached_to: { kind: "external_ip_attachment", id: "elsewhere" } },
      ["external IP 'front' is attached already: external ip attachment 'elsewhere' has it"],
    ],
    [
      "its cluster is being deleted",
      [
        cluster({
          metadata: { ...cluster().metadata, deletion_timestamp: timestamp(0) },
          operation: asOperationId("delete"),
        }),
      ],
      {},
      ["cluster 'c1' is not READY: CLUSTER_STATE_DELETING"],
    ],
    ["its cluster is gone", [], {}, ["cluster 'c1' is gone"]],
  ])("is refused while %s", async (_, clusters, ip, faults) => {
    const deps = await depsWith(attachment, externalIpRecord("front", ip), ...clusters);
    expect(await refusedRetry(deps, attachments.rules, "it")).toEqual(faults);
  });
});
