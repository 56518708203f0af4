import { X509Certificate } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hours, minutes, seconds } from "../../../../../core/clock.ts";
import type {
  ClusterCredentials,
  IssuedCredential,
} from "../../../../../core/ports/hub/credentials/port.ts";
import { parseKubeconfig } from "../../../../../core/ports/kubernetes/kubeconfig.ts";
import type { Owner } from "../../../../../core/ports/owner.ts";
import { deployment, type Order } from "../../../../support/deployment.ts";
import { failureOf } from "../../../../support/failure.ts";
import { signingRequest } from "../../../../support/signing-request.ts";
import { type HubFixture, passesUntil } from "../fixture.ts";

/** A simulated hub, and what signs certificates on it. */
export interface CredentialsFixture extends HubFixture {
  signer: {
    /** The requests for certificates that are on the hub. */
    requests(): number;
    /** As a hub does after a while. */
    forgetRequests(): void;
    stop(): void;
    start(): void;
    /** As the API server of the order's cluster judges it. */
    trusts(order: Order, certificate: string): boolean;
  };
}

/** What every adapter of the port of hosted clusters' credentials does. */
export function credentialsContract(open: () => Promise<CredentialsFixture>): void {
  let at: CredentialsFixture;
  let order: Order;
  beforeEach(async () => {
    at = await open();
    order = at.order(2);
  });
  afterEach(() => at.close());

  const credentials = () => at.hub.credentials;
  const readKubeconfig = (of: Owner = order) => at.run(credentials().readKubeconfig(of));
  const readPassword = (of: Owner = order) => at.run(credentials().readPassword(of));
  const list = (of: Owner = order) => at.run(credentials().listCredentials(of));
  const revoke = (of: Owner = order) => at.run(credentials().revokeCredentials(of));
  const ask = (csr: string, user = "ann", of: Owner = order) =>
    at.run(credentials().issueCredential(of, { csr, user }));

  async function comesUp(of = order): Promise<void> {
    await at.run(at.hub.clusters.ensureControlPlane(of));
    await at.run(at.hub.clusters.ensureNodePools(of));
    await passesUntil(at.clock, async () => (await readKubeconfig(of)) !== undefined, seconds(5));
    await at.clock.advance(seconds(5));
  }

  /** Asks until the hub has signed, as its clients do. */
  async function issued(csr: string, of = order): Promise<IssuedCredential> {
    for (let n = 0; n < 100; n += 1) {
      const issuance = await ask(csr, "ann", of);
      if (issuance.outcome === "issued") return issuance.credential;
      expect(issuance.outcome).toBe("waiting");
    }
    throw new Error("the hub does not sign");
  }

  const revokedAll = () =>
    passesUntil(
      at.clock,
      async () => (await list()).revocation?.state === "REVOCATION_STATE_REVOKED",
      seconds(30),
    );

  describe("what the hub keeps beside a cluster", () => {
    it("is not there before the cluster, and goes with it", async () => {
      expect(await readKubeconfig()).toBeUndefined();
      expect(await readPassword()).toBeUndefined();
      await comesUp();
      expect(parseKubeconfig((await readKubeconfig()) ?? "").server).toMatch(/^https:/);
      await passesUntil(at.clock, async () => (await readPassword()) !== undefined, seconds(5));
      expect(await readPassword()).toMatch(/\S{8,}/);
      await at.run(at.hub.clusters.removeHostedCluster(order));
      await at.clock.advance(minutes(30));
      expect(await readKubeconfig()).toBeUndefined();
      expect(await readPassword()).toBeUndefined();
    });

    it("is its owner's alone", async () => {
      await comesUp();
      const other = deployment({ id: `${order.id.slice(0, -1)}2`, name: "klmnopqrst" });
      expect(await readKubeconfig(other)).toBeUndefined();
      expect(await readPassword(other)).toBeUndefined();
      expect(await list(other)).toEqual({ items: [] });
    });
  });

  describe("a certificate for a caller's key", () => {
    it("is of a day, and is signed once", async () => {
      await comesUp();
      const csr = await signingRequest("ann");
      const credential = await issued(csr);
      const certificate = new X509Certificate(credential.certificate);
      expect(certificate.subject.split("\n").sort()).toEqual([
        "CN=system:customer-break-glass:ann",
        "O=system:masters",
      ]);
      expect(at.signer.trusts(order, credential.certificate)).toBe(true);
      expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(hours(24));
      expect(credential).toMatchObject({ user: "ann", serial: certificate.serialNumber });

      const kubeconfig = parseKubeconfig((await readKubeconfig()) ?? "");
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
      expect(at.signer.requests()).toBe(1);
      const { certificate: _, kubeconfig: __, ...told } = credential;
      expect(await list()).toEqual({ items: [{ ...told, state: "CREDENTIAL_STATE_ISSUED" }] });
    });

    it("is listed still when the hub has taken its request away, and is not signed anew", async () => {
      await comesUp();
      const csr = await signingRequest("ann");
      const { serial } = await issued(csr);
      at.signer.forgetRequests();
      expect(await ask(csr)).toEqual({ outcome: "spent" });
      expect(await list()).toMatchObject({ items: [{ serial, state: "CREDENTIAL_STATE_ISSUED" }] });
      expect(at.signer.requests()).toBe(0);

      await at.clock.advance(hours(49));
      const other = await issued(await signingRequest("ann"));
      expect((await list()).items.map((each) => each.serial)).toEqual([other.serial]);
    });

    it("that is not fit is refused, and leaves nothing on the hub", async () => {
      await comesUp();
      const csr = await signingRequest("bob");
      expect(await ask(csr, "ann")).toMatchObject({
        outcome: "invalid",
        message: expect.stringContaining("CN=system:customer-break-glass:ann"),
      });
      expect(at.signer.requests()).toBe(0);
      expect(await list()).toEqual({ items: [] });
    });

    it("is not to be had of a cluster without an API", async () => {
      expect(await ask(await signingRequest("ann"))).toEqual({ outcome: "not-ready" });
      expect(at.signer.requests()).toBe(0);
    });

    it("may take longer than anybody waits: the same request goes on", async () => {
      await comesUp();
      const csr = await signingRequest("ann");
      at.signer.stop();
      expect(await ask(csr)).toEqual({ outcome: "waiting" });
      expect(await list()).toEqual({ items: [] });
      at.signer.start();
      expect(at.signer.trusts(order, (await issued(csr)).certificate)).toBe(true);
      expect(at.signer.requests()).toBe(1);
    });

    it("is another for each owner, also for the same key", async () => {
      await comesUp();
      const other = deployment({
        ...{ id: `${order.id.slice(0, -1)}2`, name: "klmnopqrst" },
        nodeSets: at.order(1).nodeSets,
      });
      await comesUp(other);
      const csr = await signingRequest("ann");
      const [mine, theirs] = [await issued(csr), await issued(csr, other)];
      expect(mine.serial).not.toBe(theirs.serial);
      expect(at.signer.trusts(order, mine.certificate)).toBe(true);
      expect(at.signer.trusts(order, theirs.certificate)).toBe(false);
      expect((await list()).items.map(({ serial }) => serial)).toEqual([mine.serial]);
      await revoke(other);
      expect(await list()).toMatchObject({ items: [{ state: "CREDENTIAL_STATE_ISSUED" }] });
    });
  });

  it("a revocation ends all that were issued before, and none after", async () => {
    await comesUp();
    const csr = await signingRequest("ann");
    const before = await issued(csr);
    await at.clock.advance(minutes(1));
    const asked = await revoke();
    expect(asked.state).toBe("REVOCATION_STATE_REVOKING");
    expect(await revoke()).toEqual(asked);
    expect(await list()).toMatchObject({
      items: [{ serial: before.serial, state: "CREDENTIAL_STATE_REVOKING" }],
      revocation: asked,
    });
    expect(await ask(await signingRequest("ann"))).toEqual({ outcome: "revoking" });
    expect(at.signer.requests()).toBe(1);

    await revokedAll();
    expect(at.signer.trusts(order, before.certificate)).toBe(false);
    expect(await list()).toMatchObject({ items: [{ state: "CREDENTIAL_STATE_REVOKED" }] });
    expect(await ask(csr)).toEqual({ outcome: "spent" });
    const after = await issued(await signingRequest("ann"));
    expect(at.signer.trusts(order, after.certificate)).toBe(true);
    const states = (await list()).items.map(({ serial, state }) => [serial, state]);
    expect(Object.fromEntries(states)).toEqual({
      [before.serial]: "CREDENTIAL_STATE_REVOKED",
      [after.serial]: "CREDENTIAL_STATE_ISSUED",
    });

    await at.clock.advance(minutes(1));
    expect((await revoke()).state).toBe("REVOCATION_STATE_REVOKING");
    await revokedAll();
    expect(at.signer.trusts(order, after.certificate)).toBe(false);
  });

  describe("on a bad day", () => {
    const asks: [string, (of: ClusterCredentials, csr: string) => Promise<unknown>][] = [
      ["readKubeconfig", (of) => of.readKubeconfig(order)],
      ["readPassword", (of) => of.readPassword(order)],
      ["listCredentials", (of) => of.listCredentials(order)],
      ["revokeCredentials", (of) => of.revokeCredentials(order)],
      ["issueCredential", (of, csr) => of.issueCredential(order, { csr, user: "ann" })],
    ];

    it.each(asks)("is Unavailable while the hub is: %s", async (_, call) => {
      const csr = await signingRequest("ann");
      const unavailable = { kind: "Unavailable" };
      expect(await failureOf(at.run(call(at.stranger.credentials, csr)))).toMatchObject(
        unavailable,
      );
      for (const fault of ["error", "crash_before", "timeout"] as const) {
        at.faults.add({ target: "hub", fault, status: 503 });
        expect(await failureOf(at.run(call(credentials(), csr)))).toMatchObject(unavailable);
      }
    });

    it.each([
      [{ fault: "error", status: 503 }, "Unavailable"],
      [{ fault: "error", status: 422 }, "Rejected"],
      [{ fault: "conflict", count: 0 }, "Unavailable"],
      [{ fault: "crash_before" }, "Unavailable"],
      [{ fault: "crash_after" }, "Unavailable"],
    ] as const)("issues one certificate all the same when it meets %j: %s", async (fault, kind) => {
      await comesUp();
      const csr = await signingRequest("ann");
      at.faults.add({ target: "hub", operation: "PATCH /", ...fault });
      expect(
        await failureOf(at.run(credentials().issueCredential(order, { csr, user: "ann" }))),
      ).toMatchObject({ kind });
      at.faults.clear();
      const { serial } = await issued(csr);
      expect(at.signer.requests()).toBe(1);
      expect((await list()).items.map((each) => each.serial)).toEqual([serial]);
    });
  });
}
