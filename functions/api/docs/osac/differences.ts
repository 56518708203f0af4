/**
 * The differences between Slipway's and OSAC's REST API, for docs/osac-compatibility.md. A member
 * that both have and that no row names is the same in both. `members.ts` and `osac-members.json`
 * are compared for members that only one of them has.
 */
export interface Section {
  /** A sentence above the table. */
  says?: string;
  /** OSAC's gateway does not serve the kind, so no answers could be recorded. */
  isDeclaredOnly?: true;
  rows: readonly OsacRow[];
  /** The section with the same rows, to which the page refers. */
  isLike?: string;
}

/** The names of members, in backticks; the mark; the difference. */
export type OsacRow =
  | readonly [about: string, mark: "same"]
  | readonly [about: string, mark: "more" | "other" | "not there" | "ours", note: string];

const lists: OsacRow = ["lists", "same"];
const idIsName: OsacRow = ["`id`", "other", "the name; another is 400"];
const deletion = (users: string): OsacRow => ["deletion", "other", `refused while ${users}`];
const declared = {
  says: "Declared by OSAC, not served over REST.",
  isDeclaredOnly: true,
} as const;

export const allKinds: Section = {
  rows: [
    ["paths, verbs", "same"],
    ["public and private views", "same"],
    ["field names in bodies", "same"],
    ["references to missing objects", "same"],
    ["an invalid filter", "same"],
    ["`lock=true`", "more", "also `If-Match` (412), on `DELETE` too"],
    ["`update_mask`", "more", "may end below a map's key; an unknown path is 400 (OSAC: 500)"],
    ["`limit`, `offset`", "more", "an offset above 10,000 is 400; also `page_token`"],
    ["`order`", "more", "sorts; OSAC ignores it"],
    [
      "`filter`",
      "more",
      "enums by name, all of `metadata`, sums of texts (OSAC: 500); [absent members](api.md#lists)",
    ],
    [
      "`X-Dry-Run`",
      "more",
      "also `dry_run=true`, and of `PATCH` and `DELETE`, which OSAC carries out; checks quotas",
    ],
    [
      "references",
      "more",
      "also a text; `project` and `shared` are ignored; local ones need the same project",
    ],
    ["deletion of used objects", "more", "400, code 9, with `in_use`: at most ten users"],
    ["errors", "more", "all violations at once, in an RFC 9457 problem"],
    [
      "`id`",
      "other",
      "administrators may choose it: 1 to 63 letters, digits, `-`, `_`, `.`; from a tenant it is 400",
    ],
    ["unset members", "other", "zero values and empty maps may be answered"],
    [
      "the body",
      "other",
      "anything after the object, and NUL, is refused; `status` is ignored whole",
    ],
    [
      "unknown parameters",
      "other",
      "refused; `include_unpublished` of catalog items has no effect",
    ],
    ["`metadata.version`", "other", "counts users' changes, not status writes"],
    ["soft deletion", "other", "until all is released; a second `DELETE` is 200"],
    ["`Content-Type`", "other", "absent, JSON, text or a form; no compressed bodies"],
    [
      "sizes",
      "other",
      "400 above 500 nodes a cluster, 256 KiB an annotation and an object, 16 KiB an SSH key, 64 KiB a pull secret, 4096 characters a filter; 413 above 1 MiB (OSAC: 4 MiB, 429)",
    ],
    ["`HEAD`, trailing slash", "other", "as `GET` (OSAC: 501); 404 (OSAC: 400)"],
    ["browsers of other origins", "other", "those of `api.cors`, locally any; a preflight is 204"],
    ["authentication before validation", "other", "an anonymous request is 401 whatever its body"],
    ["`metadata.creation_timestamp`, `deletion_timestamp`", "same"],
    ["`metadata.name`", "same"],
    ["`metadata.project`", "more", "must exist; members see theirs and those below only"],
    ["`metadata.display_name`, `description`", "more", "stored; OSAC drops them"],
    [
      "`metadata.tenant`",
      "other",
      "another than the caller's is 403, except from an administrator; immutable (400; OSAC: 403)",
    ],
    ["`metadata.labels`, `annotations`", "other", "32 labels and 64 annotations at most"],
    ["`metadata.creator`", "other", "the user's name in the token; OSAC has an id"],
    ["`metadata.finalizers`", "not there", "ignored in requests"],
    ["`Idempotency-Key`, rate limits", "ours", "24 hours, per tenant; 429 with `Retry-After`"],
    [
      "`status.operation`, `waiting`, `stalled`",
      "ours",
      "of kinds with operations; a wait's members about systems are private",
    ],
  ],
};

