import { isDeepStrictEqual } from "node:util";
import { announcedKey, hubClusterKey } from "../../../core/kernel/object/hub-keys.ts";
import {
  bindingKey,
  controllerKey,
  defaultClassKey,
  defaultVersionKey,
  domainKey,
  groupBindingKey,
  infraKey,
  macKey,
  memberKey,
  natGatewayKey,
  outsidePrefixesKey,
  overlayEndKey,
  subnetPrefixesKey,
  templateRevisionKey,
  userKey,
  versionKey,
} from "../../../core/kernel/object/keys.ts";
import { namesOf, type Reference } from "../../../core/kernel/object/kind.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import { isManaged } from "../../../core/placement/pool/host.ts";
import type { Check } from "./check.ts";
import { type Claim, wrongInClaims } from "./claims.ts";
import type { References } from "./counters.ts";
import { shown, type Table } from "./table.ts";

/** The claims that kinds of the product make, beside those of the kernel. */
const claimsOf: { readonly [K in Kind]?: (object: ObjectOf[K], table: Table) => Item[] } = {
  cluster: ({ id, infra_id, site, placement }) => [
    { ...infraKey(infra_id), cluster: id },
    ...(placement && site?.network && "nics" in site.network && site.network.pinned
      ? [{ ...announcedKey(placement.hub, site.network.api), owner: id }]
      : []),
    ...(site?.domain === undefined ? [] : [{ ...domainKey(site.domain), owner: id }]),
  ],
  baremetal_instance: ({ id, infra_id }) => [{ ...infraKey(infra_id), baremetal_instance: id }],
  virtual_network: ({ id, infra_id }) => [{ ...infraKey(infra_id), virtual_network: id }],
  subnet: ({ id, infra_id }) => [{ ...infraKey(infra_id), subnet: id }],
  security_group: ({ id, infra_id }) => [{ ...infraKey(infra_id), security_group: id }],
  external_ip_attachment: ({ id, infra_id }) => [
    { ...infraKey(infra_id), external_ip_attachment: id },
  ],
  nat_gateway: ({ id, infra_id, metadata, spec, site, made, opened }) => [
    { ...infraKey(infra_id), nat_gateway: id },
    // One that could not be made has given the way out back.
    ...(made || opened || site?.parts.way_out
      ? [{ ...natGatewayKey(spec.virtual_network.id), nat_gateway: id, name: metadata.name }]
      : []),
  ],
  network_class: ({ id, spec }) => (spec.is_default ? [{ ...defaultClassKey, id }] : []),
  cluster_version: ({ id, metadata: { tenant }, spec }) => [
    { ...versionKey(tenant, spec.version), id },
    ...(spec.is_default ? [{ ...defaultVersionKey(tenant), id }] : []),
  ],
  host: ({ id, spec }) => [
    ...spec.nics.map(({ mac }) => ({ ...macKey(mac), host: id })),
    ...(isManaged({ spec }) ? [{ ...controllerKey(spec.bmc.address), host: id }] : []),
  ],
  dpu: ({ id, spec, stands = [], leaving = [] }) => [
    { ...controllerKey(spec.bmc.address), dpu: id },
    ...[...new Set([...stands.map(({ network }) => network), ...leaving])].map((network) => ({
      ...overlayEndKey(network, id),
    })),
  ],
  hub: ({ id, spec }) =>
    spec.cluster_uid === undefined ? [] : [{ ...hubClusterKey(spec.cluster_uid), hub: id }],
  user: ({ id, metadata: { tenant }, spec }) => [
    { ...userKey(tenant, spec.username), user: id, enabled: spec.enabled },
  ],
  project_membership: ({ id, metadata: { tenant, project = "" }, spec }) =>
    spec.users.map((user) => ({ ...memberKey(tenant, user, id), project, role: spec.role })),
  role_binding({ id, metadata: { tenant, project }, spec }, table) {
    const role = table.objects("role").find((each) => each.id === spec.role.id);
    const right = { role: role?.spec.grants ?? "", ...(project === undefined ? {} : { project }) };
    return [
      ...spec.users.map((user) => ({ ...bindingKey(tenant, user, id), ...right })),
      ...spec.groups.map((group) => ({ ...groupBindingKey(tenant, group, id), ...right })),
    ];
  },
};

