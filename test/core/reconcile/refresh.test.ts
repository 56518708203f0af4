import { expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { refreshAgents } from "../../../core/reconcile/refresh-agents.ts";
import { recordsIn } from "../../support/records.ts";
import { openSite } from "../../support/site.ts";

it("the agents of an order are read alone, in one call, however many clusters the hub has", async () => {
  const asked: string[] = [];
  const site = await openSite({
    outside: (request, send) => {
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return send();
    },
  });
  const ids = [await site.order("c1"), await site.order("c2")];
  for (const id of ids) await site.settled(id);
  const cluster = await mustLoad(recordsIn(site.laptop.store), "cluster", ids[0] ?? "");
  asked.length = 0;
  await refreshAgents(site.laptop.deps, cluster);
  expect(asked).toEqual([
    "GET /apis/agent-install.openshift.io/v1beta1/namespaces/hardware-inventory/agents",
  ]);
});
