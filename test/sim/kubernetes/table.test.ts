import { expect, it } from "vitest";
import { builtInKinds } from "../../../sim/kubernetes/built-in.ts";
import type { KubeObject } from "../../../sim/kubernetes/object.ts";
import { age, jsonPath, table } from "../../../sim/kubernetes/table.ts";

const object = {
  metadata: { labels: { "example.com/tier": "front", app: "web" } },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Degraded", status: "False" },
    ],
    ready: false,
  },
};

it.each([
  [".metadata.labels.app", ["web"]],
  [".metadata.labels.example\\.com/tier", ["front"]],
  ['.metadata.labels["example.com/tier"]', ["front"]],
  ['.status.conditions[?(@.type=="Degraded")].status', ["False"]],
  [".status.conditions[?(@.type=='Missing')].status", []],
  [".status.conditions[0].type", ["Ready"]],
  [".status.conditions[*].type", ["Ready", "Degraded"]],
  [".status.ready", [false]],
  [".spec.missing.deeper", []],
])("the column %s shows %j", (path, expected) => {
  expect(jsonPath(object, path)).toEqual(expected);
});

it.each([
  [0, "0s"],
  [119, "119s"],
  [120, "2m"],
  [125, "2m5s"],
  [600, "10m"],
  [3 * 3600, "3h"],
  [3 * 3600 + 60, "3h1m"],
  [9 * 3600 + 60, "9h"],
  [49 * 3600, "2d1h"],
  [10 * 86400, "10d"],
  [800 * 86400, "2y70d"],
])("%i seconds are shown as %s", (seconds, expected) => {
  expect(age(seconds * 1000)).toBe(expected);
});

it.each([
  ["True", {}, { "node-role.kubernetes.io/worker": "" }, "Ready", "worker"],
  [
    "False",
    {},
    { "node-role.kubernetes.io/worker": "", "node-role.kubernetes.io/infra": "" },
    "NotReady",
    "infra,worker",
  ],
  ["Unknown", { unschedulable: true }, { app: "x" }, "NotReady,SchedulingDisabled", "<none>"],
  [undefined, {}, undefined, "Unknown", "<none>"],
])("a node that is Ready: %s is shown as kubectl does", (ready, spec, labels, status, roles) => {
  const kind = builtInKinds.find((each) => each.kind === "Node");
  if (!kind) throw new Error("no nodes");
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1", ...(labels && { labels }), creationTimestamp: "2030-01-01T00:00:00Z" },
    spec,
    status: {
      conditions: ready ? [{ type: "Ready", status: ready }] : [],
      nodeInfo: { kubeletVersion: "v1.30.0" },
    },
  } as unknown as KubeObject;
  const now = Date.parse("2030-01-01T00:02:00Z");
  expect(table(kind, [node], {}, "None", now)).toMatchObject({
    columnDefinitions: ["Name", "Status", "Roles", "Age", "Version"].map((name) => ({ name })),
    rows: [{ cells: ["n1", status, roles, "2m", "v1.30.0"] }],
  });
});