const words = [
  ...[
    "infra",
    "domain",
    "announced",
    "version",
    "default",
    "default-class",
    "mac",
    "controller",
    "hub-cluster",
    "nat-gateway-of",
    "overlay-end",
  ],
  ...["user-of", "member", "group"],
];

/** Names on hubs and in DNS, numbers of versions, addresses of NICs, and what people may do. */
export const resourceClaims: Check = {
  of: words,
  wrong: ({ table, kinds }) =>
    wrongInClaims(
      table,
      words,
      namesOf(kinds).flatMap((kind) => claimsBy(table, kind)),
    ),
};

const claimsBy = <K extends Kind>(table: Table, kind: K): Claim[] =>
  (claimsOf[kind] ? table.objects(kind) : []).flatMap((object) =>
    (claimsOf[kind]?.(object, table) ?? []).map((item) => ({
      holder: `${kind} ${object.id}`,
      item,
    })),
  );

/**
 * What a cluster refers to, said once more: what its kind forgets to count could be deleted under it.
 * The version and the host types that an operation may go back to count too.
 */
export const references: References = {
  network_class: ({ spec }) => [...one("site", [spec.site?.id]), ...one("hub", [spec.hub?.id])],
  dpu: ({ spec }) => one("host", [spec.host.id]),
  allocation: ({ spec, host_types }) => [
    ...one("host_type", host_types),
    ...one("bare_metal_instance_type", [spec.instance_type]),
    ...one("site", [spec.site]),
  ],
  baremetal_instance: ({ spec, template, instance_type, host_type, placement, ...instance }) => [
    ...one("external_ip_attachment", [instance.automatic_ip?.attachment]),
    ...one("baremetal_instance_catalog_item", [spec.catalog_item.id]),
    ...one("baremetal_instance_template", [template.id]),
    ...one("bare_metal_instance_type", [instance_type.id]),
    ...one("host_type", [host_type]),
    ...one("subnet", [
      ...attachmentsOf({ spec, ...instance }).map(({ subnet }) => subnet.id),
      ...(instance.lingering ?? []).map(({ subnet }) => subnet),
    ]),
    ...one(
      "security_group",
      attachmentsOf({ spec, ...instance }).flatMap(({ security_groups }) =>
        security_groups.map(({ id }) => id),
      ),
    ),
    ...one("allocation", Object.values(placement?.kept ?? {})),
  ],
  baremetal_instance_template: ({ spec }) => one("bare_metal_instance_type", [spec.host_type]),
  baremetal_instance_catalog_item: ({ spec }) =>
    one("baremetal_instance_template", [spec.template.id]),
  external_ip_pool: ({ spec }) => one("site", [spec.site?.id]),
  external_ip: ({ spec }) => one("external_ip_pool", [spec.pool.id]),
  external_ip_attachment: ({ spec }) => one("external_ip", [spec.external_ip.id]),
  virtual_network: ({ spec, hub }) => [
    ...one("network_class", [spec.network_class.id]),
    ...one("hub", [hub?.id]),
  ],
  subnet: ({ spec }) => one("virtual_network", [spec.virtual_network.id]),
  security_group: ({ id, spec }) => [
    ...one("virtual_network", [spec.virtual_network.id]),
    ...one(
      "security_group",
      [...spec.ingress, ...spec.egress].map(({ security_group: group }) =>
        group?.id === id ? undefined : group?.id,
      ),
    ),
  ],
  nat_gateway: ({ spec }) => [
    ...one("virtual_network", [spec.virtual_network.id]),
    ...one("external_ip", [spec.external_ip.id]),
  ],
  cluster: ({ spec, upgrade, applied, applying, automatic_ips: ips, placement }) => {
    const versions = [spec.version.id, ...(upgrade ? [upgrade.from.version.id] : [])];
    const sets = [spec.node_sets, applied, applying].flatMap((each) => Object.values(each ?? {}));
    return [
      ...one("cluster_template", [spec.template.id]),
      ...one("cluster_catalog_item", [spec.catalog_item?.id]),
      ...one("secret", [spec.pull_secret_secret?.id]),
      ...one("subnet", [spec.network_attachment?.subnet.id]),
      ...one("security_group", spec.network_attachment?.security_groups.map(({ id }) => id) ?? []),
      ...one("external_ip_attachment", [ips?.api.attachment, ips?.ingress.attachment]),
      ...one("cluster_version", versions),
      ...one(
        "host_type",
        sets.map(({ host_type }) => host_type.id),
      ),
      ...one("allocation", Object.values(placement?.kept ?? {})),
    ];
  },
};

