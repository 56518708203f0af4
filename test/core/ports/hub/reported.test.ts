import { expect, it } from "vitest";
import { newsSchema } from "../../../../core/ports/hub/news.ts";
import { newsOf } from "../../../../core/ports/hub/reported.ts";

const metadata = {
  name: "agent-1",
  namespace: "hardware-inventory",
  uid: "u",
  resourceVersion: "7",
  generation: 2,
  labels: { "slipway.dev/cluster": "c" },
};

it("of an object only what Slipway reads leaves the hub", () => {
  const agent = {
    apiVersion: "agent-install.openshift.io/v1beta1",
    kind: "Agent",
    metadata: { ...metadata, managedFields: [{ manager: "x" }], annotations: { note: "SECRET" } },
    spec: { approved: true, role: "worker", ignitionConfigOverrides: "SECRET" },
    status: {
      debugInfo: { state: "known-unbound", stateInfo: "ok", logsURL: "https://x/?token=SECRET" },
      inventory: { interfaces: [{ macAddress: "aa" }], disks: [{ id: "d" }] },
      role: "worker",
    },
  };
  const news = newsOf("Agent", agent);
  expect(newsSchema.parse(news)).toEqual({
    kind: "Agent",
    deleted: false,
    object: {
      metadata,
      spec: { approved: true },
      status: {
        debugInfo: { state: "known-unbound", stateInfo: "ok" },
        inventory: { interfaces: [{ macAddress: "aa" }] },
      },
    },
  });
});

it("what is not there, or not of the expected shape, is left out", () => {
  expect(newsOf("HostedCluster", { metadata, status: { kubeconfig: "text" } }).object).toEqual({
    metadata,
  });
  expect(newsOf("NodePool", { metadata, spec: { replicas: 0 } }, true)).toEqual({
    kind: "NodePool",
    deleted: true,
    object: { metadata, spec: { replicas: 0 } },
  });
});
