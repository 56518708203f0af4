import type { Violation } from "../../error.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Records } from "../../kernel/object/records.ts";
import { begun } from "../../kernel/request/begun.ts";
import { References } from "../../kernel/request/references.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { onFailure } from "../cluster-template/content/render.ts";
import type { ClusterTemplate, FailurePolicy } from "../cluster-template/model.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { parameterValues } from "../cluster-template/parameter-values.ts";
import { defaultPrefixes, templateNetworkOf } from "../cluster-template/prefixes.ts";
import { defaultVersion } from "../cluster-version/default.ts";
import { type ClusterVersion, isOrderable } from "../cluster-version/model.ts";
import type { Cluster, ClusterSpec, NodeSets } from "./model.ts";
import { beginNodeSets, nodesAsked, orderedNodeSets, type TemplateSets } from "./node-sets.ts";

/** The spec of an order, with references resolved and the template's defaults filled in. */
export interface Resolved {
  spec: Omit<ClusterSpec, "pull_secret">;
  template_revision: number;
  on_failure: FailurePolicy;
  has_storage: boolean;
  release: Cluster["release"];
}

interface Progress {
  /** The search for the template, if it has begun. */
  template?: Promise<ClusterTemplate | undefined> | undefined;
  /** Called when there are no violations and only the host types are still being searched. */
  nearly(): void;
  /** Called with the resulting node sets, even if the order has violations elsewhere. */
  sized(nodeSets: NodeSets): void;
}

/** Checks an order against the template, version and host types that it names. Undefined if there are violations. */
export async function resolveSpec(
  records: Records,
  tenant: string,
  input: ClusterSpecInput,
  violations: Violation[],
  progress: Progress,
): Promise<Resolved | undefined> {
  const check = new Check(records, tenant, violations);
  const begun = check.beginVersion(input.version);
  const template = await check.template(input.template, progress.template);
  const given = input.node_sets ?? {};
  // Searched in parallel with the version, and checked after it.
  const searches = template && beginNodeSets(check, setsOf(template), given);
  const version = await check.version(input.version, template, begun);
  const network = check.network(
    input.network,
    template?.spec.network,
    template && nodesAsked(setsOf(template), given),
  );
  const parameters =
    template &&
    parameterValues(
      check,
      { id: template.id, parameters: template.spec.parameters ?? [] },
      input.template_parameters ?? {},
    );
  if (violations.length === 0) progress.nearly();
  const nodeSets =
    template && searches && (await orderedNodeSets(check, setsOf(template), given, searches));
  if (nodeSets) progress.sized(nodeSets);
  if (!template || !version || !parameters || !nodeSets || violations.length > 0) return undefined;
  const sshPublicKey = input.ssh_public_key || template.spec.ssh_public_key;
  const isSilent = !input.pull_secret && input.pull_secret_secret === undefined;
  return {
    spec: {
      template: referenceTo(template),
      template_parameters: parameters,
      node_sets: nodeSets,
      version: referenceTo(version),
      network,
      ...(sshPublicKey ? { ssh_public_key: sshPublicKey } : {}),
      ...(isSilent && template.spec.pull_secret_secret
        ? { pull_secret_secret: template.spec.pull_secret_secret }
        : {}),
      ...(input.auto_external_ip_attachment ? { auto_external_ip_attachment: true } : {}),
      ...(input.placement ? { placement: input.placement } : {}),
    },
    template_revision: template.spec.revision,
    on_failure: onFailure(template.spec),
    has_storage: template.spec.storage !== undefined,
    release: { version: version.spec.version, image: version.spec.image },
  };
}

class Check extends References {
  async template(
    reference: ReferenceInput | undefined,
    begun: Promise<ClusterTemplate | undefined> | undefined,
  ): Promise<ClusterTemplate | undefined> {
    // A malformed reference already has a violation.
    if (reference === undefined) return this.refuseOnce("spec.template", "template is mandatory");
    return this.resolve("spec.template", "cluster_template", reference, begun);
  }

  /** Begins the search for the order's version, or for the default one, while the search for the template runs. */
  beginVersion(reference: ReferenceInput | undefined): Promise<ClusterVersion | undefined> {
    return begun(
      reference === undefined
        ? defaultVersion(this.records, this.tenant)
        : this.find("cluster_version", reference),
    );
  }

  /** The order's version; otherwise the template's, otherwise the default one. */
  async version(
    reference: ReferenceInput | undefined,
    template: ClusterTemplate | undefined,
    begun: Promise<ClusterVersion | undefined>,
  ): Promise<ClusterVersion | undefined> {
    const field = "spec.version";
    const wanted = reference ?? template?.spec.version;
    if (wanted === undefined)
      return (await begun) ?? this.refuseOnce(field, "is required: there is no default version");
    const search = reference === undefined ? undefined : begun;
    const version = await this.resolve(field, "cluster_version", wanted, search);
    if (!version || isOrderable(version)) return version;
    return this.refuse(
      field,
      `ClusterVersion "${version.metadata.name}" can't be ordered any more`,
    );
  }

  /** The order's prefixes; otherwise the template's. */
  network(
    input: ClusterSpecInput["network"] = {},
    defaults: ClusterSpec["network"] = {},
    nodes?: number,
  ): ClusterSpec["network"] {
    const { network, faults } = templateNetworkOf(
      {
        pod_cidr: input.pod_cidr || defaults.pod_cidr,
        service_cidr: input.service_cidr || defaults.service_cidr,
      },
      { ...(nodes !== undefined && { nodes }), others: defaultPrefixes },
    );
    for (const { member, message } of faults) this.refuse(`spec.network.${member}`, message);
    return network;
  }
}

const setsOf = ({ id, metadata, spec }: ClusterTemplate): TemplateSets => ({
  id,
  tenant: metadata.tenant,
  content: spec,
});
