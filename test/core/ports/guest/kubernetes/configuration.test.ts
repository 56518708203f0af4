import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../../../core/clock.ts";
import { guestDone, type Manifest } from "../../../../../core/ports/guest/guest.ts";
import { metalLbOperator } from "../../../../../core/ports/guest/kubernetes/objects.ts";
import { type TestGuest, testGuest, untilSettled, wordsOf } from "../../../../support/guest.ts";
import { configMap, operatorRequest, rbdStorage } from "../../../../support/guest-orders.ts";
import { refusal } from "../../../../support/hub-api.ts";

let guest: TestGuest;

beforeEach(async () => {
  guest = testGuest();
  guest.join("worker-1");
  await guest.clock.advance(seconds(60));
});

afterEach(() => guest.stop());

/** Everything that is in the cluster, without who wrote it when. */
function contents(): object[] {
  const { kinds, store } = guest.cluster;
  return kinds.all.flatMap((kind) => store.list(kind));
}

describe("ingress", () => {
  const ingress = { address: "10.20.0.5" };
  const ensure = () => guest.client.ensureIngress(ingress);

  it("is done when the router's Service has the address", async () => {
    const said = await untilSettled(guest, ensure);
    expect(said.at(-1)).toEqual(guestDone);
    expect(guest.cluster.get("Service", "openshift-ingress", "external-ingress")).toMatchObject({
      spec: { type: "LoadBalancer", ports: [{ port: 80 }, { port: 443 }] },
      status: { loadBalancer: { ingress: [{ ip: "10.20.0.5" }] } },
    });
  });

  it("waits for the operator, its webhook and the address, and says so", async () => {
    const words = wordsOf(await untilSettled(guest, ensure)).join("\n");
    expect(words).toMatch(/operator metallb-operator: its catalog has not answered yet/);
    expect(words).toMatch(/metallb-operator\.v\S+ is Installing \(.*waiting for deployment/);
    expect(words).toMatch(
      /IPAddressPool .* in namespace metallb-system: its webhook \S+ does not answer yet \(connection refused\)/,
    );
    expect(words).toMatch(/external-ingress .*to get the address 10\.20\.0\.5/);
  });

  it("is failed in the cluster's words when it refuses", async () => {
    await untilSettled(guest, () => guest.client.ensureOperator(metalLbOperator));
    await guest.clock.advance(seconds(60));
    guest.intercept = (request) =>
      request.method === "PATCH" && request.url.includes("ipaddresspools")
        ? refusal(403, "Forbidden", "ipaddresspools is forbidden: no more of them")
        : undefined;
    expect(await ensure()).toEqual({
      state: "failed",
      message:
        "IPAddressPool slipway-ingress in namespace metallb-system: ipaddresspools is forbidden: no more of them",
    });
  });
});

describe("the ingress certificate", () => {
  const certificate = { chain: "-----BEGIN CERTIFICATE-----", key: "-----BEGIN PRIVATE KEY-----" };
  const ensure = () => guest.client.ensureIngressCertificate(certificate);
  const controller = () =>
    guest.cluster.get("IngressController", "openshift-ingress-operator", "default");

  it("is the router's once the ingress operator has seen it; nothing else of it changes", async () => {
    const before = controller()?.spec;
    expect((await untilSettled(guest, ensure)).at(-1)).toEqual(guestDone);
    expect(controller()?.spec).toEqual({
      ...(before as object),
      defaultCertificate: { name: "slipway-ingress-certificate" },
    });
    const secret = guest.cluster.get("Secret", "openshift-ingress", "slipway-ingress-certificate");
    expect(secret?.type).toBe("kubernetes.io/tls");
    expect(await ensure()).toEqual(guestDone);
  });

  it("leaves a certificate in use that the cluster's people have chosen", async () => {
    await untilSettled(guest, ensure);
    const own = { defaultCertificate: { name: "from-cert-manager" } };
    const before = controller();
    if (!before) throw new Error("the cluster has no router");
    guest.cluster.update({ ...before, spec: { ...(before.spec as object), ...own } });
    expect(await ensure()).toEqual(guestDone);
    expect(controller()?.spec).toMatchObject(own);
  });

  it("waits for the cluster to make its router, and does not make one itself", async () => {
    guest.cluster.delete("IngressController", "openshift-ingress-operator", "default");
    expect(wordsOf([await ensure()])).toEqual([
      "IngressController default in namespace openshift-ingress-operator to be made by the cluster",
    ]);
    expect(controller()).toBeUndefined();
  });

  it("what the cluster says of the Secret is told without quoting it", async () => {
    guest.intercept = (request) =>
      request.method === "PATCH" && request.url.includes("/secrets/")
        ? refusal(422, "Invalid", "tls.key: -----BEGIN PRIVATE KEY----- is wrong")
        : undefined;
    const [words] = wordsOf([await ensure()]);
    expect(words).toMatch(/^Secret slipway-ingress-certificate .*does not take/);
    expect(words).not.toContain("PRIVATE");
  });
});

describe("the storage class", () => {
  it("is the default one and finds its Secret; a second time changes nothing", async () => {
    expect(await guest.client.ensureStorageClass(rbdStorage())).toEqual(guestDone);
    expect(guest.cluster.get("StorageClass", undefined, "ceph-rbd")?.metadata.annotations).toEqual({
      "storageclass.kubernetes.io/is-default-class": "true",
    });
    expect(guest.cluster.get("Secret", "ceph-csi-rbd", "csi-rbd-secret")?.data).toEqual({
      userID: Buffer.from("slipway-abcdefghij").toString("base64"),
      userKey: Buffer.from("c2VjcmV0LWtleQ==").toString("base64"),
    });
    const before = contents();
    expect(await guest.client.ensureStorageClass(rbdStorage())).toEqual(guestDone);
    expect(contents()).toEqual(before);
  });

  it("cannot be led to another pool", async () => {
    await guest.client.ensureStorageClass(rbdStorage());
    const [words] = wordsOf([await guest.client.ensureStorageClass(rbdStorage({ pool: "other" }))]);
    expect(words).toMatch(/^StorageClass ceph-rbd: .*updates to parameters are forbidden/);
  });
});

describe("an operator", () => {
  it.each([
    [{ package: "nonesuch" }, "no operators found in package nonesuch in the catalog"],
    [{ channel: "alpha" }, "no operators found in channel alpha of package nfd in the catalog"],
    [{ source: "mine" }, "no operators found from catalog mine in namespace openshift-marketplace"],
  ])("that no catalog has (%o) is waited for, in OLM's words", async (changes, words) => {
    const request = operatorRequest(changes);
    await guest.client.ensureOperator(request);
    await guest.clock.advance(seconds(60));
    const said = await guest.client.ensureOperator(request);
    expect(said).toMatchObject({ state: "pending" });
    expect(wordsOf([said])[0]).toContain(`constraints not satisfiable: ${words}`);
  });

  it("that is being installed is not applied again", async () => {
    const ensure = () => guest.client.ensureOperator(operatorRequest());
    let words = "";
    for (; !words.includes("is Installing"); words = wordsOf([await ensure()])[0] ?? "")
      await guest.clock.advance(seconds(5));
    guest.intercept = ({ method }) =>
      method === "PATCH" ? refusal(403, "Forbidden", "this was applied before") : undefined;
    expect((await untilSettled(guest, ensure)).at(-1)).toEqual(guestDone);
  });

  it("that lost its group gets it back", async () => {
    const ensure = () => guest.client.ensureOperator(operatorRequest());
    expect((await untilSettled(guest, ensure)).at(-1)).toEqual(guestDone);
    guest.cluster.delete("OperatorGroup", "openshift-nfd", "openshift-nfd");
    await guest.clock.advance(seconds(5));
    expect(wordsOf([await ensure()])[0]).toContain("csv in namespace with no operatorgroups");
    expect((await untilSettled(guest, ensure)).at(-1)).toEqual(guestDone);
  });

  it("that cannot watch all namespaces is failed", async () => {
    const request = operatorRequest({ ownNamespace: false });
    const said = await untilSettled(guest, () => guest.client.ensureOperator(request));
    expect(said.at(-1)).toMatchObject({ state: "failed" });
    expect(wordsOf(said).at(-1)).toMatch(/AllNamespaces InstallModeType not supported/);
  });

  it("in a namespace with another group waits until one is left", async () => {
    const ensure = () => guest.client.ensureOperator(operatorRequest());
    await ensure();
    guest.cluster.create({
      apiVersion: "operators.coreos.com/v1",
      kind: "OperatorGroup",
      metadata: { namespace: "openshift-nfd", name: "another" },
      spec: {},
    });
    await guest.clock.advance(seconds(120));
    expect(wordsOf([await ensure()])[0]).toMatch(/more than one operator group.* count=2/);
    guest.cluster.delete("OperatorGroup", "openshift-nfd", "another");
    expect((await untilSettled(guest, ensure)).at(-1)).toEqual(guestDone);
  });
});

describe("the template's manifests", () => {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "ai" } };
  const inAi = (name: string) => configMap(name, { metadata: { name, namespace: "ai" } });
  const written = () => guest.requests.map(({ path }) => path.split("/").at(-1));

  it("are applied in their order, and the same again", async () => {
    const manifests = [namespace, inAi("second"), inAi("first")];
    expect(await guest.client.ensureManifests(manifests)).toEqual(guestDone);
    expect(written()).toEqual(["ai", "second", "first"]);
    const queries = guest.requests.map(({ query }) => query);
    expect(new Set(queries)).toEqual(
      new Set(["?fieldManager=slipway&force=true&fieldValidation=Strict"]),
    );
    const before = contents();
    expect(await guest.client.ensureManifests(manifests)).toEqual(guestDone);
    expect(contents()).toEqual(before);
  });

  it("one that is refused is named, with its namespace and the cluster's words", async () => {
    const wrong = { ...inAi("wrong"), datas: {} };
    expect(await guest.client.ensureManifests([namespace, wrong, inAi("next")])).toEqual({
      state: "failed",
      message:
        "ConfigMap wrong in namespace ai: failed to create typed patch object (ai/wrong; /v1, Kind=ConfigMap): .datas: field not declared in schema",
    });
    expect(written()).toEqual(["ai", "wrong"]);
  });

  it("one before its namespace is refused", async () => {
    expect(await guest.client.ensureManifests([inAi("early"), namespace])).toEqual({
      state: "failed",
      message: 'ConfigMap early in namespace ai: namespaces "ai" not found',
    });
  });

  it("one whose operator is not there yet is waited for", async () => {
    const feature: Manifest = {
      apiVersion: "nfd.openshift.io/v1",
      kind: "NodeFeatureDiscovery",
      metadata: { name: "nfd", namespace: "openshift-nfd" },
      spec: {},
    };
    expect(await guest.client.ensureManifests([feature])).toEqual({
      state: "pending",
      waitingFor:
        "NodeFeatureDiscovery nfd in namespace openshift-nfd: the cluster does not know this kind yet",
    });
    await untilSettled(guest, () => guest.client.ensureOperator(operatorRequest()));
    expect(await guest.client.ensureManifests([feature])).toEqual(guestDone);
  });

  it("names that are no DNS names arrive as they are written", async () => {
    const role: Manifest = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "Models:Reader" },
      rules: [],
    };
    expect(await guest.client.ensureManifests([role])).toEqual(guestDone);
    expect(guest.cluster.get("ClusterRole", undefined, "Models:Reader")).toBeDefined();
  });

  it("a webhook that is down for another reason is no refusal", async () => {
    guest.intercept = (request) =>
      request.method === "PATCH" ? refusal(500, "InternalError", "etcd has no leader") : undefined;
    await expect(guest.client.ensureManifests([namespace])).rejects.toMatchObject({
      kind: "Unavailable",
      message: "the hosted cluster is unavailable now (500)",
    });
  });
});
