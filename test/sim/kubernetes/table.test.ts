import { expect, test } from "vitest";
import { age, jsonPath } from "../../../sim/kubernetes/table.ts";

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

test.each([
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

test.each([
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
