import type { Violation } from "../../error.ts";
import { networkOf } from "../../kernel/input/cidr.ts";
import type { ReferenceInput } from "../../kernel/input/reference.ts";
import type { Records } from "../../kernel/object/records.ts";
import { begun } from "../../kernel/request/begun.ts";
import { References } from "../../kernel/request/references.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import type { Json } from "../../kernel/store/store.ts";
import { isAny, typeUrl, unwrapped } from "../cluster-template/any.ts";
import { refusalsOf } from "../cluster-template/content/parameters.ts";
import { onFailure } from "../cluster-template/content/render.ts";
import type { ClusterTemplate, FailurePolicy } from "../cluster-template/model.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import { hasType } from "../cluster-template/parameter.ts";
import { defaultVersion } from "../cluster-version/default.ts";
import { type ClusterVersion, isOrderable } from "../cluster-version/model.ts";
import type { Cluster, ClusterSpec } from "./model.ts";
import { beginNodeSets, orderedNodeSets, type TemplateSets } from "./node-sets.ts";

/** The spec of an order, with references resolved and the template's defaults filled in. */
export interface Resolved {
  spec: Omit<ClusterSpec, "pull_secret">;
  template_revision: number;
  on_failure: FailurePolicy;
  has_storage: boolean;
  release: Cluster["release"];
}

/**
 * Checks an order against the template, version and host types it names, and collects all violations.
 * Undefined when there are any. `nearly` is called once no fault was found and only the host types are
 * still being looked up.
 */
export async function resolveSpec(
  records: Records,
  tenant: string,
  input: ClusterSpecInput,
  violations: Violation[],
  nearly = () => {},
): Promise<Resolved | undefined> {
  const check = new Check(records, tenant, violations);
  const begun = check.beginVersion(input.version);
  const template = await check.template(input.template);
  const given = input.node_sets ?? {};
  // Host types are looked up in parallel with the version, and checked after it.
  const searches = template && beginNodeSets(check, setsOf(template), given);
  const version = await check.version(input.version, template, begun);
  const network = check.network(input.network, template?.spec.network);
  const parameters = template && check.parameters(template, input.template_parameters ?? {});
  if (violations.length === 0) nearly();
  const nodeSets =
    template && searches && (await orderedNodeSets(check, setsOf(template), given, searches));
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
  async template(reference: ReferenceInput | undefined): Promise<ClusterTemplate | undefined> {
    // A reference of a wrong shape was reported already.
    if (reference === undefined) return this.refuseOnce("spec.template", "template is mandatory");
    return this.resolve("spec.template", "cluster_template", reference);
  }

  /**
   * Begins to look for the order's version, or the default one, while the template is still being
   * looked up.
   */
  beginVersion(reference: ReferenceInput | undefined): Promise<ClusterVersion | undefined> {
    return begun(
      reference === undefined
        ? defaultVersion(this.records, this.tenant)
        : this.find("cluster_version", reference),
    );
  }

  /** The order's version, else the template's, else the default one. */
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

  /** The order's prefixes, else the template's. */
  network(
    input: ClusterSpecInput["network"] = {},
    defaults: ClusterSpec["network"] = {},
  ): ClusterSpec["network"] {
    const { network, faults } = networkOf({
      pod_cidr: input.pod_cidr || defaults.pod_cidr,
      service_cidr: input.service_cidr || defaults.service_cidr,
    });
    for (const { member, message } of faults) this.refuse(`spec.network.${member}`, message);
    return network;
  }

  parameters(
    template: ClusterTemplate,
    given: NonNullable<ClusterSpecInput["template_parameters"]>,
  ): Record<string, Json> {
    const { parameters = [] } = template.spec;
    const field = (name: string) => `spec.template_parameters.${name}`;
    const values = new Map<string, Json>();
    for (const [name, value] of Object.entries(given)) {
      const parameter = parameters.find((each) => each.name === name);
      if (!parameter) {
        this.refuse(
          field(name),
          unknownParameter(
            name,
            template,
            parameters.map((each) => each.name),
          ),
        );
        continue;
      }
      const plain = unwrapped(value);
      const fits =
        plain &&
        (plain.type ?? parameter.type) === parameter.type &&
        hasType(plain.value, parameter.type);
      if (fits) {
        values.set(name, plain.value);
        for (const message of refusalsOf(parameter, plain.value)) this.refuse(field(name), message);
      } else {
        const is = isAny(value) ? value["@type"] : typeof value;
        this.refuse(
          field(name),
          `type of parameter '${name}' of template '${template.id}' should be '${typeUrl(parameter.type)}' (${parameter.type}), but it is '${is}'`,
        );
      }
    }
    for (const { name, required, default: fallback } of parameters) {
      if (Object.hasOwn(given, name)) continue;
      if (fallback !== undefined) values.set(name, fallback);
      else if (required)
        this.refuseOnce(
          field(name),
          `parameter '${name}' of template '${template.id}' is mandatory`,
        );
    }
    return Object.fromEntries(values);
  }
}

const setsOf = ({ id, metadata, spec }: ClusterTemplate): TemplateSets => ({
  id,
  tenant: metadata.tenant,
  content: spec,
});

function unknownParameter(name: string, template: ClusterTemplate, names: string[]): string {
  const valid = names.map((each) => `'${each}'`).join(" and ") || "none";
  return `template parameter '${name}' doesn't exist, valid values for template '${template.id}' are ${valid}`;
}
