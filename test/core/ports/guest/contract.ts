import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../../../core/clock.ts";
import {
  type GuestClient,
  type GuestObservation,
  guestDone,
  type Manifest,
} from "../../../../core/ports/guest/guest.ts";
import { failureOf } from "../../../support/failure.ts";
import { untilSettled, wordsOf } from "../../../support/guest.ts";
import {
  configMap,
  deployment,
  job,
  operatorRequest,
  rbdStorage,
} from "../../../support/guest-orders.ts";
import type { VirtualClock } from "../../../support/virtual-clock.ts";

/** How a cluster fails to answer. */
export type Breakage = "is silent" | "is not able to" | "refuses our credentials" | "is restarted";

/** A simulated hosted cluster that a test has for itself. */
export interface GuestFixture {
  guest: GuestClient;
  clock: VirtualClock;
  /** Joins nodes; they are Ready a little later. */
  join(...names: string[]): void;
  /** Everything in the cluster, without who wrote it when. */
  contents(): object[];
  /** The address that the router has. */
  routerAddress(): string | undefined;
  /** What the cluster does from now on in place of an answer; it answers again without. */
  breaks(how?: Breakage): void;
  /** The same cluster, opened anew as after a kill. */
  reopen(): Promise<GuestFixture>;
  close(): Promise<void>;
}

