import { isDeepStrictEqual } from "node:util";
import { canonicalCidr } from "../../kernel/input/cidr.ts";
import { masked } from "../../kernel/object/wire.ts";
import { means } from "../../kernel/request/resolve.ts";
import { unwrapped } from "../cluster-template/any.ts";
import type { ClusterInput, ClusterSpecInput } from "../cluster-template/order-input.ts";
import type { Cluster } from "./model.ts";
import type { Field } from "./update-rules.ts";

/** The fields that are compared as a whole: a node set is compared with all its members. */
type Whole = Exclude<Field, "spec.node_sets.*.host_type" | `metadata.${string}`>;
type Attached = NonNullable<Cluster["spec"]["network_attachment"]>;
type Differs = (cluster: Cluster, input: ClusterInput) => boolean;

/** How a desired field is compared with the present one. */
const differs: Record<Whole, Differs> = {
  "spec.template": ({ spec }, input) => !means(input.spec.template, spec.template),
  "spec.catalog_item": ({ spec }, input) =>
    spec.catalog_item
      ? !means(input.spec.catalog_item, spec.catalog_item)
      : input.spec.catalog_item !== undefined,
  "spec.template_parameters": ({ spec }, input) =>
    !isDeepStrictEqual(plainParameters(input.spec), spec.template_parameters),
  "spec.node_sets": () => false,
  "spec.version": ({ spec }, input) => !means(input.spec.version, spec.version),
  "spec.network": ({ spec }, input) =>
    !isDeepStrictEqual(canonicalNetwork(input.spec.network), spec.network),
  "spec.network_attachment": ({ spec: { network_attachment: is } }, { spec }) => {
    const { network_attachment: wanted } = spec;
    if (!is || !wanted) return wanted !== undefined || is !== undefined;
    return !means(wanted.subnet, is.subnet);
  },
  "spec.network_attachment.security_groups": ({ spec }, input) => {
    const { network_attachment: is } = spec;
    const { network_attachment: wanted } = input.spec;
    return is !== undefined && wanted !== undefined && !areGroupsOf(is, wanted);
  },
  "spec.auto_external_ip_attachment": ({ spec }, input) =>
    (input.spec.auto_external_ip_attachment ?? false) !==
    (spec.auto_external_ip_attachment ?? false),
  "spec.ssh_public_key": ({ spec }, input) =>
    (input.spec.ssh_public_key || undefined) !== spec.ssh_public_key,
  // An empty value changes nothing, as in an order; the mask `***` keeps the stored secret.
  "spec.pull_secret": ({ spec }, input) =>
    input.spec.pull_secret !== "" &&
    input.spec.pull_secret !== (spec.pull_secret === undefined ? undefined : masked),
  "spec.pull_secret_secret": ({ spec }, input) =>
    spec.pull_secret_secret
      ? !means(input.spec.pull_secret_secret, spec.pull_secret_secret)
      : input.spec.pull_secret_secret !== undefined,
  "spec.placement": ({ spec }, input) => !isDeepStrictEqual(input.spec.placement, spec.placement),
};

const areGroupsOf = (
  { security_groups: has }: Attached,
  { security_groups: wanted }: NonNullable<ClusterSpecInput["network_attachment"]>,
): boolean =>
  wanted.length === has.length && has.every((group) => wanted.some((each) => means(each, group)));

/** The fields of the spec that a change alters, without node sets. */
export function differencesOf(cluster: Cluster, input: ClusterInput): Whole[] {
  const fields = Object.keys(differs) as Whole[];
  return fields.filter((field) => differs[field](cluster, input));
}

function plainParameters({ template_parameters = {} }: ClusterSpecInput) {
  const entries = Object.entries(template_parameters);
  return Object.fromEntries(entries.map(([name, value]) => [name, unwrapped(value)?.value]));
}

function canonicalNetwork(network: ClusterSpecInput["network"] = {}) {
  return Object.fromEntries(
    Object.entries(network).flatMap(([member, cidr]) =>
      cidr ? [[member, canonicalCidr(cidr) ?? cidr]] : [],
    ),
  );
}
