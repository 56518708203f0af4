import type { Violation } from "../error.ts";
import type { ReferenceInput } from "../input/reference.ts";
import type { Cluster, ClusterSpec, NodeSet } from "../model/cluster.ts";
import { type ClusterTemplate, type FailurePolicy, maxNodes } from "../model/cluster-template.ts";
import { type ClusterVersion, isOrderable } from "../model/cluster-version.ts";
import type { Kind } from "../model/object.ts";
import type { ObjectOf } from "../model/object-of.ts";
import { hasType } from "../model/parameter.ts";
import type { Json, Store } from "../store/store.ts";
import { refusalsOf } from "../template/parameters.ts";
import { onFailure } from "../template/render.ts";
import { typeUrl, unwrapped } from "../view/any.ts";
import { canonicalCidr, overlap } from "./cidr.ts";
import type { ClusterSpecInput } from "./cluster-input.ts";
import { byName, defaultVersion, referenceTo, resolve } from "./resolve.ts";

/** What an order asks for, with references resolved and the template's defaults filled in. */
export interface Resolved {
  spec: Omit<ClusterSpec, "pull_secret">;
  template_revision: number;
  on_failure: FailurePolicy;
  has_storage: boolean;
  release: Cluster["release"];
}

/**
 * Checks an order against the template, version and host types it names, and collects everything
 * that is wrong. Undefined when something is.
 */
export async function resolveSpec(
  store: Store,
  tenant: string,
  input: ClusterSpecInput,
  violations: Violation[],
): Promise<Resolved | undefined> {
  const check = new Check(store, tenant, violations);
  const template = await check.template(input.template);
  const version = await check.version(input.version, template);
  const network = check.network(input.network, template?.spec.network);
  const parameters = template && check.parameters(template, input.template_parameters ?? {});
  const nodeSets = template && (await check.nodeSets(template, input.node_sets ?? {}));
  if (!template || !version || !parameters || !nodeSets || violations.length > 0) return undefined;
  return {
    spec: {
      template: referenceTo(template),
      template_parameters: parameters,
      node_sets: nodeSets,
      version: referenceTo(version),
      network,
      ...(input.ssh_public_key ? { ssh_public_key: input.ssh_public_key } : {}),
      ...(input.placement ? { placement: input.placement } : {}),
    },
    template_revision: template.spec.revision,
    on_failure: onFailure(template.spec),
    has_storage: template.spec.storage !== undefined,
    release: { version: version.spec.version, image: version.spec.image },
  };
}

class Check {
  readonly #store: Store;
  readonly #tenant: string;
  readonly #violations: Violation[];

  constructor(store: Store, tenant: string, violations: Violation[]) {
    this.#store = store;
    this.#tenant = tenant;
    this.#violations = violations;
  }

  async template(reference: ReferenceInput | undefined): Promise<ClusterTemplate | undefined> {
    // A reference of a wrong shape was reported already.
    if (reference === undefined) return this.#refuseOnce("spec.template", "template is mandatory");
    return this.#resolve("spec.template", "cluster_template", reference);
  }

  /** The order's, else the template's, else the default one. */
  async version(
    reference: ReferenceInput | undefined,
    template: ClusterTemplate | undefined,
  ): Promise<ClusterVersion | undefined> {
    const field = "spec.version";
    const wanted = reference ?? template?.spec.version;
    if (wanted === undefined) {
      const version = await defaultVersion(this.#store, this.#tenant);
      return version ?? this.#refuseOnce(field, "is required: there is no default version");
    }
    const version = await this.#resolve(field, "cluster_version", wanted);
    if (!version || isOrderable(version)) return version;
    return this.#refuse(
      field,
      `ClusterVersion "${version.metadata.name}" can't be ordered any more`,
    );
  }