/** What every adapter of the guest port does. */
export function guestContract(open: () => GuestFixture): void {
  let at: GuestFixture;
  beforeEach(async () => {
    at = open();
    at.join("worker-1");
    await at.clock.advance(seconds(60));
  });
  afterEach(() => at.close());

  const settled = async (look: () => Promise<GuestObservation>) =>
    (await untilSettled(at, look)).at(-1);
  const count = () => at.contents().length;

  const address = "10.20.0.5";
  const certificate = { chain: "-----BEGIN CERTIFICATE-----", key: "-----BEGIN PRIVATE KEY-----" };
  const namespace: Manifest = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ai" } };
  const inAi = (name: string) => configMap(name, { metadata: { name, namespace: "ai" } });
  const workload = [
    configMap("settings"),
    job("smoke", ["true"]),
    deployment("web", "registry.example.com/web:1"),
  ];

  /** Everything that can be asked to be so in a cluster. */
  const asks: [string, (guest: GuestClient) => Promise<GuestObservation>][] = [
    ["ensureIngress", (guest) => guest.ensureIngress({ address })],
    ["ensureIngressCertificate", (guest) => guest.ensureIngressCertificate(certificate)],
    ["ensureStorageClass", (guest) => guest.ensureStorageClass(rbdStorage())],
    ["ensureOperator", (guest) => guest.ensureOperator(operatorRequest())],
    ["ensureManifests", (guest) => guest.ensureManifests([namespace, inAi("one")])],
    ["ensureTestWorkload", (guest) => guest.ensureTestWorkload(workload)],
    ["removeTestWorkload", (guest) => guest.removeTestWorkload()],
  ];
  const observations: typeof asks = [
    ["observeNodes", (guest) => guest.observeNodes(1)],
    ["observeOperators", (guest) => guest.observeOperators()],
    ["observeVersion", (guest) => guest.observeVersion("4.17.9")],
  ];

  describe("what is asked for", () => {
    it.each(asks)(
      "is done after a while, and a second time changes nothing: %s",
      async (_, ask) => {
        const look = () => ask(at.guest);
        expect(await settled(look)).toEqual(guestDone);
        const before = at.contents();
        expect(await look()).toEqual(guestDone);
        expect(at.contents()).toEqual(before);
      },
    );

    it.each(asks)("goes on when the cluster was opened again in the middle: %s", async (_, ask) => {
      for (let look = 0; look < 12; look += 1) {
        await ask(at.guest);
        await at.clock.advance(seconds(10));
        at = await at.reopen();
      }
      expect(await settled(() => ask(at.guest))).toEqual(guestDone);
    });

    it.each([...asks, ...observations])(
      "is Unavailable while the cluster is, and goes on then: %s",
      async (_, ask) => {
        const breakages = [
          "is silent",
          "is not able to",
          "refuses our credentials",
          "is restarted",
        ] as const;
        for (const how of breakages) {
          at.breaks(how);
          const error = await failureOf(ask(at.guest));
          expect(error, how).toMatchObject({ kind: "Unavailable" });
          expect(error.message, how).toContain("the hosted cluster");
        }
        at.breaks();
        expect(["done", "pending"]).toContain((await ask(at.guest)).state);
      },
    );
  });

  it("the router gets the address, and no other", async () => {
    await settled(() => at.guest.ensureIngress({ address }));
    expect(at.routerAddress()).toBe(address);
    const other = await at.guest.ensureIngress({ address: "10.20.0.6" });
    expect(other.state).not.toBe("done");
  });

  it("a storage class cannot be led to another pool: it stays as it is", async () => {
    await at.guest.ensureStorageClass(rbdStorage());
    const before = at.contents().filter((object) => "provisioner" in object);
    expect(before).toHaveLength(1);
    const said = await at.guest.ensureStorageClass(rbdStorage({ pool: "other" }));
    expect(said).toMatchObject({ state: "failed" });
    expect(wordsOf([said])[0]).toContain("StorageClass ceph-rbd");
    expect(at.contents().filter((object) => "provisioner" in object)).toEqual(before);
  });

  describe("the template's manifests", () => {
    it("end at the one that is refused, which is named", async () => {
      const before = count();
      const wrong = { ...inAi("wrong"), datas: {} };
      const said = await at.guest.ensureManifests([namespace, inAi("one"), wrong, inAi("next")]);
      expect(said).toMatchObject({ state: "failed" });
      expect(wordsOf([said])[0]).toMatch(/^ConfigMap wrong in namespace ai: /);
      expect(JSON.stringify(at.contents())).not.toContain('"next"');
      expect(count()).toBeGreaterThan(before);
      expect(await at.guest.ensureManifests([namespace, inAi("one"), inAi("next")])).toEqual(
        guestDone,
      );
    });

    it("wait for the operator that brings their kind", async () => {
      const feature: Manifest = {
        apiVersion: "nfd.openshift.io/v1",
        kind: "NodeFeatureDiscovery",
        metadata: { name: "nfd", namespace: "openshift-nfd" },
        spec: {},
      };
      const look = () => at.guest.ensureManifests([feature]);
      expect(await look()).toMatchObject({ state: "pending" });
      await settled(() => at.guest.ensureOperator(operatorRequest()));
      expect(await look()).toEqual(guestDone);
    });
  });

  describe("what is observed", () => {
    it("changes nothing", async () => {
      const before = at.contents();
      for (const [, look] of observations) await look(at.guest);
      expect(at.contents()).toEqual(before);
    });

    it("is as many nodes as are Ready, and the version that is rolled out", async () => {
      expect(await at.guest.observeNodes(1)).toEqual(guestDone);
      expect(await at.guest.observeNodes(2)).toMatchObject({ state: "pending" });
      at.join("worker-2");
      expect(await settled(() => at.guest.observeNodes(2))).toEqual(guestDone);
      expect(await settled(() => at.guest.observeVersion("4.17.9"))).toEqual(guestDone);
      expect(await at.guest.observeVersion("4.18.0")).toMatchObject({ state: "pending" });
    });
  });

  describe("a test workload", () => {
    it("goes with everything in it, and may be gone", async () => {
      await at.clock.advance(minutes(10));
      expect(await at.guest.removeTestWorkload()).toEqual(guestDone);
      const before = count();
      await settled(() => at.guest.ensureTestWorkload(workload));
      expect(count()).toBeGreaterThan(before);
      expect(await settled(() => at.guest.removeTestWorkload())).toEqual(guestDone);
      expect(count()).toBe(before);
      expect(await at.guest.removeTestWorkload()).toEqual(guestDone);
    });

    it("that fails is failed, and goes then", async () => {
      const failing = [job("smoke", ["gpu-check", "fail"])];
      const said = await settled(() => at.guest.ensureTestWorkload(failing));
      expect(said).toMatchObject({ state: "failed" });
      expect(await settled(() => at.guest.removeTestWorkload())).toEqual(guestDone);
    });

    it("that tells nothing is failed at once, and nothing is applied", async () => {
      const before = at.contents();
      const said = await at.guest.ensureTestWorkload([configMap("settings")]);
      expect(said).toMatchObject({ state: "failed" });
      expect(at.contents()).toEqual(before);
    });

    it("that reaches out of its namespace is refused", async () => {
      const role = {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "all" },
        rules: [],
      };
      const said = await at.guest.ensureTestWorkload([role, job("smoke", ["true"])]);
      expect(said).toMatchObject({ state: "failed" });
      expect(wordsOf([said])[0]).toMatch(/^ClusterRole all .*namespace/);
      expect(JSON.stringify(at.contents())).not.toContain('"all"');
    });
  });
}
