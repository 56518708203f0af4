import { expect, it } from "vitest";
import { secretReference } from "../../core/ports/secrets/secrets.ts";
import { makeAuthority } from "../../sim/kubernetes/certificates.ts";
import { pullSecret } from "../support/api.ts";
import { wrongInBooks } from "../support/books.ts";
import { openSite } from "../support/site.ts";

it("an ordered cluster becomes READY, scales up and down, and leaves nothing behind", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const { certificate, key } = await makeAuthority("the site's", site.laptop.clock.now());
  const authority = { certificates: { authority: certificate }, secrets: { certificates: key } };
  expect((await site.admin("PATCH", "sites/site-1", { spec: authority })).status).toBe(200);
  const spec = { template: { id: "ocp_4_17_small" }, pull_secret: pullSecret("own") };
  const order = { metadata: { name: "c1", labels: { env: "test", team: "red" } }, spec };
  const { body } = await site.api("POST", "clusters", order, { "Idempotency-Key": "once" });
  const { id } = body;
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const ready = await site.cluster(id);
  expect(ready.status.state).toBe("CLUSTER_STATE_READY");
  expect(ready.status.node_sets.workers).toMatchObject({ size: 2, ready: 2 });
  const references = [...site.secrets.keys()];
  expect(references).toContain(secretReference.ingressCertificate(id));
  expect(await wrongInBooks(site)).toEqual([]);
  const kubeconfig = await site.api("GET", `clusters/${id}/kubeconfig`);
  expect(kubeconfig.body).toContain("certificate-authority-data");

  const labelled = { metadata: { labels: { env: "prod" } } };
  const more = { ...labelled, spec: { node_sets: { workers: { size: 4 } } } };
  await site.api("PATCH", `clusters/${id}`, more);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 4, ready: 4 });
  const filter = encodeURIComponent("this.metadata.labels.env == 'prod'");
  expect((await site.api("GET", `clusters?filter=${filter}`)).body).toMatchObject({ total: 1 });
  expect(await wrongInBooks(site)).toEqual([]);

  await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 1 } } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 1, ready: 1 });
  expect(site.owned().filter((thing) => thing.toLowerCase().startsWith("host "))).toHaveLength(1);

  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.api("GET", `clusters/${id}`)).status).toBe(404);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});
