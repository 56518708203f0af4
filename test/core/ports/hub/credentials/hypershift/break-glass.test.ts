import { X509Certificate } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { hours, minutes, seconds } from "../../../../../../core/clock.ts";
import type { IssuedCredential } from "../../../../../../core/ports/hub/credentials/port.ts";
import { KubernetesHub } from "../../../../../../core/ports/hub/kubernetes-hub.ts";
import { parseKubeconfig } from "../../../../../../core/ports/kubernetes/kubeconfig.ts";
import { type Order, ownerIn } from "../../../../../support/deployment.ts";
import { signingRequest } from "../../../../../support/signing-request.ts";
import {
  advanceUntil,
  applyAll,
  orderOf,
  type TestWorld,
  testWorld,
} from "../../../../../support/sim-world.ts";

/** Short-lived credentials, on a simulated hub whose operator signs. */

let simulated: TestWorld;
let order: Order;
let client: KubernetesHub;

beforeEach(async () => {
  simulated = await testWorld();
  order = orderOf(simulated.cluster);
  const connection = parseKubeconfig(simulated.hub.kubeconfig ?? "");
  client = new KubernetesHub({ connection, wall: simulated.clock, fetch: simulated.world.fetch });
});

afterEach(async () => {
  await client.close();
  await simulated.world.stop();
  simulated.database.close();
});

const controlPlaneUp = async () => {
  applyAll(simulated.cluster, order);
  const secret = `${order.hostedCluster}-admin-kubeconfig`;
  await advanceUntil(
    simulated.clock,
    () => simulated.cluster.get("Secret", order.namespace, secret) !== undefined,
  );
  await simulated.clock.advance(seconds(5));
};

/** What is answered while time goes on. */
async function whileTimePasses<T>(asked: Promise<T>): Promise<T> {
  let isDone = false;
  const done = asked.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await simulated.clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return done;
}

const ask = (csr: string, user = "ann") =>
  whileTimePasses(client.credentials.issueCredential(order, { csr, user }));

/** Asks until the hub has signed, as its clients do. */
async function issued(csr: string): Promise<IssuedCredential> {
  for (;;) {
    const issuance = await ask(csr);
    if (issuance.outcome === "issued") return issuance.credential;
    expect(issuance.outcome).toBe("waiting");
  }
}

const list = () => whileTimePasses(client.credentials.listCredentials(order));
const requests = () => simulated.cluster.list("CertificateSigningRequest");
const trusted = () => {
  const { controlPlaneNamespace } = order;
  const name = "customer-system-admin-signer-ca";
  const bundle = simulated.cluster.get("ConfigMap", controlPlaneNamespace, name);
  return new X509Certificate(
    z.object({ "ca-bundle.crt": z.string() }).parse(bundle?.data)["ca-bundle.crt"],
  );
};
/** As the API server of the cluster judges it. */
const isTrusted = (certificate: string): boolean =>
  new X509Certificate(certificate).verify(trusted().publicKey);

async function revokedAll(): Promise<void> {
  for (;;) {
    const { revocation } = await list();
    if (revocation?.state === "REVOCATION_STATE_REVOKED") return;
    await simulated.clock.advance(seconds(30));
  }
}

it("a certificate of a day is signed for the key of a request, once", async () => {
  await controlPlaneUp();
  const csr = await signingRequest("ann");
  const credential = await issued(csr);
  const certificate = new X509Certificate(credential.certificate);
  expect(certificate.subject.split("\n").sort()).toEqual([
    "CN=system:customer-break-glass:ann",
    "O=system:masters",
  ]);
  expect(isTrusted(credential.certificate)).toBe(true);
  expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(hours(24));
  expect(credential).toMatchObject({ user: "ann", serial: certificate.serialNumber });

  const kubeconfig = parseKubeconfig((await client.credentials.readKubeconfig(order)) ?? "");
  expect(() => parseKubeconfig(credential.kubeconfig)).toThrow();
  expect(credential.kubeconfig).not.toContain(kubeconfig.token ?? "none");
  const key = Buffer.from(credential.certificate).toString("base64");
  const whole = credential.kubeconfig.replace(
    /(client-certificate-data)/,
    `client-key-data: ${key}\n      $1`,
  );
  expect(parseKubeconfig(whole)).toMatchObject({
    server: kubeconfig.server,
    ca: kubeconfig.ca,
    clientCertificate: credential.certificate,
  });

  expect(await issued(csr.replaceAll("\n", "\r\n"))).toEqual(credential);
  expect(requests()).toHaveLength(1);
  expect(requests()[0]?.metadata.labels).toEqual({
    "slipway.dev/cluster": order.id,
    "slipway.dev/tenant": order.tenant,
  });
  const { certificate: _, kubeconfig: __, ...told } = credential;
  expect(await list()).toEqual({ items: [{ ...told, state: "CREDENTIAL_STATE_ISSUED" }] });
});

