import { expect, it } from "vitest";
import { openSite } from "../../../support/site.ts";

it("what is done in a hosted cluster is not done again while the rest is waited for", async () => {
  const asked = new Map<string, number>();
  const site = await openSite({
    outside: (request, send) => {
      const name = `${request.method} ${new URL(request.url).pathname.replace(/.*\//, "")}`;
      asked.set(name, (asked.get(name) ?? 0) + 1);
      return send();
    },
  });
  const id = await site.order("c1", { placement: { region: "eu-west" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  // MetalLB takes minutes longer than the storage class.
  expect(asked.get("PATCH slipway-ingress")).toBeGreaterThan(1);
  expect(asked.get("PATCH ceph-rbd")).toBe(1);
});
