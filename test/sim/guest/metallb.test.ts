import { afterEach, beforeEach, expect, it } from "vitest";
import { minutes, seconds } from "../../../core/clock.ts";
import {
  ingressObjects,
  metalLbOperator,
  operatorObjects,
} from "../../../core/ports/guest/kubernetes/objects.ts";
import type { KubeInput } from "../../../sim/kubernetes/cluster.ts";
import { type TestGuest, testGuest } from "../../support/guest.ts";
import { type GuestApi, guestApi } from "../../support/guest-api.ts";
import { condition } from "../../support/sim-world.ts";

let guest: TestGuest;
let api: GuestApi;

beforeEach(async () => {
  guest = testGuest();
  api = guestApi(guest);
  guest.join("worker-1");
  await guest.clock.advance(minutes(6));
});

afterEach(() => guest.stop());

const objects = () => ingressObjects({ address: "10.20.0.5" }) as KubeInput[];
const of = (kind: string) => {
  const found = objects().find((object) => object.kind === kind);
  if (!found) throw new Error(`there is no ${kind}`);
  return found;
};

async function subscribe(): Promise<void> {
  for (const object of operatorObjects(metalLbOperator)) await api.apply(object as KubeInput);
}

const address = () =>
  (guest.cluster.get("Service", "openshift-ingress", "external-ingress")?.status as object) ?? {};
const ingressOperator = () =>
  condition(guest.cluster.get("ClusterOperator", undefined, "ingress"), "Available").status;

it("its kinds are unknown until its operator brings them, to discovery too", async () => {
  await api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "metallb-system" } });
  expect(await api.apply(of("IPAddressPool"))).toMatchObject({ code: 404 });
  expect(await api.get("/apis/metallb.io/v1beta1")).toMatchObject({ code: 404 });
  await subscribe();
  await guest.clock.advance(seconds(36));
  expect(await api.get("/apis/metallb.io/v1beta1")).toMatchObject({ kind: "APIResourceList" });
});

it("its webhook has no endpoints, then refuses connections, then answers", async () => {
  await subscribe();
  await guest.clock.advance(seconds(36));
  expect(await api.apply(of("IPAddressPool"))).toMatchObject({
    code: 500,
    message:
      'Internal error occurred: failed calling webhook "ipaddresspoolvalidationwebhook.metallb.io": failed to call webhook: Post "https://metallb-operator-webhook-server-service.metallb-system.svc:443/validate-metallb-io-v1beta1-ipaddresspool?timeout=10s": no endpoints available for service "metallb-operator-webhook-server-service"',
  });
  await guest.clock.advance(seconds(45));
  expect(await api.apply(of("IPAddressPool"))).toMatchObject({
    code: 500,
    message: expect.stringContaining("connect: connection refused"),
  });
  await guest.clock.advance(seconds(20));
  expect(await api.apply(of("IPAddressPool"))).toMatchObject({ kind: "IPAddressPool" });
  expect(await api.get("/apis/metallb.io/v1beta1/ipaddresspools")).toMatchObject({
    items: [{ kind: "IPAddressPool" }],
  });
});

it.each([
  ["MetalLB", false, "False"],
  ["IPAddressPool", false, "False"],
  ["L2Advertisement", true, "False"],
  ["nothing", true, "True"],
])("without %s: address %s, ingress %s", async (missing, hasAddress, available) => {
  await subscribe();
  await guest.clock.advance(minutes(3));
  for (const object of objects()) if (object.kind !== missing) await api.apply(object);
  await guest.clock.advance(minutes(3));
  expect("loadBalancer" in address()).toBe(hasAddress);
  expect(ingressOperator()).toBe(available);
});

it("an address that the pool does not hold is never given", async () => {
  await subscribe();
  await guest.clock.advance(minutes(3));
  const service = of("Service");
  const annotations = {
    ...service.metadata.annotations,
    "metallb.io/loadBalancerIPs": "10.20.0.6",
  };
  const wrong = { ...service, metadata: { ...service.metadata, annotations } };
  for (const object of objects()) await api.apply(object.kind === "Service" ? wrong : object);
  await guest.clock.advance(minutes(10));
  expect(address()).toEqual({});
  await api.apply(service);
  await guest.clock.advance(minutes(1));
  expect(address()).toEqual({ loadBalancer: { ingress: [{ ip: "10.20.0.5", ipMode: "VIP" }] } });
});

it("a pool that keeps to itself serves only Services that name it", async () => {
  await subscribe();
  await guest.clock.advance(minutes(3));
  const service = of("Service");
  const { annotations: _, ...metadata } = service.metadata;
  for (const object of objects())
    await api.apply(object.kind === "Service" ? { ...service, metadata } : object);
  await guest.clock.advance(minutes(10));
  expect(address()).toEqual({});
});

it("unknown members are refused", async () => {
  await subscribe();
  await guest.clock.advance(minutes(3));
  const pool = of("IPAddressPool");
  expect(
    await api.apply({ ...pool, spec: { ...(pool.spec as object), adresses: [] } }),
  ).toMatchObject({
    code: 500,
    message: expect.stringContaining(".spec.adresses: field not declared in schema"),
  });
});