it("what the hub has taken away is listed still, and not signed anew", async () => {
  await controlPlaneUp();
  const csr = await signingRequest("ann");
  const { serial } = await issued(csr);
  // As Kubernetes does after an hour.
  for (const { kind, metadata } of requests())
    simulated.cluster.delete(kind, undefined, metadata.name);
  expect(await ask(csr)).toEqual({ outcome: "spent" });
  expect(await list()).toMatchObject({ items: [{ serial, state: "CREDENTIAL_STATE_ISSUED" }] });
  expect(requests()).toEqual([]);

  await simulated.clock.advance(hours(49));
  const other = await issued(await signingRequest("ann"));
  expect((await list()).items.map((each) => each.serial)).toEqual([other.serial]);
});

it("a request that is not fit leaves nothing on the hub", async () => {
  await controlPlaneUp();
  const csr = await signingRequest("bob");
  expect(await ask(csr, "ann")).toMatchObject({
    outcome: "invalid",
    message: expect.stringContaining("CN=system:customer-break-glass:ann"),
  });
  expect(requests()).toEqual([]);
  expect(await list()).toEqual({ items: [] });
});

it("a cluster without an API has none", async () => {
  expect(await ask(await signingRequest("ann"))).toEqual({ outcome: "not-ready" });
  expect(requests()).toEqual([]);
});

it("the hub may take longer than anybody waits: the same request goes on", async () => {
  await controlPlaneUp();
  const csr = await signingRequest("ann");
  simulated.hub.stop();
  expect(await ask(csr)).toEqual({ outcome: "waiting" });
  expect(await list()).toEqual({ items: [] });
  simulated.hub.start();
  expect(isTrusted((await issued(csr)).certificate)).toBe(true);
  expect(requests()).toHaveLength(1);
});

it("a revocation ends all that were issued before, and none after", async () => {
  await controlPlaneUp();
  const csr = await signingRequest("ann");
  const before = await issued(csr);
  await simulated.clock.advance(minutes(1));
  const asked = await whileTimePasses(client.credentials.revokeCredentials(order));
  expect(asked.state).toBe("REVOCATION_STATE_REVOKING");
  expect(await whileTimePasses(client.credentials.revokeCredentials(order))).toEqual(asked);
  expect(await list()).toMatchObject({
    items: [{ serial: before.serial, state: "CREDENTIAL_STATE_REVOKING" }],
    revocation: asked,
  });
  expect(await ask(await signingRequest("ann"))).toEqual({ outcome: "revoking" });
  expect(requests()).toHaveLength(1);

  await revokedAll();
  expect(isTrusted(before.certificate)).toBe(false);
  expect(await list()).toMatchObject({ items: [{ state: "CREDENTIAL_STATE_REVOKED" }] });
  expect(await ask(csr)).toEqual({ outcome: "spent" });
  const after = await issued(await signingRequest("ann"));
  expect(isTrusted(after.certificate)).toBe(true);
  const states = (await list()).items.map(({ serial, state }) => [serial, state]);
  expect(Object.fromEntries(states)).toEqual({
    [before.serial]: "CREDENTIAL_STATE_REVOKED",
    [after.serial]: "CREDENTIAL_STATE_ISSUED",
  });

  await simulated.clock.advance(minutes(1));
  const again = await whileTimePasses(client.credentials.revokeCredentials(order));
  expect(again.state).toBe("REVOCATION_STATE_REVOKING");
  expect(simulated.cluster.list("CertificateRevocationRequest")).toHaveLength(2);
  await revokedAll();
  expect(isTrusted(after.certificate)).toBe(false);
});

it("a deleted cluster leaves none of it on the hub", async () => {
  await controlPlaneUp();
  await issued(await signingRequest("ann"));
  await whileTimePasses(client.credentials.revokeCredentials(order));
  const kind = "CertificateSigningRequest";
  const [{ metadata } = { metadata: { name: "" } }] = requests();
  expect(await whileTimePasses(client.observeAll(["cluster"]))).toContainEqual({
    ...{ kind, name: metadata.name, owner: ownerIn(order) },
  });
  await whileTimePasses(client.clusters.removeHostedCluster(order));
  await advanceUntil(simulated.clock, () => simulated.cluster.list("HostedCluster").length === 0);
  expect(requests()).toHaveLength(1);
  await whileTimePasses(client.clusters.removeNamespace(order));
  expect(requests()).toEqual([]);
  for (const kind of ["CertificateSigningRequestApproval", "CertificateRevocationRequest"])
    expect(simulated.cluster.list(kind)).toEqual([]);
});
