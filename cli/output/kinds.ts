import type { Kind } from "../../core/kernel/object/object.ts";
import type { Row } from "./row.ts";

/** A kind's columns besides name, state and reason. */
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
