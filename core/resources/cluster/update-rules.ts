import type { MetadataInput } from "../../kernel/object/metadata.ts";
import type { ClusterSpecInput } from "../cluster-template/order-input.ts";
import type { Cluster } from "./model.ts";
import type { clusterSagas } from "./sagas.ts";

/**
 * The permitted changes of a cluster, by its phase. PATCH follows this table, and a test compares
 * docs/cluster-changes.md with it.
 */

/** The phases of a cluster by which the table differs. */
export const moments = ["creating", "ready", "changing", "failed", "deleting"] as const;
export type Moment = (typeof moments)[number];

export function momentOf({ metadata, status, operation, published }: Cluster): Moment {
  if (metadata.deletion_timestamp) return "deleting";
  if (status.state === "CLUSTER_STATE_FAILED") return "failed";
  if (operation === undefined) return "ready";
  return published ? "changing" : "creating";
}

export type Rule =
  /** The change is only a write, without an operation. */
  | { is: "written" }
  /** The change starts an operation. */
  | { is: "started"; saga: keyof typeof clusterSagas }
  /** The change waits for the end of the running operation; if several wait, the newest counts. */
  | { is: "queued"; saga: keyof typeof clusterSagas }
  /** The change is refused in every phase. */
  | { is: "refused"; why: "immutable" | "cannot be changed yet" }
  /** The change is refused in this phase; `busy`: only while an operation runs. */
  | { is: "refused"; why: "state" | "busy" };

export type Field =
  | `metadata.${keyof MetadataInput}`
  | `spec.${keyof ClusterSpecInput}`
  | "spec.node_sets.*.host_type"
  | "spec.network_attachment.security_groups";

type Row = Record<Moment, Rule>;

const always = (rule: Rule): Row => ({
  creating: rule,
  ready: rule,
  changing: rule,
  failed: rule,
  deleting: rule,
});

const written = always({ is: "written" });
const immutable = always({ is: "refused", why: "immutable" });
const notYet = always({ is: "refused", why: "cannot be changed yet" });
const byState: Rule = { is: "refused", why: "state" };
const busy: Rule = { is: "refused", why: "busy" };

/** Only nodes that are added later use this value, so the rules for node sets apply. */
const scaled = {
  creating: { is: "queued", saga: "scale" },
  ready: { is: "started", saga: "scale" },
  changing: { is: "queued", saga: "scale" },
  failed: byState,
  deleting: byState,
} as const satisfies Row;

export const updateRules = {
  "metadata.name": immutable,
  "metadata.tenant": immutable,
  "metadata.project": immutable,
  "metadata.labels": written,
  "metadata.annotations": written,
  "metadata.display_name": written,
  "metadata.description": written,
  "spec.template": immutable,
  "spec.catalog_item": immutable,
  "spec.template_parameters": immutable,
  "spec.node_sets": scaled,
  "spec.node_sets.*.host_type": immutable,
  "spec.version": {
    creating: busy,
    ready: { is: "started", saga: "upgrade" },
    changing: busy,
    failed: byState,
    deleting: byState,
  },
  "spec.network": notYet,
  "spec.network_attachment": immutable,
  "spec.network_attachment.security_groups": {
    creating: busy,
    ready: { is: "started", saga: "networking" },
    changing: busy,
    failed: byState,
    deleting: byState,
  },
  "spec.auto_external_ip_attachment": immutable,
  "spec.ssh_public_key": notYet,
  "spec.pull_secret": scaled,
  "spec.pull_secret_secret": scaled,
  "spec.placement": notYet,
} as const satisfies Record<Field, Row>;

export const ruleOf = (field: Field, moment: Moment): Rule => updateRules[field][moment];
