import type { Issue } from "../../../kernel/input/field.ts";
import { isObject } from "../../../kernel/input/shape.ts";
import {
  hostTypesOf,
  type ManifestSource,
  maxNodeSets,
  type TemplateContent,
  type TemplateOperator,
} from "../model.ts";
import type { Parameter } from "../parameter.ts";
import { templateNetworkOf } from "../prefixes.ts";
import { groupOf, identityOf, manifestIssues } from "./manifest.ts";
import { parametersIssues } from "./parameters.ts";
import { isPlaceholder, under } from "./placeholders.ts";
import { refusedNamespace } from "./policy.ts";

/**
 * Finds the members of a manifest that do not fit its kind. The implementation, in
 * `core/resources/cluster-template/content/fit.ts`, is large, so it is passed in.
 */
type Misfits = (manifest: ManifestSource, parameters: Parameter[]) => Issue[];

/**
 * All faults of a template that can be found without other objects; the API also checks whether the objects that it
 * names exist. The same check serves an author's file and a request. Paths are those of the wire.
 */
export function templateIssues(content: TemplateContent, misfits: Misfits): Issue[] {
  const { parameters = [], operators = [], manifests = [] } = content;
  return [
    ...at(["parameters"], parametersIssues(parameters)),
    ...nodeSetIssues(content),
    ...hostTypeIssues(content),
    ...networkIssues(content),
    ...operators.flatMap((operator, n) =>
      at(["operators", n], operatorIssues(operators, operator, n, parameters)),
    ),
    ...manifests.flatMap((manifest, n) =>
      at(
        ["manifests", n],
        [
          ...manifestIssues(manifest, parameters),
          ...misfits(manifest, parameters),
          ...repeated(manifests, n),
        ],
      ),
    ),
    ...at(["validation", "workload"], workloadIssues(content, misfits)),
  ];
}

const at = (path: PropertyKey[], issues: Issue[]): Issue[] =>
  path.reduceRight((all, step) => under(step, all), issues);

function nodeSetIssues({ node_sets }: TemplateContent): Issue[] {
  const count = Object.keys(node_sets).length;
  if (count === 0) return [{ path: ["node_sets"], message: "at least one node set is needed" }];
  if (count <= maxNodeSets) return [];
  return [{ path: ["node_sets"], message: `has ${count} node sets; ${maxNodeSets} is the limit` }];
}

/** Limited, because a transaction counts each of these host types as used. */
const hostTypeLimit = 32;

function hostTypeIssues(content: TemplateContent): Issue[] {
  const count = hostTypesOf(content).size;
  if (count <= hostTypeLimit) return [];
  const message = `${count} host types are named in all; ${hostTypeLimit} is the limit`;
  return [{ path: ["node_sets"], message }];
}

function networkIssues({ network = {}, node_sets }: TemplateContent): Issue[] {
  const nodes = Object.values(node_sets).reduce((sum, { size }) => sum + size, 0);
  const path = ["spec_defaults", "network"];
  return templateNetworkOf(network, { nodes }).faults.map(
    ({ member, message, beside = [], isOfNodes }) => ({
      ...{ path: [...path, member], message },
      beside: [...beside.map((other) => [...path, other]), ...(isOfNodes ? [["node_sets"]] : [])],
    }),
  );
}

function operatorIssues(
  operators: TemplateOperator[],
  { package: name, namespace, channel }: TemplateOperator,
  n: number,
  parameters: Parameter[],
): Issue[] {
  const issues: Issue[] = [];
  if (operators.findIndex((each) => each.package === name) !== n)
    issues.push({ path: ["package"], message: `'${name}' appears more than once` });
  const closed = refusedNamespace(namespace);
  if (closed)
    issues.push({
      path: ["namespace"],
      message: `a template cannot write into namespace '${namespace}': ${closed}`,
    });
  if (typeof channel === "string") return issues;
  const parameter = parameters.find((each) => each.name === channel.$parameter);
  const path = ["channel", "$parameter"];
  if (!parameter)
    issues.push({ path, message: `'${channel.$parameter}' is not a parameter of the template` });
  else if (parameter.type !== "string")
    issues.push({ path, message: `'${parameter.name}' must be a string` });
  else if (!parameter.required && parameter.default === undefined)
    issues.push({ path, message: `'${parameter.name}' needs a default, or must be required` });
  return issues;
}

function repeated(manifests: ManifestSource[], n: number): Issue[] {
  const identities = manifests.map(identityOf);
  if (identities.indexOf(identities[n] ?? "") === n) return [];
  return [{ path: [], message: "is the same object as one before it" }];
}

/** The kinds of test workloads whose objects all have to succeed. */
const watchedKinds = ["Job.batch", "Deployment.apps"];
const workloadKinds = [
  ...watchedKinds,
  "ConfigMap",
  "PersistentVolumeClaim",
  "Service",
  "ServiceAccount",
];

function workloadIssues(
  { validation, parameters = [] }: TemplateContent,
  misfits: Misfits,
): Issue[] {
  const workload = validation?.workload ?? [];
  const issues = workload.flatMap((manifest, n): Issue[] => {
    const { kind, metadata } = manifest;
    const own: Issue[] = [];
    if (typeof kind === "string" && !workloadKinds.includes(kindOf(manifest)))
      own.push({ path: ["kind"], message: `must be one of ${workloadKinds.join(", ")}` });
    if (isObject(metadata) && metadata.namespace !== undefined)
      own.push({
        path: ["metadata", "namespace"],
        message: "must be left out: the workload runs in a namespace of its own",
      });
    // Checked as if it had a namespace, because the author gives none and Slipway adds one.
    const placed = manifestIssues(inNamespace(manifest, "default"), parameters);
    return under(n, [
      ...own,
      ...placed,
      ...misfits(manifest, parameters),
      ...repeated(workload, n),
    ]);
  });
  if (validation && !workload.some((manifest) => watchedKinds.includes(kindOf(manifest))))
    issues.push({
      path: [],
      message: "needs a Job or a Deployment, whose success the cluster's depends on",
    });
  return issues;
}

/** A manifest's kind with its group, such as `Job.batch`. */
function kindOf({ apiVersion, kind }: ManifestSource): string {
  const group = groupOf(String(apiVersion));
  return group === "" ? String(kind) : `${String(kind)}.${group}`;
}

/** The manifest with this namespace. */
function inNamespace(manifest: ManifestSource, namespace: string): ManifestSource {
  const { metadata } = manifest;
  if (!isObject(metadata) || isPlaceholder(metadata)) return manifest;
  return { ...manifest, metadata: { ...metadata, namespace } };
}