  /** The order's prefixes, else the template's. */
  network(
    input: ClusterSpecInput["network"] = {},
    defaults: ClusterSpec["network"] = {},
  ): ClusterSpec["network"] {
    const network: ClusterSpec["network"] = {};
    for (const member of ["pod_cidr", "service_cidr"] as const) {
      const text = input[member] || defaults[member];
      if (!text) continue;
      const cidr = canonicalCidr(text);
      if (cidr) network[member] = cidr;
      else this.#refuse(`spec.network.${member}`, `'${text}' is not a CIDR, such as 10.128.0.0/14`);
    }
    const { pod_cidr, service_cidr } = network;
    if (pod_cidr && service_cidr && overlap(pod_cidr, service_cidr)) {
      this.#refuse("spec.network.service_cidr", "overlaps pod_cidr");
    }
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
        this.#refuse(
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
        for (const message of refusalsOf(parameter, plain.value))
          this.#refuse(field(name), message);
      } else {
        const is = typeof value === "object" ? value["@type"] : typeof value;
        this.#refuse(
          field(name),
          `type of parameter '${name}' of template '${template.id}' should be '${typeUrl(parameter.type)}' (${parameter.type}), but it is '${is}'`,
        );
      }
    }
    for (const { name, required, default: fallback } of parameters) {
      if (Object.hasOwn(given, name)) continue;
      if (fallback !== undefined) values.set(name, fallback);
      else if (required)
        this.#refuseOnce(
          field(name),
          `parameter '${name}' of template '${template.id}' is mandatory`,
        );
    }
    return Object.fromEntries(values);
  }

  async nodeSets(
    template: ClusterTemplate,
    given: NonNullable<ClusterSpecInput["node_sets"]>,
  ): Promise<Record<string, NodeSet>> {
    const sets = Object.entries(template.spec.node_sets);
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(template.spec.node_sets, name)) continue;
      const names = sets.map(([each]) => `'${each}'`).join(", ");
      this.#refuse(
        `spec.node_sets.${name}`,
        `template '${template.id}' has no such node set; it has ${names}`,
      );
    }
    const result: Record<string, NodeSet> = {};
    for (const [name, set] of sets) {
      const wish = Object.hasOwn(given, name) ? given[name] : undefined;
      const hostType = await this.#hostType(template, name, wish?.host_type);
      if (hostType)
        result[name] = { host_type: referenceTo(hostType), size: wish?.size ?? set.size };
    }
    const total = Object.values(result).reduce((sum, { size }) => sum + size, 0);
    if (total > maxNodes)
      this.#refuse("spec.node_sets", `ask for ${total} nodes; ${maxNodes} is the limit`);
    return result;
  }

  async #hostType(template: ClusterTemplate, set: string, wanted: ReferenceInput | undefined) {
    const field = `spec.node_sets.${set}.host_type`;
    const { host_type: own = "", allowed_host_types: choice } = template.spec.node_sets[set] ?? {};
    if (wanted === undefined) {
      const hostType = await byName(this.#store, "host_type", template.metadata.tenant, own);
      return hostType ?? this.#refuse(field, `HostType "${own}" of the template not found`);
    }
    const hostType = await this.#resolve(field, "host_type", wanted);
    const allowed = [...new Set([own, ...(choice ?? template.spec.allowed_host_types ?? [])])];
    if (!hostType || allowed.includes(hostType.metadata.name)) return hostType;
    return this.#refuse(
      field,
      `should be one of ${allowed.join(", ")}, but it is ${hostType.metadata.name}`,
    );
  }

  async #resolve<K extends Kind>(
    field: string,
    kind: K,
    reference: ReferenceInput,
  ): Promise<ObjectOf[K] | undefined> {
    const { id, name } =
      typeof reference === "string" ? { id: reference, name: undefined } : reference;
    const label = kind.replace(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
    if (!id && !name) return this.#refuse(field, `${label} reference must specify id or name`);
    const object = await resolve(this.#store, kind, this.#tenant, reference);
    return object ?? this.#refuse(field, `${label} "${name || id}" not found`);
  }

  #refuse(field: string, message: string): undefined {
    this.#violations.push({ field, message });
  }

  /** For what is missing: not when the schema has already refused what stood there. */
  #refuseOnce(field: string, message: string): undefined {
    const known = this.#violations.some(
      (each) => each.field === field || each.field.startsWith(`${field}.`),
    );
    if (!known) this.#refuse(field, message);
  }
}

function unknownParameter(name: string, template: ClusterTemplate, names: string[]): string {
  const valid = names.map((each) => `'${each}'`).join(" and ") || "none";
  return `template parameter '${name}' doesn't exist, valid values for template '${template.id}' are ${valid}`;
}
