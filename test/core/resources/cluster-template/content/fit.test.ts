import { describe, expect, it } from "vitest";
import { fieldOf } from "../../../../../core/kernel/input/field.ts";
import { misfits } from "../../../../../core/resources/cluster-template/content/fit.ts";
import type { ManifestSource } from "../../../../../core/resources/cluster-template/model.ts";
import type { Parameter } from "../../../../../core/resources/cluster-template/parameter.ts";

const parameters: Parameter[] = [
  { name: "n", type: "integer" },
  { name: "s", type: "string" },
  { name: "b", type: "boolean" },
];
const said = (manifest: ManifestSource) =>
  misfits(manifest, parameters).map(({ path, message }) => `${fieldOf(path)} ${message}`);

const metadata = { name: "x", namespace: "demo" };
const quota = (spec: ManifestSource) => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata,
  spec,
});
const config = (more: ManifestSource) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata,
  ...more,
});
const deployment = (container: ManifestSource, more: ManifestSource = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata,
  spec: {
    selector: { matchLabels: { app: "x" } },
    template: {
      metadata: { labels: { app: "x" } },
      spec: { containers: [{ name: "x", image: "x", ...container }] },
    },
    ...more,
  },
});
const container = "spec.template.spec.containers[0]";

describe("a member that the kind does not have is named", () => {
  it.each<[ManifestSource, string]>([
    [quota({ hardd: {} }), "spec.hardd is not a member of this kind; did you mean 'hard'?"],
    [config({ datas: {} }), "datas is not a member of this kind; did you mean 'data'?"],
    [config({ spec: {} }), "spec is not a member of this kind"],
    [
      deployment({ resource: {} }),
      `${container}.resource is not a member of this kind; did you mean 'resources'?`,
    ],
    [deployment({}, { status: {} }), "spec.status is not a member of this kind"],
  ])("%j", (manifest, issue) => {
    expect(said(manifest)).toEqual([issue]);
  });
});

describe("a value of another type is named", () => {
  const text = "must be text, but is";
  const hint = ": quote it, or use {$json: …}";
  it.each<[ManifestSource, string[]]>([
    [
      config({ data: { port: 8080, on: { $parameter: "n" }, list: [] } }),
      [
        `data.port ${text} number${hint}`,
        `data.on ${text} integer${hint}`,
        `data.list ${text} a list${hint}`,
      ],
    ],
    [config({ data: { $parameter: "s" } }), ["data must be a map of names, but is string"]],
    [config({ data: ["x"] }), ["data must be a map of names, but is a list"]],
    [deployment({}, { replicas: "2" }), ["spec.replicas must be a number, but is string"]],
    [
      deployment({}, { replicas: { $parameter: "s" } }),
      ["spec.replicas must be a number, but is string"],
    ],
    [
      deployment({ env: [{ name: "A", value: 1 }] }),
      [`${container}.env[0].value ${text} number${hint}`],
    ],
    [deployment({ args: "x" }), [`${container}.args must be a list, but is string`]],
    [deployment({ tty: "yes" }), [`${container}.tty must be true or false, but is string`]],
    [
      deployment({ resources: { limits: { cpu: true } } }),
      [`${container}.resources.limits.cpu must be text or a number, but is boolean`],
    ],
    [deployment({ resources: [] }), [`${container}.resources must be an object, but is a list`]],
  ])("%j", (manifest, issues) => {
    expect(said(manifest)).toEqual(issues);
  });
});

it.each<[string, ManifestSource]>([
  ["quantities as numbers and as text", quota({ hard: { pods: 10, cpu: "4", memory: "8Gi" } })],
  [
    "parameters of the right type, also where text or number does",
    deployment(
      {
        tty: { $parameter: "b" },
        env: [{ name: "A", value: { $parameter: "s" } }],
        resources: { limits: { cpu: { $parameter: "n" }, memory: { $parameter: "s" } } },
        ports: [{ containerPort: { $parameter: "n" } }],
        readinessProbe: { httpGet: { path: "/", port: "http" } },
        livenessProbe: { httpGet: { path: "/", port: 8080 } },
      },
      { replicas: { $parameter: "n" } },
    ),
  ],
  ["text from a tree", config({ data: { a: { $json: { n: 1 } } } })],
  ["null, which is nothing", deployment({ args: null })],
  [
    "any JSON where any may be",
    {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { kind: "Thing", plural: "things" },
        versions: [
          {
            ...{ name: "v1", served: true, storage: true, subresources: { status: {} } },
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: { spec: { type: "object", default: { a: 1 }, properties: {} } },
                "x-kubernetes-preserve-unknown-fields": true,
              },
            },
          },
        ],
      },
    },
  ],
  [
    "kinds that only the cluster knows",
    { apiVersion: "nvidia.com/v1", kind: "ClusterPolicy", metadata, spec: { whatever: 1 } },
  ],
  [
    "a version that only the cluster knows",
    { apiVersion: "apps/v9", kind: "Deployment", metadata, spec: { whatever: 1 } },
  ],
])("nothing is wrong with %s", (_, manifest) => {
  expect(said(manifest)).toEqual([]);
});