const item: readonly OsacRow[] = [
  ["`field_definitions[].path`", "other", "a field of the spec; none at or under another"],
  ["`field_definitions[].default`", "more", "checked when saved; none for secrets"],
  [
    "`field_definitions[].validation_schema`",
    "other",
    "keywords for scalars only, such as `enum` and `pattern`; references are checked by name",
  ],
];

/** The sections by the collection's name, in the order of the page. */
export const kinds: Readonly<Record<string, Section>> = {
  clusters: {
    says: "Paths of ours: `POST …/retry`, `GET …/history`, `…/upgrades`, `operations`, [`…/credentials`](cluster-changes.md#credentials). Kubeconfig and password of a missing cluster are 404 (OSAC: 500).",
    rows: [
      ["`spec.auto_external_ip_attachment`", "same"],
      ["`spec.template_parameters`", "more", "plain JSON or `Any`; checked by a JSON Schema"],
      [
        "`spec.pull_secret_secret`",
        "more",
        "excludes `pull_secret`; read at deployment (OSAC: 500)",
      ],
      [
        "`spec.catalog_item`",
        "other",
        "unpublished or not for the tenant is 400, like a missing one",
      ],
      [
        "`spec.node_sets.*.host_type`, `size`",
        "other",
        "sets may share a host type; a missing type is 400 (OSAC: 404); the size defaults to the template's (OSAC: 400)",
      ],
      [
        "`spec.pull_secret`",
        "other",
        'docker config JSON with `auth`, or a user and `identitytoken`, for each registry; `{"auths":{}}` is 400. Answered `***`, which sent back keeps it. [Can be changed](cluster-changes.md)',
      ],
      [
        "`spec.ssh_public_key`",
        "other",
        "one OpenSSH key: RSA of 1024 bits or more, no DSA, certificate or options; immutable",
      ],
      [
        "`spec.version`",
        "other",
        "enabled, not obsolete; changed by [an upgrade](cluster-changes.md#upgrades)",
      ],
      [
        "`spec.network.pod_cidr`, `service_cidr`",
        "other",
        "immutable; no overlap with each other, special ranges, [the site's own](networks.md#what-a-site-has-for-itself), OVN-Kubernetes' 100.64.0.0/16, 100.88.0.0/16, fd97::/64, fd98::/64, fd69::/112. `service_cidr` from /12 (IPv6: /108), 256 addresses or more; `pod_cidr` with a /23 (IPv6: /64) per node",
      ],
      [
        "`spec.network_attachment.subnet`, `security_groups`",
        "other",
        "of the same project, `READY`, one network; the subnet is immutable",
      ],
      ["`status.conditions`", "more", "five types of ours"],
    ],
  },
  cluster_templates: {
    rows: [
      [
        "`parameters[].type`",
        "more",
        "also a name such as `integer`; `Int32Value`, `FloatValue`, `BytesValue` are answered as `Int64Value`, `DoubleValue`, `StringValue`",
      ],
      [
        "`node_sets.*.host_type`, `size`",
        "other",
        "one set at least; a missing host type is refused",
      ],
      deletion("clusters or offers are of it"),
    ],
  },
  cluster_catalog_items: {
    says: "Later changes of a cluster obey its offer too.",
    rows: item,
  },
  cluster_versions: {
    says: "By default public lists show enabled versions, active or deprecated.",
    rows: [
      ["deletion", "same"],
      ["`spec.version`", "same"],
      ["`spec.enabled`, `is_default`, `state`", "same"],
      ["`id`", "other", "the name; another is ignored, as in OSAC"],
      ["`spec.image`", "other", "private; can be changed"],
    ],
  },
  host_types: {
    rows: [
      ["`id`", "other", "the name; another, or a taken one, is 400"],
      deletion("templates, clusters or hosts are of it"),
    ],
  },
  baremetal_instances: {
    says: "Paths of ours: `POST …/retry`, `POST baremetal_instances/batch`.",
    rows: [
      ["`spec.catalog_item`, `template_parameters`", "more", "immutable; an item is required"],
      [
        "`spec.image.source_type`, `source_ref`",
        "other",
        "`registry`, or `url` and `ipxe` with an https URL that servers reach without a login; immutable",
      ],
      [
        "`spec.network_attachments[].subnet`, `security_groups`, `interface`, `primary`",
        "other",
        "one at least, at one site, each in its own subnet; a running server [moves](bare-metal.md#other-networks-for-a-server) (OSAC: immutable)",
      ],
      ["`status.state`, `conditions`", "more", "`…_STATE_DELETE_FAILED`; `MAINTENANCE`"],
    ],
  },
  bare_metal_instance_types: {
    rows: [
      [
        "`spec.hardware.cpu.cores`, `spec.hardware.cpu.threads_per_core`, `spec.hardware.memory.total_gb`, `spec.hardware.disks[].capacity_gb`, `spec.hardware.accelerators[].model`",
        "more",
        "select [the hosts](hardware.md#instance-types)",
      ],
      idIsName,
      deletion("a template is of it"),
    ],
  },
  baremetal_instance_templates: {
    rows: [
      ["`host_type`", "more", "a `bare_metal_instance_type`"],
      ["`parameters`", "more", "as of `cluster_templates`"],
      ["`spec_defaults.image`", "other", "`source_type` is `registry`, `url` or `ipxe`"],
      deletion("an offer is of it"),
    ],
  },
  baremetal_instance_catalog_items: { rows: item, isLike: "cluster_catalog_items" },
  network_classes: {
    says: "OSAC: private paths only. Here tenants may read them.",
    rows: [
      lists,
      ["`implementation_strategy`", "more", "`fabric`, `hub` or `overlay`"],
      idIsName,
      ["`spec.defaults`", "other", "private; one subnet of both families, with fixed rules"],
      ["`status.state`", "other", "always `NETWORK_CLASS_STATE_READY`"],
      deletion("a network is of it"),
    ],
  },
  virtual_networks: {
    rows: [
      lists,
      [
        "`spec.ipv4_cidr`, `ipv6_cidr`",
        "more",
        "none if the class has pools; private unless the class allows more, none that [the site has for itself](networks.md#what-a-site-has-for-itself)",
      ],
      [
        "`spec.network_class`, `status.state`",
        "more",
        "tenants may choose the class; `VIRTUAL_NETWORK_STATE_DELETING`, `…_DELETE_FAILED`",
      ],
      ["deletion", "more", "refused while it has objects"],
    ],
  },
  subnets: {
    rows: [
      lists,
      ["`spec.ipv4_cidr`, `ipv6_cidr`", "more", "within the network's, or none for free ones"],
      ["deletion", "more", "refused while clusters or servers use it"],
    ],
  },
  security_groups: {
    rows: [
      lists,
      ["deletion", "more", "refused while rules name it or clusters have it"],
      ["`spec.ingress[].security_group`", "ours", "members of a group, in place of a prefix"],
    ],
  },
  external_ip_pools: {
    rows: [
      lists,
      [
        "`spec.cidrs`",
        "other",
        "private; overlaps nothing of the site; once in use only grows, at the end",
      ],
      ["`spec.implementation_strategy`", "other", "private; `fabric` at a site, `overlay` without"],
      ["`status.state`", "other", "always `EXTERNAL_IP_POOL_STATE_READY`"],
    ],
  },
  external_ips: {
    rows: [
      lists,
      ["`status.attached`", "more", "true for a NAT gateway too"],
      ["`status.state`", "other", "always `EXTERNAL_IP_STATE_ALLOCATED`"],
    ],
  },
  external_ip_attachments: { rows: [lists] },
  nat_gateways: { rows: [lists] },
  tenants: {
    ...declared,
    says: `${declared.says} With [\`TENANTS\`](deploy.md#parameters) \`registered\` creations of a tenant without a record are 403, as in OSAC; by default its first object makes the record.`,
    rows: [
      ["`status.state`", "other", "always `TENANT_STATE_SYNCED`"],
      deletion("the tenant has objects"),
      ["`spec.service_accounts`", "ours", "portals that may act for the tenant"],
    ],
  },
  projects: {
    ...declared,
    rows: [
      [
        "`metadata.name`",
        "more",
        "the path (`shop.web`), five names at most; or the last name, with `spec.parent`",
      ],
      ["`status.state`", "other", "always `PROJECT_STATE_ACTIVE`"],
      deletion("it has objects"),
    ],
  },
  project_memberships: {
    ...declared,
    rows: [
      ["`spec.users`", "other", "by id or name, or names in tokens; 40 at most"],
      ["`status.state`", "other", "always `PROJECT_MEMBERSHIP_STATE_READY`"],
    ],
  },
  users: {
    ...declared,
    says: `${declared.says} Users without a record can call too; disabled ones are refused.`,
    rows: [],
  },
  roles: {
    says: "The provider makes them, in tenant `shared`.",
    rows: [
      ["`id`", "other", "the name"],
      ["`status`", "other", "empty: no `state`"],
      deletion("it is bound"),
      [
        "`spec.grants`",
        "ours",
        "immutable; a [role](identity.md), by default of the same name. OSAC's are `cloud-provider-admin`, `cloud-provider-reader`, `tenant-reader`",
      ],
    ],
  },
  role_bindings: {
    rows: [
      ["`metadata.project`", "more", "required for roles in projects, refused for others"],
      ["`metadata.name`", "other", "unique per tenant and project (OSAC: everywhere)"],
      ["`spec.users`", "other", "as in `project_memberships`; may be empty if there are groups"],
      ["`status.state`", "other", "always `ROLE_BINDING_STATE_READY`"],
      ["`spec.groups`", "ours", "names in tokens; 40 users and groups in all"],
    ],
  },
  identity_providers: {
    ...declared,
    rows: [
      [
        "`spec.oidc`",
        "other",
        "stored for portals, with the secret masked; the API's issuers are [in its configuration](identity.md)",
      ],
      ["`status.phase`", "other", "always `IDENTITY_PROVIDER_PHASE_UNKNOWN`"],
    ],
  },
  secrets: {
    says: "Its public paths are declared by OSAC, not served over REST.",
    isDeclaredOnly: true,
    rows: [
      [
        "`data`",
        "more",
        "base64, 64 KiB in all; values are answered `***`, which sent back keeps them; absent in the OSAC profile",
      ],
      deletion("a cluster or template names it"),
    ],
  },
  quotas: {
    says: "OSAC has none. [What counts](api.md#quotas). An order beyond a quota is 403, code 8.",
    rows: [],
  },
  hubs: {
    says: "`spec.namespace` is stored without effect.",
    rows: [
      ["`spec.namespace`", "same"],
      ["`spec.kubeconfig`", "other", "base64 or plain text; never answered"],
      [
        "`spec.region`, `capacity`, `base_domain`",
        "ours",
        "without them the hub is `HUB_STATE_INCOMPLETE` and gets no orders; cannot be cleared",
      ],
    ],
  },
};

export const events: Section = {
  says: "OSAC's framing, or server-sent events with `Accept: text/event-stream`. `Last-Event-ID` continues. An answer ends with the first events or after 25 s. Private paths show objects as tenants see them, without `EVENT_TYPE_OBJECT_SIGNALED`. A refusal has OSAC's `error` and a problem.",
  rows: [["public events", "more", "OSAC's gateway answers 404"]],
};

/** OSAC's paths that Slipway answers with 404. */
export const unservedPaths = [
  ...["compute_instances", "compute_instance_templates", "compute_instance_catalog_items"],
  ...["instance_types", "disk_images", "console_sessions", "storage_backends", "storage_tiers"],
  ...["volumes", "/.well-known/jwks.json"],
] as const;
