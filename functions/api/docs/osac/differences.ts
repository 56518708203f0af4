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
const idIsName: OsacRow = ["`id`", "other", "always the name; another id is 400"];
const deletion = (users: string): OsacRow => ["deletion", "other", `refused while ${users}`];
const declared = { isDeclaredOnly: true } as const;

export const allKinds: Section = {
  rows: [
    ["paths, verbs", "same"],
    ["public and private views", "same"],
    ["field names in bodies", "same"],
    ["references to missing objects", "same"],
    ["an invalid filter", "same"],
    ["`lock=true`", "more", "`If-Match` works too (412), also for `DELETE`"],
    [
      "`update_mask`",
      "more",
      "a path may continue after a map's key (`spec.node_sets.workers.size`); an unknown path is 400 (OSAC: 500)",
    ],
    ["`limit`, `offset`", "more", "also `page_token`; an offset above 10,000 is 400"],
    ["`order`", "more", "the list is sorted; OSAC ignores it"],
    [
      "`filter`",
      "more",
      "enums by name, every member of `metadata`, `+` of texts (OSAC: 500); [absent members](api.md#lists)",
    ],
    [
      "`X-Dry-Run`",
      "more",
      "`dry_run=true` too; quotas are checked; works for `PATCH` and `DELETE`, which OSAC carries out",
    ],
    [
      "references",
      "more",
      "a text works too; `project` and `shared` are ignored; a tenant's objects are of the same project",
    ],
    [
      "deletion of used objects",
      "more",
      "400, code 9; `in_use` names up to ten objects that use this one",
    ],
    ["errors", "more", "an RFC 9457 problem with all violations"],
    [
      "`id`",
      "other",
      "administrators may choose it (1 to 63 letters, digits, `-`, `_`, `.`); a tenant gets 400",
    ],
    ["unset members", "other", "answers may have zero values and empty maps"],
    ["the body", "other", "text after the object and NUL are refused; `status` is ignored"],
    ["unknown parameters", "other", "refused; `include_unpublished` of catalog items is ignored"],
    ["`metadata.version`", "other", "counts changes by users, not those of `status`"],
    ["soft deletion", "other", "the object exists until all is released; a second `DELETE` is 200"],
    ["`Content-Type`", "other", "absent, JSON, text or a form; compressed bodies are refused"],
    [
      "sizes",
      "other",
      "at most 500 nodes a cluster, 256 KiB an object, 16 KiB an SSH key, 64 KiB a pull secret, 4096 characters a filter (400), 1 MiB a body (413; OSAC: 4 MiB, 429)",
    ],
    [
      "`HEAD`, trailing slash",
      "other",
      "`HEAD` is as `GET` (OSAC: 501); a trailing slash is 404 (OSAC: 400)",
    ],
    [
      "browsers of other origins",
      "other",
      "permitted by `api.cors`, on a laptop all; a preflight is 204",
    ],
    [
      "authentication before validation",
      "other",
      "without a token every request is 401, whatever its body",
    ],
    ["`metadata.creation_timestamp`, `deletion_timestamp`", "same"],
    ["`metadata.name`", "same"],
    [
      "`metadata.project`",
      "more",
      "the project must exist; its members see only it and projects below",
    ],
    ["`metadata.display_name`, `description`", "more", "stored; OSAC drops them"],
    [
      "`metadata.tenant`",
      "other",
      "another tenant than the caller's is 403, except from an administrator; a change is 400 (OSAC: 403)",
    ],
    ["`metadata.labels`, `annotations`", "other", "at most 32 labels and 64 annotations"],
    ["`metadata.creator`", "other", "the user's name in the token (OSAC: an id)"],
    ["`metadata.finalizers`", "not there", "ignored in requests"],
    [
      "`Idempotency-Key`, rate limits",
      "ours",
      "a key is known for 24 hours; beyond a rate 429 with `Retry-After`",
    ],
    [
      "`status.operation`, `waiting`, `stalled`",
      "ours",
      "in kinds with operations; systems in `waiting` are private",
    ],
  ],
};

