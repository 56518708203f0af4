import * as z from "zod";
import { nameSchema, type Reference } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Json } from "../../kernel/store/store.ts";
import { type Parameter, parameterNameSchema } from "./parameter.ts";

/**
 * The templates for orders. Authors write templates as folders (`templates/`, docs in `templates/README.md`); each
 * published change creates a revision, and an order keeps the revision of its acceptance
 * (`core/resources/cluster-template/content/revisions.ts`).
 */

export const maxNodes = 500;
export const maxNodeSets = 50;

/** `constructor` is refused, because node sets are members of plain objects, which all have a member of that name. */
export const nodeSetNameSchema = nameSchema.refine((name) => name !== "constructor", {
  error: "is reserved",
});

/** The limit of nodes in one node set; HyperShift's own limit is for the whole cluster. */
export const nodeSetSizeSchema = z.int().min(0).max(maxNodes);

/**
 * A placeholder for a parameter's value: it stands for a whole value of the parsed tree, never for a part of a text.
 */
const placeholderSchema = z.strictObject({
  $parameter: parameterNameSchema.describe("Name of the parameter that supplies the value."),
});

/** Any Kubernetes object; the rules for it are in `core/resources/cluster-template/content/manifest.ts`. */
export const manifestSchema = z.record(z.string(), z.json());

/** The default prefixes of the hosted cluster, for orders without their own. */
export const templateNetworkSchema = z.strictObject({
  pod_cidr: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Prefix for the addresses of pods, such as 10.128.0.0/14; each node takes a /23 of it (IPv6: /64).",
    ),
  service_cidr: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Prefix for the addresses of services, such as 172.30.0.0/16; /12 or longer (IPv6: /108), with 256 addresses or more.",
    ),
});

/** The storage class of the cluster; without one, the cluster gets no volume storage. */
export const storageSchema = z.strictObject({
  storage_class: nameSchema.optional().describe("Name of the storage class."),
  is_default: z.boolean().optional().describe("Whether it is the default class for claims."),
  reclaim_policy: z
    .enum(["Delete", "Retain"])
    .optional()
    .describe("What happens to a volume when its claim is deleted."),
  filesystem: z.enum(["ext4", "xfs"]).optional().describe("The file system of volumes."),
});
export type TemplateStorage = z.infer<typeof storageSchema>;

const text = z.string().min(1).max(253);

/** An operator to install by an OLM subscription. */
export const operatorSchema = z.strictObject({
  package: nameSchema.describe("Its name in the operator catalog."),
  channel: z
    .union([text, placeholderSchema], {
      error: "must be the name of a channel, or {$parameter: name}",
    })
    .describe("The update channel, or a parameter that names it."),
  namespace: nameSchema.describe("The namespace of the operator."),
  source: text.optional().describe("The catalog source; Red Hat's by default."),
  own_namespace_only: z
    .boolean()
    .optional()
    .describe("Whether the operator watches only its own namespace; all by default."),
});
export type TemplateOperator = z.infer<typeof operatorSchema>;

/** A workload that has to succeed before a cluster is READY; it runs in its own namespace. */
export const validationSchema = z.strictObject({
  timeout_minutes: z.int().min(1).max(120).describe("How long the workload may take, in minutes."),
  workload: z
    .array(manifestSchema)
    .min(1)
    .max(20)
    .describe("Kubernetes objects that run it: Jobs and what they need."),
});
export type TemplateValidation = z.infer<typeof validationSchema>;

export const failurePolicies = ["unwind", "hold"] as const;
/** The result of a failed create: its undo, or a hold for people to inspect. */
export type FailurePolicy = (typeof failurePolicies)[number];

export interface TemplateNodeSet {
  /** The name of the default host type; an order may choose another allowed one. */
  host_type: string;
  size: number;
  /** The allowed host types for this node set; by default those of the template. */
  allowed_host_types?: string[];
}

/** A Kubernetes object with placeholders in it. */
export type ManifestSource = Record<string, Json>;

/** The content of a template, as written by its author. */
export interface TemplateContent {
  title?: string;
  description?: string;
  parameters?: Parameter[];
  node_sets: Record<string, TemplateNodeSet>;
  /** Host types that orders may choose; if empty, those of the template's node sets. */
  allowed_host_types?: string[];
  /** The name of the version for orders without one; if absent, the default version. */
  version?: string;
  network?: { pod_cidr?: string; service_cidr?: string };
  /** The key for orders without one. */
  ssh_public_key?: string;
  /** The secret with the pull secret for orders without one. */
  pull_secret_secret?: Reference;
  storage?: TemplateStorage;
  operators?: TemplateOperator[];
  /** The objects to apply to the hosted cluster, in this order. */
  manifests?: ManifestSource[];
  validation?: TemplateValidation;
  on_failure?: FailurePolicy;
}

/** Names of all host types in a template, each once. */
export function hostTypesOf({
  node_sets,
  allowed_host_types = [],
}: Pick<TemplateContent, "node_sets" | "allowed_host_types">): Set<string> {
  const ofSets = Object.values(node_sets).flatMap(({ host_type, allowed_host_types: own = [] }) => [
    host_type,
    ...own,
  ]);
  return new Set([...allowed_host_types, ...ofSets]);
}

export interface ClusterTemplateSpec extends TemplateContent {
  /** The number of this content, counted from 1; no number is used twice for an id. */
  revision: number;
}

export type ClusterTemplate = StoredObject<
  "cluster_template",
  ClusterTemplateSpec,
  Record<string, never>
>;

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    cluster_template: ClusterTemplate;
  }
}