/** Those that a server is to have, and while they change those that it had. */
const attachmentsOf = ({
  spec,
  formerly,
}: Pick<ObjectOf["baremetal_instance"], "spec" | "formerly">) => [
  ...spec.network_attachments,
  ...(formerly?.network_attachments ?? []),
];

/** Items that have the prefixes of all that share an address space. */
interface Shared {
  /** The item, by its partition. */
  pk: string;
  id: string;
  cidrs: (string | undefined)[];
}

const sharedPrefixes = (word: string, of: (table: Table) => Shared[]): Check => ({
  of: [word],
  wrong({ table }) {
    const wanted = new Map(
      Array.from(
        Map.groupBy(of(table), ({ pk }) => pk),
        ([pk, these]) => [
          pk,
          Object.fromEntries(
            these.map(({ id, cidrs }) => [id, cidrs.filter((cidr) => cidr !== undefined)]),
          ),
        ],
      ),
    );
    const items = table.items(word);
    const there = new Map(items.map(({ pk, sk: _, revision: __, ...rest }) => [pk, rest]));
    return [...new Set([...wanted.keys(), ...there.keys()])].flatMap((pk) => {
      const [had, has] = [there.get(pk) ?? {}, wanted.get(pk) ?? {}];
      return isDeepStrictEqual(had, has)
        ? []
        : [`${pk} has ${JSON.stringify(had)} instead of ${JSON.stringify(has)}`];
    });
  },
});

const prefixesOfSubnets = sharedPrefixes("subnet-prefixes", (table) =>
  table.objects("subnet").map(({ id, spec }) => ({
    pk: subnetPrefixesKey(spec.virtual_network.id).pk,
    id,
    cidrs: [spec.ipv4_cidr, spec.ipv6_cidr],
  })),
);

/** The prefixes of a network's subnets are those of its subnets, and gone with it. */
export const subnetPrefixes: Check = {
  ...prefixesOfSubnets,
  wrong(books) {
    const { table } = books;
    const networks = table.objects("virtual_network").map(({ id }) => subnetPrefixesKey(id).pk);
    const left = table.items("subnet-prefixes").filter(({ pk }) => !networks.includes(pk));
    return [
      ...prefixesOfSubnets.wrong(books),
      ...left.map(({ pk }) => `${pk} is left of a network that is gone`),
    ];
  },
};

/** The prefixes of pools at a site are those of its pools. */
export const outsidePrefixes = sharedPrefixes("outside-prefixes", (table) =>
  table.objects("external_ip_pool").map(({ id, spec }) => ({
    pk: outsidePrefixesKey(spec.site?.id).pk,
    id,
    cidrs: spec.cidrs,
  })),
);

const one = (kind: Kind, ids: (string | undefined)[]): Reference[] =>
  [...new Set(ids)].flatMap((id) => (id === undefined ? [] : [{ kind, id }]));

/** The revisions of a template are there from the first to its own. */
export const revisions: Check = {
  of: ["template"],
  wrong: ({ table }) =>
    table.objects("cluster_template").flatMap(({ id, spec }) => {
      const numbers = Array.from({ length: spec.revision }, (_, n) => n + 1);
      return numbers
        .map((number) => templateRevisionKey(id, number))
        .filter((key) => !table.item(key))
        .map((key) => `the revision ${shown(key)} is not there`);
    }),
};
