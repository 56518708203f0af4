import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../../../../core/clock.ts";
import {
  approvals,
  revocations,
  signingRequests,
} from "../../../../../../core/ports/hub/credentials/hypershift/objects.ts";
import type { CustomKind } from "../../../../../../core/ports/kubernetes/kube-object.ts";
import { type Order, ownerIn } from "../../../../../support/deployment.ts";
import { failureOf } from "../../../../../support/failure.ts";
import { signingRequest } from "../../../../../support/signing-request.ts";
import { passesUntil } from "../../fixture.ts";
import { installWebhook } from "../../hanging-webhook.ts";
import { credentialsContract } from "../contract.ts";
import { signingHub } from "./fixture.ts";

const request = "CertificateSigningRequest";

describe("credentials of HyperShift keep the contract", () => {
  credentialsContract(signingHub);
});

describe("HyperShift's signer for customers", () => {
  let at: Awaited<ReturnType<typeof signingHub>>;
  let order: Order;
  beforeEach(async () => {
    at = await signingHub();
    order = at.order(2);
    await at.run(at.hub.clusters.ensureControlPlane(order));
    const { credentials } = at.hub;
    const isUp = async () => (await at.run(credentials.readKubeconfig(order))) !== undefined;
    await passesUntil(at.clock, isUp, seconds(5));
    await at.clock.advance(seconds(5));
    const issuance = await at.run(
      credentials.issueCredential(order, { csr: await signingRequest("ann"), user: "ann" }),
    );
    expect(issuance.outcome).toBe("issued");
  });
  afterEach(() => at.close());

  const there = (kind: string) => at.simulated.cluster.list(kind);
  const revoke = () => at.run(at.hub.credentials.revokeCredentials(order));

  it("is asked in the name of the owner", () => {
    expect(there(request).map(({ metadata }) => metadata.labels)).toEqual([
      { "slipway.dev/cluster": order.id, "slipway.dev/tenant": order.tenant },
    ]);
  });

  it("revokes anew what was issued since it revoked", async () => {
    await revoke();
    const isDone = async () => {
      const { revocation } = await at.run(at.hub.credentials.listCredentials(order));
      return revocation?.state === "REVOCATION_STATE_REVOKED";
    };
    await passesUntil(at.clock, isDone, seconds(30));
    expect(there("CertificateRevocationRequest")).toHaveLength(1);
    await revoke();
    expect(there("CertificateRevocationRequest")).toHaveLength(2);
  });

  it("keeps nothing of a cluster that is deleted", async () => {
    await revoke();
    const [{ metadata } = { metadata: { name: "" } }] = there(request);
    expect(await at.run(at.hub.observeAll(["cluster"]))).toContainEqual({
      ...{ kind: request, name: metadata.name, owner: ownerIn(order) },
    });
    await at.run(at.hub.clusters.removeHostedCluster(order));
    await passesUntil(at.clock, async () => there("HostedCluster").length === 0);
    expect(there(request)).toHaveLength(1);
    await at.run(at.hub.clusters.removeNamespace(order));
    expect(there(request)).toEqual([]);
    for (const kind of ["CertificateSigningRequestApproval", "CertificateRevocationRequest"])
      expect(there(kind)).toEqual([]);
  });
});

describe("a hub that takes longer than a caller waits", () => {
  let at: Awaited<ReturnType<typeof signingHub>>;
  let order: Order;
  beforeEach(async () => {
    at = await signingHub();
    order = at.order(2);
    await at.run(at.hub.clusters.ensureControlPlane(order));
    const isUp = async () => (await at.run(at.hub.credentials.readKubeconfig(order))) !== undefined;
    await passesUntil(at.clock, isUp, seconds(5));
    await at.clock.advance(seconds(5));
  });
  afterEach(() => at.close());

  const ask = (csr: string) =>
    at.run(at.hub.credentials.issueCredential(order, { csr, user: "ann" }));
  /** The hub stores an object of the kind, but late. */
  const hang = (kind: CustomKind) =>
    installWebhook(at, { failurePolicy: "Ignore", timeoutSeconds: 30 }, kind);
  const repair = async () => {
    at.simulated.cluster.delete("ValidatingWebhookConfiguration", undefined, "slipway-test");
    await at.clock.advance(seconds(60));
  };
  const failsWithin20s = async (call: () => Promise<unknown>) => {
    const began = at.clock.now();
    expect(await failureOf(call())).toMatchObject({ kind: "Unavailable" });
    expect(at.clock.now() - began).toBeLessThanOrEqual(seconds(20));
  };
  const listed = () => at.run(at.hub.credentials.listCredentials(order));

  it.each([approvals, signingRequests])(
    "says so within 20 s, and the same request gets the one certificate that is issued meanwhile: $kind",
    async (kind) => {
      const csr = await signingRequest("ann");
      hang(kind);
      await failsWithin20s(() => ask(csr));
      await repair();
      const issuance = await ask(csr);
      if (issuance.outcome !== "issued") throw new Error(issuance.outcome);
      expect(at.signer.requests()).toBe(1);
      const { serial } = issuance.credential;
      expect((await listed()).items).toMatchObject([{ serial, state: "CREDENTIAL_STATE_ISSUED" }]);
    },
  );

  it("gives nobody a certificate that is issued after a revocation of what was asked for before", async () => {
    const csr = await signingRequest("ann");
    hang(signingRequests);
    await failsWithin20s(() => ask(csr));
    await at.run(at.hub.credentials.revokeCredentials(order));
    await repair();
    const isRevoked = async () => (await listed()).revocation?.state === "REVOCATION_STATE_REVOKED";
    await passesUntil(at.clock, isRevoked, seconds(30));
    expect(await ask(csr)).toEqual({ outcome: "spent" });
    expect((await listed()).items).toEqual([]);
  });

  it("revokes once, however often it is asked", async () => {
    hang(revocations);
    await failsWithin20s(() => at.run(at.hub.credentials.revokeCredentials(order)));
    await repair();
    await at.run(at.hub.credentials.revokeCredentials(order));
    expect(at.simulated.cluster.list("CertificateRevocationRequest")).toHaveLength(1);
  });
});
