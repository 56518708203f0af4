import { expect, it } from "vitest";
import { fieldOf } from "../../../../../core/kernel/input/field.ts";
import { templateIssues } from "../../../../../core/resources/cluster-template/content/check.ts";
import { misfits } from "../../../../../core/resources/cluster-template/content/fit.ts";
import type { TemplateContent } from "../../../../../core/resources/cluster-template/model.ts";

const fields = (more: Partial<TemplateContent>) =>
  templateIssues({ node_sets: { workers: { host_type: "small", size: 1 } }, ...more }, misfits).map(
    ({ path }) => fieldOf(path),
  );
const config = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "demo" },
});
const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j" }, spec: {} };
const operator = { package: "nfd", channel: "stable", namespace: "openshift-nfd" };
const channel = { $parameter: "channel" };

it.each<[string, Partial<TemplateContent>, string[]]>([
  ["nothing that is fine", {}, []],
  ["no node set", { node_sets: {} }, ["node_sets"]],
  [
    "a parameter that is there twice",
    {
      parameters: [
        { name: "a", type: "string" },
        { name: "a", type: "string" },
      ],
    },
    ["parameters[1].name"],
  ],
  [
    "prefixes that are none",
    { network: { pod_cidr: "10.0.0.0/40", service_cidr: "x" } },
    ["spec_defaults.network.pod_cidr", "spec_defaults.network.service_cidr"],
  ],
  [
    "prefixes that overlap",
    { network: { pod_cidr: "10.0.0.0/8", service_cidr: "10.1.0.0/16" } },
    ["spec_defaults.network.service_cidr"],
  ],
  [
    "an operator that is there twice",
    { operators: [operator, operator] },
    ["operators[1].package"],
  ],
  [
    "an operator in a namespace that is closed",
    { operators: [{ ...operator, namespace: "kube-system" }] },
    ["operators[0].namespace"],
  ],
  [
    "a channel from no parameter",
    { operators: [{ ...operator, channel }] },
    ["operators[0].channel.$parameter"],
  ],
  [
    "a channel that may have no value",
    { operators: [{ ...operator, channel }], parameters: [{ name: "channel", type: "string" }] },
    ["operators[0].channel.$parameter"],
  ],
  [
    "a channel that is a number",
    {
      operators: [{ ...operator, channel }],
      parameters: [{ name: "channel", type: "integer", default: 1 }],
    },
    ["operators[0].channel.$parameter"],
  ],
  [
    "a manifest that is there twice",
    { manifests: [config("a"), config("b"), { ...config("a"), data: { x: "1" } }] },
    ["manifests[2]"],
  ],
  [
    "a workload without a job",
    { validation: { timeout_minutes: 1, workload: [{ ...config("a"), metadata: { name: "a" } }] } },
    ["validation.workload"],
  ],
  [
    "a job of another group",
    { validation: { timeout_minutes: 1, workload: [{ ...job, apiVersion: "x.example.com/v1" }] } },
    ["validation.workload[0].kind", "validation.workload"],
  ],
  [
    "nothing in a workload that is a Deployment",
    {
      validation: {
        timeout_minutes: 1,
        workload: [{ ...job, apiVersion: "apps/v1", kind: "Deployment" }],
      },
    },
    [],
  ],
  [
    "a workload that goes elsewhere",
    { validation: { timeout_minutes: 1, workload: [job, config("a")] } },
    ["validation.workload[1].metadata.namespace"],
  ],
  [
    "a workload that outlives its namespace",
    {
      validation: {
        timeout_minutes: 1,
        workload: [job, { apiVersion: "v1", kind: "Namespace", metadata: { name: "x" } }],
      },
    },
    ["validation.workload[1].kind", "validation.workload[1].metadata.namespace"],
  ],
])("finds %s", (_, more, expected) => {
  expect(fields(more)).toEqual(expected);
});