const item: readonly OsacRow[] = [
  ["`field_definitions[].path`", "other", "a field of the spec; no two definitions may overlap"],
  ["`field_definitions[].default`", "more", "checked when saved; secrets have no default"],
  [
    "`field_definitions[].validation_schema`",
    "other",
    "only keywords for scalars, such as `enum` and `pattern`; references are checked by name",
  ],
];

/** The sections by the collection's name, in the order of the page. */
export const kinds: Readonly<Record<string, Section>> = {
  clusters: {
    says: "Paths of Slipway only: `POST …/retry`, `GET …/history`, `…/upgrades`, `operations`, [`…/credentials`](cluster-changes.md#credentials). Kubeconfig and password of a missing cluster are 404 (OSAC: 500).",
    rows: [
      ["`spec.auto_external_ip_attachment`", "same"],
      [
        "`spec.template_parameters`",
        "more",
        "plain JSON works too, beside `Any`; checked by a JSON Schema",
      ],
      [
        "`spec.pull_secret_secret`",
        "more",
        "not together with `pull_secret`; read when the cluster is created (OSAC: 500)",
      ],
      [
        "`spec.catalog_item`",
        "other",
        "an item that is not published for the tenant is 400, like a missing one",
      ],
      [
        "`spec.node_sets.*.host_type`, `size`",
        "other",
        "several sets may have one host type; a missing type is 400 (OSAC: 404); the size is optional (OSAC: 400)",
      ],
      [
        "`spec.pull_secret`",
        "other",
        "docker config JSON with `auth`, or a user and `identitytoken`, for each registry. Answers have `***`, which also means no change. [It can be changed](cluster-changes.md)",
      ],
      [
        "`spec.ssh_public_key`",
        "other",
        "one OpenSSH key, immutable; no DSA, no RSA below 1024 bits, no certificate, no options",
      ],
      [
        "`spec.version`",
        "other",
        "an enabled version that is not obsolete; [an upgrade](cluster-changes.md#upgrades) changes it",
      ],
      [
        "`spec.network.pod_cidr`, `service_cidr`",
        "other",
        "immutable; may not overlap each other, special ranges, [the site's own](networks.md#what-a-site-has-for-itself) or OVN-Kubernetes' 100.64.0.0/16, 100.88.0.0/16, fd97::/64, fd98::/64, fd69::/112. `service_cidr` has at least 256 addresses, and at most a /12 (IPv6: /108); `pod_cidr` has a /23 (IPv6: /64) per node",
      ],
      [
        "`spec.network_attachment.subnet`, `security_groups`",
        "other",
        "`READY`, in one network and the cluster's project; the subnet is immutable",
      ],
      ["`status.conditions`", "more", "five more types"],
    ],
  },
  cluster_templates: {
    rows: [
      [
        "`parameters[].type`",
        "more",
        "also a name such as `integer`; answers have `Int64Value`, `DoubleValue`, `StringValue` for `Int32Value`, `FloatValue`, `BytesValue`",
      ],
      ["`node_sets.*.host_type`, `size`", "other", "at least one set; the host type must exist"],
      deletion("clusters or catalog items use it"),
    ],
  },
  cluster_catalog_items: {
    says: "A cluster's later changes have to fit its catalog item too.",
    rows: item,
  },
  cluster_versions: {
    says: "Without a filter, public lists show enabled versions, active or deprecated.",
    rows: [
      ["deletion", "same"],
      ["`spec.version`", "same"],
      ["`spec.enabled`, `is_default`, `state`", "same"],
      ["`id`", "other", "always the name; another id is ignored (also in OSAC)"],
      ["`spec.image`", "other", "private; can be changed"],
    ],
  },
  host_types: {
    rows: [
      ["`id`", "other", "always the name; another id, or one that exists, is 400"],
      deletion("templates, clusters or hosts use it"),
    ],
  },
  baremetal_instances: {
    says: "Paths of Slipway only: `POST …/retry`, `POST baremetal_instances/batch`.",
    rows: [
      [
        "`spec.catalog_item`, `template_parameters`",
        "more",
        "a catalog item is required; immutable",
      ],
      [
        "`spec.image.source_type`, `source_ref`",
        "other",
        "`registry`, or `url` and `ipxe` with an https URL without a login; immutable",
      ],
      [
        "`spec.network_attachments[].subnet`, `security_groups`, `interface`, `primary`",
        "other",
        "at least one, all at one site, each in another subnet; they [can be changed](bare-metal.md#other-networks-for-a-server) (OSAC: immutable)",
      ],
      [
        "`status.state`, `conditions`",
        "more",
        "the state `…_STATE_DELETE_FAILED`, the condition `MAINTENANCE`",
      ],
    ],
  },
  bare_metal_instance_types: {
    rows: [
      [
        "`spec.hardware.cpu.cores`, `spec.hardware.cpu.threads_per_core`, `spec.hardware.memory.total_gb`, `spec.hardware.disks[].capacity_gb`, `spec.hardware.accelerators[].model`",
        "more",
        "they select [the hosts](hardware.md#instance-types)",
      ],
      idIsName,
      deletion("a template uses it"),
    ],
  },
  baremetal_instance_templates: {
    rows: [
      ["`host_type`", "more", "may be a `bare_metal_instance_type`"],
      ["`parameters`", "more", "as in `cluster_templates`"],
      ["`spec_defaults.image`", "other", "`source_type` is `registry`, `url` or `ipxe`"],
      deletion("a catalog item uses it"),
    ],
  },
  baremetal_instance_catalog_items: { rows: item, isLike: "cluster_catalog_items" },
  network_classes: {
    says: "Tenants may read them; in OSAC only administrators.",
    rows: [
      lists,
      ["`implementation_strategy`", "more", "`fabric`, `hub` or `overlay`"],
      idIsName,
      ["`spec.defaults`", "other", "private; one subnet of both families, with fixed rules"],
      ["`status.state`", "other", "always `NETWORK_CLASS_STATE_READY`"],
      deletion("a network uses it"),
    ],
  },
  virtual_networks: {
    rows: [
      lists,
      [
        "`spec.ipv4_cidr`, `ipv6_cidr`",
        "more",
        "optional if the class has pools; [not every prefix](networks.md#what-a-site-has-for-itself) is permitted",
      ],
      [
        "`spec.network_class`, `status.state`",
        "more",
        "tenants may choose the class; more states: `VIRTUAL_NETWORK_STATE_DELETING`, `…_DELETE_FAILED`",
      ],
      ["deletion", "more", "refused while the network has objects"],
    ],
  },
  subnets: {
    rows: [
      lists,
      [
        "`spec.ipv4_cidr`, `ipv6_cidr`",
        "more",
        "part of the network's; without them Slipway chooses free ones",
      ],
      ["deletion", "more", "refused while clusters or servers use it"],
    ],
  },
  security_groups: {
    rows: [
      lists,
      ["deletion", "more", "refused while rules name the group or clusters have it"],
      ["`spec.ingress[].security_group`", "ours", "a group as the source, in place of a prefix"],
    ],
  },
  external_ip_pools: {
    rows: [
      lists,
      [
        "`spec.cidrs`",
        "other",
        "private; may not overlap other prefixes of the site; while a pool is in use, prefixes can only be appended",
      ],
      ["`spec.implementation_strategy`", "other", "private; `fabric` at a site, else `overlay`"],
      ["`status.state`", "other", "always `EXTERNAL_IP_POOL_STATE_READY`"],
    ],
  },
  external_ips: {
    rows: [
      lists,
      ["`status.attached`", "more", "also true with a NAT gateway"],
      ["`status.state`", "other", "always `EXTERNAL_IP_STATE_ALLOCATED`"],
    ],
  },
  external_ip_attachments: { rows: [lists] },
  nat_gateways: { rows: [lists] },
  tenants: {
    ...declared,
    says: "A tenant's first object makes its record. With [`TENANTS`](deploy.md#parameters) `registered` that object is refused (403), as in OSAC.",
    rows: [
      ["`status.state`", "other", "always `TENANT_STATE_SYNCED`"],
      deletion("the tenant has objects"),
      [
        "`spec.service_accounts`",
        "ours",
        "[portals](identity.md#portals-that-act-for-tenants) that may act for the tenant",
      ],
    ],
  },
  projects: {
    ...declared,
    rows: [
      [
        "`metadata.name`",
        "more",
        "a path of at most five names (`shop.web`), or the last name with `spec.parent`",
      ],
      ["`status.state`", "other", "always `PROJECT_STATE_ACTIVE`"],
      deletion("it has objects"),
    ],
  },
  project_memberships: {
    ...declared,
    rows: [
      ["`spec.users`", "other", "at most 40: ids or names of `users`, or names in tokens"],
      ["`status.state`", "other", "always `PROJECT_MEMBERSHIP_STATE_READY`"],
    ],
  },
  users: {
    ...declared,
    says: "A user needs no record. A disabled user is refused.",
    rows: [],
  },
  roles: {
    says: "Only the provider makes them, in the tenant `shared`.",
    rows: [
      ["`id`", "other", "always the name"],
      ["`status`", "other", "empty, without `state`"],
      deletion("it is bound"),
      [
        "`spec.grants`",
        "ours",
        "a [role](identity.md), by default that of the same name; immutable. OSAC has `cloud-provider-admin`, `cloud-provider-reader`, `tenant-reader`",
      ],
    ],
  },
  role_bindings: {
    rows: [
      ["`metadata.project`", "more", "required for roles in projects, refused for others"],
      ["`metadata.name`", "other", "unique per tenant and project (OSAC: everywhere)"],
      ["`spec.users`", "other", "as in `project_memberships`; optional if there are groups"],
      ["`status.state`", "other", "always `ROLE_BINDING_STATE_READY`"],
      ["`spec.groups`", "ours", "names in tokens; at most 40 users and groups"],
    ],
  },
  identity_providers: {
    ...declared,
    rows: [
      [
        "`spec.oidc`",
        "other",
        "stored for portals, with the secret masked; it does not add an [issuer](identity.md)",
      ],
      ["`status.phase`", "other", "always `IDENTITY_PROVIDER_PHASE_UNKNOWN`"],
    ],
  },
  secrets: {
    isDeclaredOnly: true,
    rows: [
      [
        "`data`",
        "more",
        "base64, at most 64 KiB; `***` as in `spec.pull_secret`; absent in the OSAC profile",
      ],
      deletion("a cluster or template names it"),
    ],
  },
  quotas: {
    says: "OSAC has no [quotas](api.md#quotas). An order beyond a quota is 403, code 8.",
    rows: [],
  },
  hubs: {
    says: "Slipway stores `spec.namespace`, but does not use it.",
    rows: [
      ["`spec.namespace`", "same"],
      ["`spec.kubeconfig`", "other", "base64 or plain text; no answer has it"],
      [
        "`spec.region`, `capacity`, `base_domain`",
        "ours",
        "without them the hub is `HUB_STATE_INCOMPLETE` and gets no orders; they cannot be cleared",
      ],
    ],
  },
};

export const events: Section = {
  says: "The form is OSAC's, or server-sent events with `Accept: text/event-stream`. An answer ends with the first events or after 25 s; `Last-Event-ID` continues. Private paths show objects as tenants see them, without `EVENT_TYPE_OBJECT_SIGNALED`. A refusal is an RFC 9457 problem with OSAC's `error`.",
  rows: [["public events", "more", "OSAC's gateway answers 404"]],
};

/** OSAC's paths that Slipway answers with 404. */
export const unservedPaths = [
  ...["compute_instances", "compute_instance_templates", "compute_instance_catalog_items"],
  ...["instance_types", "disk_images", "console_sessions", "storage_backends", "storage_tiers"],
  ...["volumes", "/.well-known/jwks.json"],
] as const;
