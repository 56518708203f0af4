import { expect, it } from "vitest";
import type { Site } from "../../../../core/at-site/site.ts";
import { asHostId, asHubId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import type { Attachment, Fabric } from "../../../../core/ports/fabric/fabric.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { ensureAttachments } from "../../../../statemachines/steps/site/attachments.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { testDeps } from "../../../support/deps.ts";
import { addHosts, addHub, startOrder } from "../../../support/placement.ts";

const network = {
  ...{ number: 1, prefix: "10.64.1.0/24", gateway: "10.64.1.1", dns_servers: [] },
  range: { first: "10.64.1.10", last: "10.64.1.250" },
  ...{ api: "10.64.1.2", ingress: "10.64.1.3" },
};

it("writes what the switch ports wait for when that changes, and not at each look", async () => {
  const seen: string[] = [];
  let bound = false;
  const fabric = {
    ensureAttachments: async (_, links) => {
      seen.push((await clusterNow()).site?.parts.attachments?.state ?? "none");
      return links.map((link) => ({ ...link, state: bound ? "bound" : "pending" }) as Attachment);
    },
  } as Partial<Fabric> as Fabric;
  const site = { id: "site-1" } as Site;
  const deps = testDeps({ sites: { systems: async () => ({ site, fabric }) } });
  await addHub(deps, "hub", { site: "site-1" });
  await addHosts(deps, "hub", "small", ["host"]);
  const order = await startOrder(deps, "one", { small: 1 });
  const clusterNow = () => mustLoad(deps, "cluster", order.cluster);
  await changeObject(deps, "cluster", order.cluster, (cluster) => ({
    ...cluster,
    placement: {
      ...{ hub: asHubId("hub"), at: "", reason: "", rejected: [] },
      hosts: { small: [asHostId("host")] },
    },
    site: { id: "site-1", network, parts: {} },
  }));
  const context = (await attemptAt(deps, order.operation, "AttachHosts")) as StepContext<Cluster>;
  const look = async () => {
    const before = await clusterNow();
    await ensureAttachments(before, context);
    return (await clusterNow()).revision - before.revision;
  };
  // That it has begun, before the first request; then what it waits for.
  expect([await look(), await look(), await look()]).toEqual([2, 0, 0]);
  bound = true;
  expect([await look(), seen]).toEqual([1, Array(4).fill("pending")]);
  expect((await clusterNow()).site?.parts.attachments).toMatchObject({ state: "done" });
});
