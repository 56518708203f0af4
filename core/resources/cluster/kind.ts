import { hubPartition } from "../../kernel/object/keys.ts";
import { commonChanges, type KindDefinition } from "../../kernel/object/kind.ts";
import type { Reference } from "../../kernel/object/metadata.ts";
import {
  admins,
  manage,
  ordered,
  orderers,
  type PermissionsOf,
  readers,
  staff,
} from "../../kernel/request/permissions.ts";
import { privateInFailures } from "../../kernel/saga/failure.ts";
import { privateInWaits } from "../../kernel/saga/wait.ts";
import { allocationsOf } from "../../placement/pool/reserved.ts";
import { clusterDictionary } from "./dictionary.ts";
import { automaticAttachments, type Cluster, knownNodeSets } from "./model.ts";
import { packed, unpacked } from "./packed.ts";
import { isClusterProgress } from "./progress.ts";
import { clusterStatus } from "./status.ts";

export const kind: KindDefinition<"cluster"> = {
  events: [...commonChanges, "ready", "failed", "deleting"],
  // Hides from tenants the provider's hubs, and how the provider separates networks.
  privateMembers: [
    "status.hub",
    "status.infra_id",
    "status.hosts",
    "status.network.vlan",
    "status.placement.rejected",
    ...privateInWaits,
    ...privateInFailures,
  ],
  shown: {
    // A mask replaces the pull secret in answers, be it the cluster's own or of a secret object.
    spec: ({ spec: { pull_secret, ...spec } }) => ({
      ...spec,
      ...(pull_secret === undefined ? {} : { pull_secret: true }),
    }),
    status: ({ status }) => status,
    "status.release": ({ release }) => release.version,
    "status.template_revision": ({ template_revision }) => template_revision,
    "status.operation": ({ operation }) => operation,
    "status.queued_operation": ({ queued }) => queued,
    "status.placement": ({ placement }) =>
      placement && { at: placement.at, reason: placement.reason },
  },
  inProjects: true,
  isForGood: true,
  isOperated: true,
  isOrdered: true,
  references: (cluster) => {
    const { template, version, catalog_item, pull_secret_secret, network_attachment } =
      cluster.spec;
    // An upgrade may return to its previous version, so that version counts as in use.
    const versions = new Set([version.id, cluster.upgrade?.from.version.id ?? version.id]);
    const hostTypes = Object.values(knownNodeSets(cluster)).map(({ host_type }) => host_type.id);
    return [
      ...referencesTo("cluster_catalog_item", catalog_item),
      ...referencesTo("cluster_template", template),
      ...[...versions].map((id) => ({ kind: "cluster_version", id }) as const),
      ...referencesTo("secret", pull_secret_secret),
      ...referencesTo("subnet", network_attachment?.subnet),
      ...groupIds(cluster).map((id) => ({ kind: "security_group", id }) as const),
      ...automaticAttachments(cluster).map(
        (id) => ({ kind: "external_ip_attachment", id }) as const,
      ),
      ...[...new Set(hostTypes)].map((id) => ({ kind: "host_type", id }) as const),
      ...allocationsOf(cluster.placement).map((id) => ({ kind: "allocation", id }) as const),
    ];
  },
  status: clusterStatus,
  turn: (before, after) => {
    const { state } = after.status;
    if (state === before.status.state) return undefined;
    if (state === "CLUSTER_STATE_READY") return "ready";
    return state === "CLUSTER_STATE_FAILED" ? "failed" : undefined;
  },
  hasHistory: true,
  isProgress: isClusterProgress,
  stored: {
    dictionaries: [clusterDictionary],
    packing: { pack: packed, unpack: unpacked },
    indexes: ({ id, placement }) =>
      placement && { g3pk: hubPartition(placement.hub, "cluster"), g3sk: id },
  },
};

export const permissions: PermissionsOf = {
  public: {
    ...ordered,
    credentials: orderers,
    issue: orderers,
    revoke: orderers,
    history: readers,
    upgrades: readers,
    retry: orderers,
  },
  // The provider orders for the tenant in `metadata.tenant`.
  private: { ...manage, history: staff, upgrades: staff, retry: admins },
};

/** The ids of the cluster's security groups and, during a change of them, of the previous ones. */
function groupIds({ spec, regrouping }: Cluster): string[] {
  const has = spec.network_attachment?.security_groups ?? [];
  const had = regrouping?.from.flatMap(({ security_groups }) => security_groups) ?? [];
  return [...new Set([...has, ...had].map(({ id }) => id))];
}

const referencesTo = <K extends "cluster_catalog_item" | "cluster_template" | "secret" | "subnet">(
  kind: K,
  reference: Reference | undefined,
) => (reference ? [{ kind, id: reference.id }] : []);
