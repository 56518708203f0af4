import { expect, it } from "vitest";
import { readyNetwork, withNetworks } from "../support/networks.ts";
import { openSite } from "../support/site.ts";

/**
 * A refusal as a tenant's client gets it. What else is refused, and why: `api.test.ts` of each kind of network, in
 * `test/core/resources`.
 */

it("says of an endpoint that there is none just that", { tags: "smoke" }, async () => {
  const site = await openSite();
  await withNetworks(site);
  await readyNetwork(site, "shop");
  const { status, body } = await site.api("POST", "external_ip_attachments", {
    metadata: { name: "wrong" },
    spec: { external_ip: "nope", cluster: "nope", target_endpoint: "API" },
  });
  expect(status).toBe(400);
  expect(body.errors.filter(({ field }: { field: string }) => /endpoint/.test(field))).toEqual([
    {
      field: "spec.target_endpoint",
      message:
        'must be one of "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API"|"EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS"',
    },
  ]);
});
