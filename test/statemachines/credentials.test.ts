import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import { parseKubeconfig } from "../../core/ports/kubernetes/kubeconfig.ts";
import { signingRequest } from "../support/signing-request.ts";
import { openSite, type Site } from "../support/site.ts";

const minute = 60_000;

/** The same request again while the hub has not signed, as the answer says. */
async function issued(site: Site, path: string, csr: string) {
  for (;;) {
    const { status, body } = await site.laptop.clock.until(site.api("POST", path, { csr }));
    if (status !== 503) return { status, body };
  }
}

it("certificates of a cluster are issued and revoked through its API, and go with it", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const id = await site.order("c1");
  await site.settled(id);
  const path = `clusters/${id}/credentials`;
  const csr = await signingRequest("alice");
  const { status, body } = await issued(site, path, csr);
  expect(status, JSON.stringify(body)).toBe(200);
  const certificate = new X509Certificate(body.certificate);
  expect(certificate.subject).toContain("CN=system:customer-break-glass:alice");
  const { body: kubeconfig } = await site.api("GET", `clusters/${id}/kubeconfig`);
  expect(body.kubeconfig).toContain(parseKubeconfig(kubeconfig).server);
  expect((await issued(site, path, csr)).body).toEqual(body);
  expect(await issued(site, path, await signingRequest("bob"))).toMatchObject({
    status: 400,
    body: { errors: [{ field: "csr" }] },
  });

  const listed = async () => (await site.api("GET", path)).body;
  expect(await listed()).toMatchObject({
    items: [{ serial: certificate.serialNumber, state: "CREDENTIAL_STATE_ISSUED" }],
  });
  await site.api("POST", `${path}/revoke`, {});
  expect((await issued(site, path, await signingRequest("alice"))).status).toBe(400);
  await site.laptop.until(
    async () => (await listed()).revocation.state === "REVOCATION_STATE_REVOKED",
  );
  expect((await listed()).items).toMatchObject([{ state: "CREDENTIAL_STATE_REVOKED" }]);
  await site.laptop.pass(minute);
  expect((await issued(site, path, await signingRequest("alice"))).status).toBe(200);

  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  expect((await issued(site, path, csr)).status).toBe(400);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.owned()).toEqual([]);
});
