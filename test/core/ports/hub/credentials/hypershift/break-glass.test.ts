import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../../../../core/clock.ts";
import { type Order, ownerIn } from "../../../../../support/deployment.ts";
import { signingRequest } from "../../../../../support/signing-request.ts";
import { passesUntil } from "../../fixture.ts";
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
