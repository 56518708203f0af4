import type { Kind } from "../../core/kernel/object/object.ts";
import type { Area } from "../api/operations.ts";
import { isWork } from "../api/work.ts";
import { reasonOf } from "./reason.ts";
import { at, list, shown, text } from "./values.ts";

/** The columns of each kind's table. */

export interface Column {
  head: string;
  cell(object: unknown): string;
  /** A cell that says nothing where all cells are so. */
  dull?: string;
}

/** A head and the path of a member; of those after `wide`, only `-o wide` has them. */
type Row = readonly [head: string, path: string, wide?: "wide"];

/** What a kind has beside its name, state and reason. */
export const ofKinds = {
  cluster: [
    ["VERSION", "status.version"],
    ["NODES", "status.node_sets"],
    ["API", "status.api_url", "wide"],
    ["HUB", "status.hub", "wide"],
    ["OPERATION", "status.operation", "wide"],
  ],
  operation: [
    ["CHANGE", "spec.change"],
    ["KIND", "spec.target.kind"],
    ["TARGET", "spec.target.name"],
    ["PERCENT", "status.percent"],
    ["SINCE", "status.start_time"],
    ["ESTIMATE", "status.estimate", "wide"],
    ["END", "status.end_time", "wide"],
  ],
  host: [
    ["TYPE", "spec.host_type"],
    ["HUB", "spec.hub"],
    ["OWNER", "status.owner"],
    ["SERVER", "status.server.condition"],
    ["POWER", "status.server.power", "wide"],
    ["BMC", "spec.bmc.address", "wide"],
  ],
  dpu: [
    ["HOST", "spec.host"],
    ["SERIAL", "spec.serial"],
    ["BMC", "spec.bmc.address", "wide"],
  ],
  hub: [
    ["REGION", "spec.region"],
    ["USED", "status.control_planes.used"],
    ["OF", "status.control_planes.total"],
    ["CORDONED", "spec.cordoned"],
    ["HEARD", "status.last_heard_time"],
    ["REACHED", "status.last_reached_time"],
    ["SITE", "spec.site", "wide"],
    ["AGENT", "status.agent_version", "wide"],
    ["ORPHANS", "status.orphans.count", "wide"],
    ["LAST ERROR", "status.last_error.message", "wide"],
  ],
  site: [
    ["FABRIC", "spec.fabric.provider"],
    ["ALLOCATOR", "spec.allocator.provider"],
    ["DNS", "spec.dns.provider"],
  ],
  host_type: [
    ["TITLE", "title"],
    ["CPUS", "hardware.cpus"],
    ["GIB", "hardware.memory_gib"],
  ],
  cluster_template: [
    ["TITLE", "title"],
    ["NODES", "node_sets"],
    ["REVISION", "revision"],
  ],
  cluster_catalog_item: [
    ["TITLE", "title"],
    ["TEMPLATE", "template"],
    ["PUBLISHED", "published"],
  ],
  baremetal_instance: [
    ["TYPE", "status.instance_type"],
    ["IMAGE", "spec.image.source_ref"],
    ["HOST", "status.host", "wide"],
  ],
  baremetal_instance_template: [
    ["TITLE", "title"],
    ["TYPE", "host_type"],
  ],
  baremetal_instance_catalog_item: [
    ["TITLE", "title"],
    ["TEMPLATE", "template"],
    ["PUBLISHED", "published"],
  ],
  allocation: [
    ["TENANT", "metadata.tenant", "wide"],
    ["HOST TYPE", "spec.host_type"],
    ["TYPE", "spec.instance_type"],
    ["RESERVED", "spec.reserved"],
    ["KEPT", "status.kept"],
    ["USED", "status.used"],
    ["LACKING", "status.lacking"],
  ],
  bare_metal_instance_type: [
    ["CORES", "spec.hardware.cpu.cores"],
    ["GB", "spec.hardware.memory.total_gb"],
    ["SAYS", "spec.description"],
  ],
  cluster_version: [
    ["VERSION", "spec.version"],
    ["LIFE", "spec.state"],
    ["ENABLED", "spec.enabled"],
    ["DEFAULT", "spec.is_default"],
  ],
  virtual_network: [
    ["IPV4", "spec.ipv4_cidr"],
    ["IPV6", "spec.ipv6_cidr"],
    ["CLASS", "spec.network_class"],
  ],
  subnet: [
    ["NETWORK", "spec.virtual_network"],
    ["IPV4", "spec.ipv4_cidr"],
    ["IPV6", "spec.ipv6_cidr"],
    ["USED", "status.addresses.used"],
    ["FREE", "status.addresses.free"],
    ["VLAN", "status.vlan", "wide"],
  ],
  security_group: [
    ["NETWORK", "spec.virtual_network"],
    ["WANTED", "status.wanted_version"],
    ["APPLIED", "status.applied_version"],
  ],
  external_ip: [
    ["ADDRESS", "status.address"],
    ["POOL", "spec.pool"],
    ["ATTACHED", "status.attached"],
  ],
  external_ip_attachment: [
    ["ADDRESS", "status.external_ip_address"],
    ["IP", "spec.external_ip"],
    ["CLUSTER", "spec.cluster"],
    ["SERVER", "spec.baremetal_instance"],
  ],
  external_ip_pool: [
    ["FAMILY", "spec.ip_family"],
    ["CIDRS", "spec.cidrs"],
    ["ALLOCATED", "status.allocated"],
    ["FREE", "status.available"],
  ],
  nat_gateway: [
    ["NETWORK", "spec.virtual_network"],
    ["ADDRESS", "status.external_ip_address"],
  ],
  network_class: [
    ["TITLE", "title"],
    ["STRATEGY", "implementation_strategy"],
    ["DEFAULT", "is_default"],
  ],
  tenant: [["DOMAINS", "spec.domains"]],
  project: [
    ["TITLE", "spec.title"],
    ["PARENT", "spec.parent"],
  ],
  project_membership: [
    ["ROLE", "spec.role"],
    ["USERS", "spec.users"],
  ],
  quota: [
    ["LIMITS", "spec.limits"],
    ["USAGE", "status.usage"],
  ],
  user: [
    ["USERNAME", "spec.username"],
    ["EMAIL", "spec.email"],
    ["ENABLED", "spec.enabled"],
  ],
  role: [
    ["TITLE", "spec.title"],
    ["GRANTS", "spec.grants"],
  ],
  role_binding: [
    ["ROLE", "spec.role"],
    ["USERS", "spec.users"],
    ["GROUPS", "spec.groups"],
  ],
  identity_provider: [
    ["TITLE", "spec.title"],
    ["ISSUER", "spec.oidc.issuer"],
    ["ENABLED", "spec.enabled"],
  ],
  webhook: [
    ["URL", "spec.url"],
    ["EVENTS", "spec.event_types"],
    ["ENABLED", "spec.enabled"],
  ],
} satisfies Partial<Record<Kind, readonly Row[]>>;

