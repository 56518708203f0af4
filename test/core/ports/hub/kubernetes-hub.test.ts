import { describe, expect, it } from "vitest";
import { systemClock } from "../../../../core/clock.ts";
import { KubernetesHub } from "../../../../core/ports/hub/kubernetes-hub.ts";
import { refusal, TestHub } from "../../../support/hub-api.ts";
import { hubContract } from "./contract.ts";
import { kubernetesHub } from "./fixture.ts";

describe("a hub behind its Kubernetes API keeps the contract", () => {
  hubContract(kubernetesHub);
});

it.each([
  ["without OVN-Kubernetes", () => refusal(404, "NotFound", "not found")],
  [
    "with a version that serves another one",
    () => Response.json({ kind: "APIResourceList", groupVersion: "k8s.ovn.org/v1", resources: [] }),
  ],
])("a hub %s says what it lacks to carry networks", async (_, answer) => {
  const test = new TestHub();
  test.intercept = ({ url }) => (url.endsWith("/apis/k8s.ovn.org/v1") ? answer() : undefined);
  const hub = new KubernetesHub({
    connection: { server: "https://hub.test:6443", token: "the-token" },
    wall: systemClock,
    fetch: async (input, init) => test.fetch(new Request(input, init)),
  });
  expect(await hub.networksFault()).toBe(
    "the hub has no kind ClusterUserDefinedNetwork (k8s.ovn.org/v1): install OVN-Kubernetes with user-defined networks there, in a version that serves it",
  );
  await hub.close();
});