const ofDeliveries = [
  ["FIRST", "first_time"],
  ["EVENT", "event_type"],
  ["STATE", "state"],
  ["TRIES", "tries"],
  ["HTTP", "http_status"],
  ["WHY", "message"],
] as const;

/** What is answered and is no object, by the command's verb or the kind: entries, deliveries, credentials. */
export const ofEntries = {
  audit_entry: [
    ["TIME", "time"],
    ["ACTOR", "actor.user"],
    ["TENANT", "tenant"],
    ["VERB", "verb"],
    ["KIND", "kind"],
    ["OBJECT", "object_id"],
    ["RESULT", "result"],
    ["SOURCE", "source", "wide"],
    ["OPERATION", "operation", "wide"],
    ["REQUEST", "request_id", "wide"],
    ["WHY", "reason"],
  ],
  history: [
    ["TIME", "time"],
    ["EVENT", "type"],
    ["STATE", "data.object.status.state"],
    ["BY", "data.actor.user"],
    ["OPERATION", "data.object.status.operation", "wide"],
    ["CHANGED", "data.changed"],
    ["WHY", "data.object.status.message"],
  ],
  deliveries: ofDeliveries,
  test: ofDeliveries,
  replay: [
    ["FROM", "from"],
    ["TO", "to"],
  ],
  capacity: [
    ["RESOURCE", "resource"],
    ["REGION", "region"],
    ["SITE", "site"],
    ["POOL", "pool"],
    ["TYPE", "host_type"],
    ["TOTAL", "total"],
    ["USED", "used"],
    ["KEPT", "kept"],
    ["FREE", "free"],
    ["WAITING", "waiting"],
  ],
  intake: [
    ["PAUSED", "paused"],
    ["SINCE", "at"],
    ["BY", "by"],
  ],
  removal: [
    ["PAUSED", "paused"],
    ["SINCE", "at"],
    ["BY", "by"],
  ],
  credentials: [
    ["SERIAL", "serial"],
    ["USER", "user"],
    ["STATE", "state"],
    ["ISSUED", "issue_timestamp"],
    ["EXPIRES", "expiration_timestamp"],
  ],
  "revoke-credentials": [
    ["STATE", "state"],
    ["SINCE", "request_timestamp"],
  ],
} as const satisfies Record<string, readonly Row[]>;

const rowsOf = (table: Record<string, readonly Row[]>, name: string): readonly Row[] | undefined =>
  table[name];

/** The columns of a list of objects of a kind, or of the entries that `verb` lists of one. */
export function columnsOf(
  kind: string,
  { verb, area, isWide }: { verb: string; area: Area; isWide: boolean },
): Column[] {
  const entries = rowsOf(ofEntries, verb) ?? rowsOf(ofEntries, kind);
  const column = ([head, path]: Row): Column => ({ head, cell: (each) => shown(at(each, path)) });
  const fitting = (rows: readonly Row[]) =>
    rows.filter(([, , wide]) => isWide || !wide).map(column);
  if (entries) return fitting(entries);
  return [
    isWork(kind) ? column(["ID", "id"]) : { head: "NAME", cell: nameOf },
    ...(area === "private" ? [{ ...column(["TENANT", "metadata.tenant"]), dull: "shared" }] : []),
    ...(isWide ? [column(["PROJECT", "metadata.project"])] : []),
    { head: "STATE", cell: (each) => shown(at(each, "status.state") ?? at(each, "status.phase")) },
    ...(isWork(kind) ? [{ head: "STEP", cell: stepOf }] : []),
    ...fitting(rowsOf(ofKinds, kind) ?? []),
    ...(isWide
      ? [
          column(["CREATED", "metadata.creation_timestamp"]),
          ...(isWork(kind) ? [] : [column(["ID", "id"])]),
        ]
      : []),
    { head: "WHY", cell: reasonOf },
  ];
}

export const nameOf = (object: unknown): string =>
  text(at(object, "metadata.name")) || text(at(object, "id"));

/** The step that an operation has come to; to wait for a person is none of its own. */
function stepOf(operation: unknown): string {
  const steps = list(at(operation, "status.steps")).filter((each) => at(each, "name") !== "Stuck");
  const open = steps.findLast((step) => /^(RUNNING|WAITING|FAILED)$/.test(text(at(step, "state"))));
  return text(at(open, "name"));
}
