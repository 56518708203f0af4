/** What the API answers, by its document. Made by `npm run generate`. */

/**
 * Queues with operations in them; an operation that waits for several resources is in several queues.
 */
export type CapacityQueues = {
  /**
   * The resource of the queue; `hub` stands for any hub that takes orders.
   */
  waits_for: "hub" | "control_planes" | "hosts" | "vlans" | "prefixes" | "floating_ips";
  /**
   * Id of the site that it is of.
   */
  site?: string;
  /**
   * Name of the type, of hosts.
   */
  host_type?: string;
  /**
   * How many orders wait; 101 stands for all above a hundred.
   */
  orders: number;
}[];
/**
 * Everything that orders take, what is used most first.
 */
export type CapacityItems = {
  /**
   * What it is.
   */
  resource: "control_planes" | "hosts" | "vlans" | "prefixes" | "floating_ips" | "external_ips";
  /**
   * Region of the hubs that it is of.
   */
  region?: string;
  /**
   * Id of the site that it is of.
   */
  site?: string;
  /**
   * Name of the type, of hosts.
   */
  host_type?: string;
  /**
   * Name of the pool that it is of, of external IPs.
   */
  pool?: string;
  /**
   * All there is of it.
   */
  total: number;
  /**
   * How much clusters hold.
   */
  used: number;
  /**
   * How much orders could claim now.
   */
  free: number;
  /**
   * Of hosts: how many are free and kept for tenants by allocations.
   */
  kept?: number;
  /**
   * Neither: numbers at rest; hosts that are reclaimed, out of service or not discovered.
   */
  unavailable: number;
  /**
   * Of numbers: how many were released a short while ago, and come free by themselves.
   */
  resting?: number;
  /**
   * How many orders queue for it, for hosts and control planes those of all regions; 101 stands for all above a hundred.
   */
  waiting: number;
  /**
   * How much more is used than a day before, on average of the last week; absent before a day of it is known.
   */
  per_day?: number;
  /**
   * For how many days what is free lasts if that goes on; absent unless it shrinks.
   */
  days_left?: number;
  /**
   * Per cent that orders cannot take.
   */
  used_percent: number;
  /**
   * Whether new orders can get any of it; false for hubs that are cordoned, not reached or lack a setting.
   */
  open: boolean;
}[];
/**
 * Each aspect that can be well or not.
 */
export type ClusterConditions = {
  /**
   * The condition's type.
   */
  type:
    | "CLUSTER_CONDITION_TYPE_PROGRESSING"
    | "CLUSTER_CONDITION_TYPE_READY"
    | "CLUSTER_CONDITION_TYPE_FAILED"
    | "CLUSTER_CONDITION_TYPE_DEGRADED"
    | "CLUSTER_CONDITION_TYPE_CLUSTER_AVAILABLE"
    | "CLUSTER_CONDITION_TYPE_NODES_READY"
    | "CLUSTER_CONDITION_TYPE_INFRASTRUCTURE_READY"
    | "CLUSTER_CONDITION_TYPE_TEMPLATE_APPLIED"
    | "CLUSTER_CONDITION_TYPE_CERTIFICATE_VALID";
  /**
   * Whether it holds; unspecified while that is not known.
   */
  status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
  /**
   * Why, as one word for programs.
   */
  reason?: string;
  /**
   * Why, in words for people.
   */
  message?: string;
  /**
   * When `status` last changed.
   */
  last_transition_time: string;
}[];
/**
 * Its steps, in order; the undo of a step has the step's name after `Undo`.
 */
export type OperationSteps = {
  /**
   * What the step does, as a verb and a noun.
   */
  name: string;
  /**
   * The state of the step.
   */
  state: "PENDING" | "RUNNING" | "WAITING" | "SUCCEEDED" | "FAILED" | "SKIPPED";
  /**
   * How often it was tried.
   */
  attempts: number;
  /**
   * When it was first tried.
   */
  start_time?: string;
  /**
   * When it ended.
   */
  end_time?: string;
  /**
   * The system that it works on, such as `DNS`.
   */
  system?: string;
  /**
   * What it waits for, or why it failed.
   */
  message?: string;
}[];
/**
 * Network interfaces, each with the switch port it is cabled to.
 *
 * @minItems 1
 * @maxItems 32
 */
export type HostNics = {
  /**
   * Name of the interface, such as `eth0`.
   */
  name: string;
  /**
   * MAC address, such as 52:54:00:12:34:56.
   */
  mac: string;
  /**
   * The switch that it is cabled to.
   */
  switch: string;
  /**
   * The port of that switch.
   */
  port: string;
}[];
/**
 * Probes that found something wrong.
 */
export type HostAlerts = {
  /**
   * What was looked at.
   */
  id: string;
  /**
   * Where it was looked, such as a part of the host.
   */
  target?: string;
  /**
   * Since when it is reported.
   */
  since: string;
  /**
   * What was expected and what was seen.
   */
  message: string;
  /**
   * What a tenant is told who has the host.
   */
  tenant_message?: string;
  /**
   * What it means.
   */
  classifications: string[];
}[];
/**
 * Network interfaces that such servers have.
 *
 * @maxItems 32
 */
export type HostTypeInterfaces = {
  /**
   * Name of the interface, such as `eth0`.
   */
  name: string;
  /**
   * What it is for, such as `data`.
   */
  role?: string;
  /**
   * What else there is to say of it.
   */
  description?: string;
}[];
/**
 * IPv4 addresses of name servers that DHCP tells the hosts of orders, each once.
 *
 * @maxItems 5
 */
export type SiteDnsServers = string[];
/**
 * Where names are entered.
 */
export type SiteDns =
  | {
      /**
       * A PowerDNS server.
       */
      provider: "powerdns";
      /**
       * URL of its HTTP API.
       */
      url: string;
      /**
       * The zone that names are entered into.
       */
      zone: string;
      /**
       * The servers that answer for the zone: IP addresses, with a port where it is not 53.
       *
       * @minItems 1
       * @maxItems 16
       */
      servers: string[];
    }
  | {
      /**
       * Route 53 of AWS.
       */
      provider: "route53";
      /**
       * The zone that names are entered into.
       */
      zone: string;
      /**
       * Id of the hosted zone.
       */
      hosted_zone: string;
    };
/**
 * Portals' service accounts that may act for it, each in one role.
 *
 * @maxItems 20
 */
export type TenantServiceAccounts = {
  /**
   * The user in the account's tokens.
   */
  user: string;
  /**
   * What the account may do for the tenant.
   */
  role: "tenant-admin" | "tenant-user";
}[];
/**
 * The fields that an order by this offer may set, and their defaults.
 */
export type BaremetalInstanceCatalogItemFieldDefinitions = {
  /**
   * Path below the spec of an order, such as `template_parameters.owner`.
   */
  path: string;
  /**
   * The field's name on a form.
   */
  display_name?: string;
  /**
   * Whether an order may set it; one that may not needs a default.
   */
  editable?: boolean;
  /**
   * The default value.
   */
  default?: {
    [k: string]: unknown;
  };
  /**
   * JSON Schema of the value, as text.
   */
  validation_schema?: string;
}[];
/**
 * Parameters that an order may or must set.
 */
export type BaremetalInstanceTemplateParameters = {
  /**
   * Name of the parameter.
   */
  name: string;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What it is for.
   */
  description?: string;
  /**
   * The type of its values.
   */
  type: "string" | "integer" | "number" | "boolean" | "json";
  /**
   * Whether every order has to give it.
   */
  required?: boolean;
  /**
   * The default value.
   */
  default?: {
    [k: string]: unknown;
  };
  schema?: BaremetalInstanceTemplateSchema;
}[];
/**
 * What is so, and why.
 */
export type BaremetalInstanceConditions = {
  /**
   * The condition's type.
   */
  type:
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_PROVISIONED"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_CONFIGURATION_APPLIED"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_READY"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_IN_PROGRESS"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_FAILED"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_REQUIRED"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_MAINTENANCE"
    | "BARE_METAL_INSTANCE_CONDITION_TYPE_DPUS_REPORT";
  /**
   * Whether it holds; unspecified while that is not known.
   */
  status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
  /**
   * Why, as one word for programs.
   */
  reason?: string;
  /**
   * Why, in words for people.
   */
  message?: string;
  /**
   * When `status` last changed.
   */
  last_transition_time: string;
}[];
/**
 * The networks that it stands in, in the order of its attachments. While these change, those that it had, until the new ones are confirmed.
 */
export type BaremetalInstanceNetworkAttachmentStatuses = {
  /**
   * Name of the network port.
   */
  interface?: string;
  /**
   * The id of the subnet.
   */
  subnet_ref: string;
  /**
   * The address that it has there.
   */
  ip_address?: string;
  /**
   * Whether its default route leads there.
   */
  primary: boolean;
}[];
/**
 * The disks, one entry each.
 *
 * @maxItems 64
 */
export type BareMetalInstanceTypeDisks = {
  /**
   * Type of the disk, such as `nvme`, for people.
   */
  type?: string;
  /**
   * Its size in gigabytes, at least.
   */
  capacity_gb: number;
  /**
   * How it is connected, for people.
   */
  interface?: string;
}[];
/**
 * The accelerators, one entry each.
 *
 * @maxItems 64
 */
export type BareMetalInstanceTypeAccelerators = {
  /**
   * Type of the accelerator, such as `gpu`.
   */
  type?: string;
  /**
   * Its model, such as `NVIDIA H100`.
   */
  model: string;
  /**
   * Who makes it, for people.
   */
  vendor?: string;
  /**
   * Its memory in gigabytes, for people.
   */
  memory_gb?: number;
}[];
/**
 * Network ports that such servers have.
 *
 * @maxItems 32
 */
export type BareMetalInstanceTypeNetworkPorts = {
  /**
   * Name of the port, unique in the type.
   */
  name: string;
  /**
   * What it is for, such as `fabric`.
   */
  role?: string;
  /**
   * Type of the port, for people.
   */
  type?: string;
  /**
   * Speed of the port, for people.
   */
  speed?: string;
}[];
/**
 * Ports towards the host, each with the NIC that is behind it.
 *
 * @minItems 1
 * @maxItems 8
 */
export type DpuPorts = {
  /**
   * Name of the port towards the host, such as `pf0hpf`.
   */
  name: string;
  /**
   * MAC address of the host's NIC that is behind it.
   */
  host_mac?: string;
}[];
/**
 * What may reach its members.
 */
export type SecurityGroupIngress = {
  /**
   * The protocol that it allows.
   */
  protocol: "PROTOCOL_TCP" | "PROTOCOL_UDP" | "PROTOCOL_ICMP" | "PROTOCOL_ALL";
  /**
   * The first port that it allows; every port if there is none.
   */
  port_from?: number;
  /**
   * The last port that it allows.
   */
  port_to?: number;
  /**
   * IPv4 addresses at the other end.
   */
  ipv4_cidr?: string;
  /**
   * IPv6 addresses at the other end.
   */
  ipv6_cidr?: string;
  security_group?: Reference;
}[];

export interface Answers {
  Status?: Status;
  StatusStuckItem?: StatusStuckItem;
  CapacityQueues?: CapacityQueues;
  CapacityItems?: CapacityItems;
  Switch?: Switch;
  HubLastError?: HubLastError;
  Problem?: Problem;
  Event?: Event;
  EventActor?: EventActor;
  AuditEntryOnBehalfOf?: AuditEntryOnBehalfOf;
  Capabilities?: Capabilities;
  HistoryEntry?: HistoryEntry;
  AuditEntry?: AuditEntry;
  Holding?: Holding;
  PrivateCluster?: PrivateCluster;
  Metadata?: Metadata;
  ClusterSpec?: ClusterSpec;
  Reference?: Reference;
  ClusterConditions?: ClusterConditions;
  ClusterAddresses?: ClusterAddresses;
  ClusterApi?: ClusterApi;
  ClusterNodeSets?: ClusterNodeSets;
  ClusterUpgrade?: ClusterUpgrade;
  Failure?: Failure;
  Wait?: Wait;
  Stalled?: Stalled;
  PrivateOperation?: PrivateOperation;
  OperationSpec?: OperationSpec;
  OperationSteps?: OperationSteps;
  Hub?: Hub;
  HubHotPools?: HubHotPools;
  HubOrphans?: HubOrphans;
  Host?: Host;
  DpuBmc?: DpuBmc;
  HostNics?: HostNics;
  Sla?: Sla;
  DpuIdentity?: DpuIdentity;
  HostReinstall?: HostReinstall;
  HostAlerts?: HostAlerts;
  HostType?: HostType;
  HostTypeInterfaces?: HostTypeInterfaces;
  HostTypeHardware?: HostTypeHardware;
  HostTypeStatus?: HostTypeStatus;
  Site?: Site;
  SiteFabric?: SiteFabric;
  SiteNetwork?: SiteNetwork;
  SiteFloatingIps?: SiteFloatingIps;
  SiteDnsServers?: SiteDnsServers;
  SiteAllocator?: SiteAllocator;
  SiteInventory?: SiteInventory;
  SiteDhcp?: SiteDhcp;
  SiteBareMetal?: SiteBareMetal;
  SiteDns?: SiteDns;
  SiteStorage?: SiteStorage;
  SiteCertificates?: SiteCertificates;
  SiteIdentityProvider?: SiteIdentityProvider;
  SiteMachines?: SiteMachines;
  SiteVlans?: SiteVlans;
  Tenant?: Tenant;
  TenantServiceAccounts?: TenantServiceAccounts;
  Quota?: Quota;
  ClusterCatalogItem?: ClusterCatalogItem;
  BaremetalInstanceCatalogItemFieldDefinitions?: BaremetalInstanceCatalogItemFieldDefinitions;
  ClusterTemplate?: ClusterTemplate;
  BaremetalInstanceTemplateParameters?: BaremetalInstanceTemplateParameters;
  BaremetalInstanceTemplateSchema?: BaremetalInstanceTemplateSchema;
  ClusterTemplateNodeSets?: ClusterTemplateNodeSets;
  ClusterTemplateSpecDefaults?: ClusterTemplateSpecDefaults;
  ClusterNetwork?: ClusterNetwork;
  ClusterTemplateStorage?: ClusterTemplateStorage;
  ClusterVersion?: ClusterVersion;
  ClusterVersionDeprecation?: ClusterVersionDeprecation;
  Credential?: Credential;
  Webhook?: Webhook;
  Delivery?: Delivery;
  PrivateBaremetalInstance?: PrivateBaremetalInstance;
  BaremetalInstanceSpec?: BaremetalInstanceSpec;
  BaremetalInstanceImage?: BaremetalInstanceImage;
  BaremetalInstancePlacement?: BaremetalInstancePlacement;
  BaremetalInstanceConditions?: BaremetalInstanceConditions;
  BaremetalInstanceNetworkAttachmentStatuses?: BaremetalInstanceNetworkAttachmentStatuses;
  BaremetalInstanceHardware?: BaremetalInstanceHardware;
  BaremetalInstanceRepair?: BaremetalInstanceRepair;
  BaremetalInstanceStatusBatch?: BaremetalInstanceStatusBatch;
  BaremetalInstanceTemplate?: BaremetalInstanceTemplate;
  BaremetalInstanceCatalogItem?: BaremetalInstanceCatalogItem;
  BareMetalInstanceType?: BareMetalInstanceType;
  BareMetalInstanceTypeHardware?: BareMetalInstanceTypeHardware;
  BareMetalInstanceTypeDisks?: BareMetalInstanceTypeDisks;
  BareMetalInstanceTypeAccelerators?: BareMetalInstanceTypeAccelerators;
  BareMetalInstanceTypeNetworkPorts?: BareMetalInstanceTypeNetworkPorts;
  Dpu?: Dpu;
  DpuPorts?: DpuPorts;
  IssuedCredential?: IssuedCredential;
  Revocation?: Revocation;
  PrivateVirtualNetwork?: PrivateVirtualNetwork;
  VirtualNetworkSpec?: VirtualNetworkSpec;
  PrivateSubnet?: PrivateSubnet;
  SubnetSpec?: SubnetSpec;
  SubnetAddresses?: SubnetAddresses;
  PrivateSecurityGroup?: PrivateSecurityGroup;
  SecurityGroupSpec?: SecurityGroupSpec;
  SecurityGroupIngress?: SecurityGroupIngress;
  ExternalIp?: ExternalIp;
  Capacity?: Capacity;
  NetworkClass?: NetworkClass;
  NetworkClassCapabilities?: NetworkClassCapabilities;
  PrivateNatGateway?: PrivateNatGateway;
  NatGatewaySpec?: NatGatewaySpec;
  PrivateExternalIpAttachment?: PrivateExternalIpAttachment;
  ExternalIpAttachmentSpec?: ExternalIpAttachmentSpec;
  DrainPlan?: DrainPlan;
  SiteNumbers?: SiteNumbers;
  User?: User;
  RoleBinding?: RoleBinding;
  Project?: Project;
  IdentityProvider?: IdentityProvider;
}
/**
 * The state of everything at once.
 */
export interface Status {
  /**
   * When this was read.
   */
  time: string;
  /**
   * Operations that have not ended.
   */
  operations: {
    /**
     * How many are accepted and have not begun.
     */
    pending: number;
    /**
     * How many wait until the one before them has ended.
     */
    queued: number;
    /**
     * How many have begun and not ended.
     */
    running: number;
    /**
     * How many of those that run wait for something.
     */
    waiting: number;
    /**
     * How many of those that run take longer than they should, but for those on hosts whose health suppresses alarms.
     */
    stalled: number;
    /**
     * How many need a person.
     */
    stuck: number;
    /**
     * How many more there are at least, where there are too many to read all: they are in no other number here.
     */
    unread: number;
  };
  /**
   * Objects that operations change, by kind.
   */
  objects: {
    /**
     * Their kind.
     */
    kind: string;
    /**
     * How many there are.
     */
    total: number;
    /**
     * How many are being made.
     */
    creating: number;
    /**
     * How many are being changed.
     */
    changing: number;
    /**
     * How many are being taken away.
     */
    deleting: number;
    /**
     * How many have had a failed operation last; 1001 stands for all above a thousand.
     */
    failed: number;
  }[];
  /**
   * What needs somebody: the first fifty, the worst first and of each kind the oldest. Of each kind 200 are read; hosts whose health suppresses alarms are left out.
   */
  attention: {
    /**
     * What is not well, as one word for programs.
     */
    reason:
      | "CertificateEnded"
      | "HubUnreachable"
      | "HubUnobserved"
      | "OperationStuck"
      | "DpuSilent"
      | "ServerOnSilentDpu"
      | "ServerOnQuarantinedHost"
      | "HostQuarantined"
      | "DpuQuarantined"
      | "CapacityShort"
      | "OperationStalled"
      | "WebhookFailing"
      | "CertificateEnds";
    /**
     * The kind of the object that is not well.
     */
    kind: string;
    /**
     * Its id.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
    /**
     * The tenant that it is of; `shared` for what is the provider's.
     */
    tenant: string;
    /**
     * Why, in words: the system, the call and what was seen.
     */
    message: string;
    /**
     * Since when.
     */
    since: string;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What to do, or where to look: a command.
     */
    command: string;
  }[];
  /**
   * How many more of these there are.
   */
  more_attention: number;
  /**
   * Operations that need a person: the first twenty.
   */
  stuck: StatusStuckItem[];
  /**
   * What operations wait for, what most wait for first; an operation that waits for two is in both.
   */
  waits: {
    /**
     * The system that they wait for, such as `hub`, `DNS` or `placement`.
     */
    system: string;
    /**
     * Id of the hub, where it is one.
     */
    hub?: string;
    /**
     * What they queue for, where they wait for something scarce.
     */
    waits_for?: "hub" | "control_planes" | "hosts" | "vlans" | "prefixes" | "floating_ips";
    /**
     * Id of the site, where it is one of a site.
     */
    site?: string;
    /**
     * Name of the type, of hosts.
     */
    host_type?: string;
    /**
     * How many operations wait for it.
     */
    operations: number;
    /**
     * How many of them take longer than they should.
     */
    stalled: number;
    /**
     * Of hosts: how many are free and kept for tenants by allocations; absent for none.
     */
    kept?: number;
    /**
     * How many of these operations may not have all of those hosts, kept for other tenants.
     */
    kept_for_others?: number;
    /**
     * Since when the first of them waits.
     */
    since?: string;
    example: StatusStuckItem;
  }[];
  /**
   * How many more of these there are: a hundred are shown.
   */
  more_waits: number;
  /**
   * Hosts, DPUs and servers that are longer in a state than its SLA says: the first twenty, the latest first. Of each state a thousand are read; those of hosts whose health suppresses alarms are left out.
   */
  beyond_sla: {
    /**
     * The kind of the object: `host`, `dpu` or `baremetal_instance`.
     */
    kind: string;
    /**
     * Its id.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
    /**
     * The tenant that it is of.
     */
    tenant: string;
    /**
     * The state that it is in.
     */
    state: string;
    /**
     * When the SLA of that state was over.
     */
    ends: string;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
  }[];
  /**
   * How many more of these there are.
   */
  more_beyond_sla: number;
  queues: CapacityQueues;
  /**
   * Hosts that are reserved for tenants, those that lack most first: the first twenty.
   */
  allocations: {
    /**
     * Id of the allocation.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
    /**
     * The tenant that the hosts are reserved for.
     */
    tenant: string;
    /**
     * Names of the types of its hosts.
     */
    host_types: string[];
    /**
     * How many hosts it is to have.
     */
    reserved: number;
    /**
     * How many are free, and only for its tenant's orders.
     */
    kept: number;
    /**
     * How many its tenant's orders hold.
     */
    used: number;
    /**
     * How many are not there yet.
     */
    lacking: number;
    /**
     * How many hosts of its types are free for all beside these.
     */
    free: number;
  }[];
  /**
   * How many more of these there are.
   */
  more_allocations: number;
  next_out: CapacityItems;
  /**
   * The switches of the whole deployment.
   */
  switches: {
    intake: Switch;
    removal: Switch;
  };
  /**
   * Hubs by state.
   */
  hubs: {
    /**
     * How many there are.
     */
    total: number;
    /**
     * How many take orders, and are well otherwise.
     */
    ready: number;
    /**
     * How many are cordoned, and well otherwise.
     */
    cordoned: number;
    /**
     * How many lack a setting.
     */
    incomplete: number;
    /**
     * How many were not heard yet.
     */
    pending: number;
    /**
     * How many do not report, or are not reached.
     */
    unreachable: number;
    /**
     * How many take orders, and have an agent that cannot watch every kind.
     */
    unobserved: number;
    /**
     * Those that take no orders or are not observed: the first twenty, what is worst first.
     */
    items: {
      /**
       * Id of the hub.
       */
      id: string;
      /**
       * Name of the hub.
       */
      name: string;
      /**
       * Its state.
       */
      state: string;
      /**
       * Whether it is cordoned.
       */
      cordoned: boolean;
      /**
       * Whether its agent cannot watch every kind.
       */
      unobserved: boolean;
      /**
       * Why, in words.
       */
      message?: string;
      /**
       * Since when it is not reached, not heard or not observed.
       */
      since?: string;
      /**
       * When its agent last reported.
       */
      last_heard_time?: string;
      /**
       * The version of its agent.
       */
      agent_version?: string;
      /**
       * When Slipway last reached it, to within a quarter of an hour.
       */
      last_reached_time?: string;
      last_error?: HubLastError;
      /**
       * The control planes of clusters.
       */
      control_planes: {
        /**
         * How many it can carry.
         */
        total: number;
        /**
         * How many it carries.
         */
        used: number;
        /**
         * How many more it can take.
         */
        free: number;
      };
    }[];
  };
}
/**
 * What `stuck` holds.
 */
export interface StatusStuckItem {
  /**
   * Id of the operation.
   */
  operation: string;
  /**
   * What it does to its target: CREATE, UPDATE or DELETE.
   */
  change: string;
  /**
   * The kind of its target.
   */
  kind: string;
  /**
   * The id of its target.
   */
  id: string;
  /**
   * The name that its target had when it began.
   */
  name: string;
  /**
   * The tenant that it is of.
   */
  tenant: string;
  /**
   * The project that it is of.
   */
  project?: string;
  /**
   * The step that it has come to.
   */
  step: string;
  /**
   * What it waits for, or why it is stuck, in words.
   */
  message: string;
  /**
   * Since when.
   */
  since?: string;
}
/**
 * Whether something is paused for everybody, since when, by whom and why.
 */
export interface Switch {
  /**
   * Whether it is paused.
   */
  paused: boolean;
  /**
   * When it was last paused or resumed.
   */
  at?: string;
  /**
   * The user who paused or resumed it.
   */
  by?: string;
}
/**
 * Why Slipway last did not reach it. It stays when Slipway reaches it again.
 */
export interface HubLastError {
  /**
   * When it began.
   */
  time: string;
  /**
   * The error, in words.
   */
  message: string;
}
/**
 * Why a request was refused (RFC 9457).
 */
export interface Problem {
  /**
   * Path of the page that explains the kind of error.
   */
  type: string;
  /**
   * The kind of error, for people.
   */
  title: string;
  /**
   * The HTTP status.
   */
  status: number;
  /**
   * What was wrong with this request.
   */
  detail: string;
  /**
   * Path that was asked for.
   */
  instance: string;
  /**
   * Every field that was wrong, at once.
   */
  errors: {
    /**
     * Path of the field; empty for the whole body.
     */
    field: string;
    /**
     * What is wrong with it, and what would be right.
     */
    message: string;
  }[];
  /**
   * The kind of error as gRPC numbers it.
   */
  code: number;
  /**
   * As `detail`, for OSAC's clients.
   */
  message: string;
  /**
   * As `errors`, for OSAC's clients.
   */
  details?: {
    /**
     * URL of the protobuf type.
     */
    "@type": string;
    /**
     * Every field that was wrong.
     */
    field_violations: {
      /**
       * Path of the field, from `object`.
       */
      field: string;
      /**
       * What is wrong with it.
       */
      description: string;
    }[];
  }[];
  /**
   * The limits that the request exceeds.
   */
  quota?: {
    /**
     * Name of the tenant.
     */
    tenant: string;
    /**
     * Path of the project; absent for the whole tenant's quota.
     */
    project?: string;
    /**
     * The member of the quota's limits.
     */
    dimension: string;
    /**
     * Name of the host type, where hosts are limited.
     */
    host_type?: string;
    /**
     * The limit.
     */
    limit: number;
    /**
     * How much is used already.
     */
    used: number;
    /**
     * How much more the request asked for.
     */
    asked: number;
  }[];
  /**
   * What uses the object that the request would delete.
   */
  in_use?: {
    /**
     * The kind of the users, such as `role_binding`.
     */
    kind: string;
    /**
     * How many users of this kind there are.
     */
    count: number;
    /**
     * The first of them that you see, up to ten of all kinds; empty where a kind may have too many.
     */
    objects: {
      /**
       * Id of the user.
       */
      id: string;
      /**
       * Its name.
       */
      name: string;
    }[];
  }[];
  /**
   * Whether the same request may succeed later.
   */
  retryable: boolean;
  /**
   * The request's id in the provider's log.
   */
  request_id: string;
  /**
   * Only of a watch: the problem as OSAC's event stream wraps it.
   */
  error?: {
    /**
     * The kind of error as gRPC numbers it.
     */
    code: number;
    /**
     * What was wrong.
     */
    message: string;
  };
}
/**
 * A change, as a CloudEvent.
 */
export interface Event {
  /**
   * The version of CloudEvents.
   */
  specversion: "1.0";
  /**
   * Unique over all kinds: kind, object and `sequence`. A repeated event has the same id.
   */
  id: string;
  /**
   * The source of the event.
   */
  source: "slipway";
  /**
   * What happened to which kind, such as `slipway.cluster.ready.v1`.
   */
  type: string;
  /**
   * The object's path, such as `clusters/0199…`.
   */
  subject: string;
  /**
   * When it happened.
   */
  time: string;
  /**
   * Name of the tenant that the object belongs to.
   */
  tenant: string;
  /**
   * Counts the events of one object, without gaps.
   */
  sequence: number;
  /**
   * What `data` is.
   */
  datacontenttype: "application/json";
  /**
   * The object, and what changed in it.
   */
  data: {
    /**
     * The object as its tenant sees it.
     */
    object: {
      [k: string]: unknown;
    };
    /**
     * Paths that changed since the event before.
     */
    changed: string[];
    actor?: EventActor;
  };
}
/**
 * The user whose request made the change; absent for Slipway's own changes.
 */
export interface EventActor {
  /**
   * The user in the token.
   */
  user: string;
  on_behalf_of?: AuditEntryOnBehalfOf;
}
/**
 * The customer, where the actor is a portal's service account.
 */
export interface AuditEntryOnBehalfOf {
  /**
   * Name of the tenant.
   */
  tenant: string;
  /**
   * The tenant's user, if the portal named one.
   */
  user?: string;
}
/**
 * What this deployment serves, and whose tokens it accepts.
 */
export interface Capabilities {
  /**
   * Which Slipway this is.
   */
  version?: string;
  /**
   * How clients authenticate.
   */
  authn: {
    /**
     * URLs of the issuers whose tokens are accepted.
     */
    trusted_token_issuers: string[];
  };
  /**
   * Verbs of each kind that tenants have.
   */
  kinds?: {
    [k: string]: string[];
  };
  /**
   * Forms of answers that can be asked for by `Accept`.
   */
  profiles?: ("slipway" | "osac")[];
  /**
   * What tenants may have where no quota sets a limit.
   */
  default_quota?: "unlimited" | "zero";
  /**
   * Limits of requests.
   */
  limits?: {
    /**
     * The largest body, in bytes.
     */
    body_bytes: number;
  };
}
/**
 * An event of an object's past, and who brought it about.
 */
export interface HistoryEntry {
  /**
   * The version of CloudEvents.
   */
  specversion: "1.0";
  /**
   * Unique over all kinds: kind, object and `sequence`. A repeated event has the same id.
   */
  id: string;
  /**
   * The source of the event.
   */
  source: "slipway";
  /**
   * What happened to which kind, such as `slipway.cluster.ready.v1`.
   */
  type: string;
  /**
   * The object's path, such as `clusters/0199…`.
   */
  subject: string;
  /**
   * When it happened.
   */
  time: string;
  /**
   * Name of the tenant that the object belongs to.
   */
  tenant: string;
  /**
   * Counts the events of one object, without gaps.
   */
  sequence: number;
  /**
   * What `data` is.
   */
  datacontenttype: "application/json";
  /**
   * The object, and what changed in it.
   */
  data: {
    /**
     * The object as its tenant sees it.
     */
    object: {
      [k: string]: unknown;
    };
    /**
     * Paths that changed since the event before.
     */
    changed: string[];
    actor?: EventActor;
    /**
     * Each path that changed, with its values; absent where the event before is not kept.
     */
    changes?: {
      /**
       * Path of the member, such as `status.state`.
       */
      path: string;
      /**
       * Its value before; absent if it did not exist.
       */
      before?: {
        [k: string]: unknown;
      };
      /**
       * Its value afterwards; absent if it no longer exists.
       */
      after?: {
        [k: string]: unknown;
      };
    }[];
  };
}
/**
 * Who asked for what, from where, and what came of it.
 */
export interface AuditEntry {
  /**
   * Id of the entry.
   */
  id: string;
  /**
   * When it was done.
   */
  time: string;
  /**
   * The tenant of the object; of a missing object, and of a refusal, the caller's tenant.
   */
  tenant: string;
  /**
   * Who did it.
   */
  actor: {
    /**
     * The user in the token.
     */
    user: string;
    /**
     * Name of the user's tenant; empty for the provider's people.
     */
    tenant: string;
    /**
     * Roles that the user had.
     */
    roles: string[];
  };
  on_behalf_of?: AuditEntryOnBehalfOf;
  /**
   * The address that the gateway saw; empty when it does not say.
   */
  source: string;
  /**
   * The `X-Request-Id` of the request.
   */
  request_id: string;
  /**
   * The kind of object.
   */
  kind: string;
  /**
   * The id of the object.
   */
  object_id: string;
  /**
   * What was done, such as `create`.
   */
  verb: string;
  /**
   * Id of the operation that does the work.
   */
  operation?: string;
  /**
   * The object before, as administrators see it; one too large to be kept is `{omitted_bytes, sha256}`.
   */
  before?: {
    [k: string]: unknown;
  };
  /**
   * The object afterwards, in the same form.
   */
  after?: {
    [k: string]: unknown;
  };
  /**
   * Accepted: a mutation; granted: a credential; refused: either.
   */
  result: "AUDIT_RESULT_ACCEPTED" | "AUDIT_RESULT_GRANTED" | "AUDIT_RESULT_REFUSED";
  /**
   * The kind of error of a refusal.
   */
  reason?: string;
  /**
   * The HTTP status that told the refusal.
   */
  status?: number;
  /**
   * Number of its chain.
   */
  chain: number;
  /**
   * Its place in the chain, from 1 and without gaps.
   */
  position: number;
  /**
   * SHA-256 of the entry before, in hex; empty for the first.
   */
  previous: "" | string;
  /**
   * SHA-256 of everything else in the entry, in hex.
   */
  hash: string;
}
/**
 * Who has a thing that has one owner at a time.
 */
export interface Holding {
  /**
   * What was asked about.
   */
  kind: "vlan" | "ip" | "prefix" | "dns" | "mac" | "host" | "infra_id";
  /**
   * Which one of it, as it is written.
   */
  value: string;
  /**
   * Whether an object has it, nobody has it, nobody can have it before its rest ends, or it is kept for something outside that no record knows.
   */
  state: "HELD" | "FREE" | "RESTING" | "KEPT";
  /**
   * The same in words.
   */
  message: string;
  /**
   * Id of the site that it is at.
   */
  site?: string;
  /**
   * The pool of the site, or the id of the pool, that it is of.
   */
  pool?: string;
  /**
   * Id of the tenant's network that it is in.
   */
  network?: string;
  /**
   * Id of the tenant's subnet that it is in.
   */
  subnet?: string;
  /**
   * Id of the host that it is, or that has it.
   */
  host?: string;
  /**
   * When its rest ends.
   */
  resting_until?: string;
  /**
   * Since when its owner has it, where that is known.
   */
  since?: string;
  /**
   * Who has it.
   */
  owner?: {
    /**
     * The kind of the object that has it.
     */
    kind: string;
    /**
     * The id of that object.
     */
    id: string;
    /**
     * Its name; absent where the object is not there any more.
     */
    name?: string;
    /**
     * The tenant that it is of.
     */
    tenant?: string;
    /**
     * The project that it is of.
     */
    project?: string;
    /**
     * Its state.
     */
    state?: string;
    /**
     * Id of the operation that runs on it.
     */
    operation?: string;
  };
}
/**
 * A cluster, as it is answered to the provider. OpenShift clusters on order.
 */
export interface PrivateCluster {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: ClusterSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Its state as a whole; `conditions` say why.
     */
    state:
      | "CLUSTER_STATE_PROGRESSING"
      | "CLUSTER_STATE_READY"
      | "CLUSTER_STATE_FAILED"
      | "CLUSTER_STATE_DELETING"
      | "CLUSTER_STATE_DELETE_FAILED";
    conditions: ClusterConditions;
    /**
     * When `state` last changed.
     */
    state_transition_time: string;
    /**
     * URL of its Kubernetes API, once there is one.
     */
    api_url?: string;
    /**
     * URL of its web console, once there is one.
     */
    console_url?: string;
    /**
     * Address of its API, with the port.
     */
    api_endpoint?: string;
    /**
     * Address of its ingress.
     */
    ingress_endpoint?: string;
    /**
     * The network that its hosts are in.
     */
    network?: {
      /**
       * CIDR prefix of the hosts, such as 10.64.3.0/24.
       */
      prefix: string;
      /**
       * IPv4 address of the gateway.
       */
      gateway: string;
      /**
       * IPv4 addresses of the name servers that DHCP tells the hosts.
       */
      dns_servers: string[];
      /**
       * VLAN id on the fabric, 1 to 4094. For administrators.
       */
      vlan?: number;
    };
    addresses?: ClusterAddresses;
    /**
     * Names that were entered into the DNS for it.
     */
    dns_names?: string[];
    /**
     * The volume storage that its template gives it.
     */
    storage?: {
      /**
       * How far its storage is.
       */
      state: "pending" | "done" | "failed";
    };
    node_sets: ClusterNodeSets;
    /**
     * The newest release that the control plane has completed.
     */
    version?: string;
    upgrade?: ClusterUpgrade;
    failure?: Failure;
    /**
     * Parts that could not be released when it was deleted.
     */
    remaining?: string[];
    /**
     * The version that the order was accepted with.
     */
    release: string;
    /**
     * Revision of the template that the order keeps.
     */
    template_revision: number;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
    /**
     * Id of the operation that follows the running one.
     */
    queued_operation?: string;
    /**
     * Where it was placed, and why.
     */
    placement?: {
      /**
       * When it was placed.
       */
      at: string;
      /**
       * Why this hub was chosen, in words.
       */
      reason: string;
      /**
       * Hubs that were not chosen. For administrators.
       */
      rejected?: {
        /**
         * Id of the hub.
         */
        hub: string;
        /**
         * Why it was not chosen.
         */
        reason: string;
      }[];
    };
    /**
     * Id of its hub. For administrators.
     */
    hub?: string;
    /**
     * Its name on its hub and on the fabric. For administrators.
     */
    infra_id?: string;
    /**
     * Ids of its hosts by node set. For administrators.
     */
    hosts?: {
      [k: string]: string[];
    };
  };
}
/**
 * What every object has: its name, labels, tenant and version.
 */
export interface Metadata {
  /**
   * Unique in its tenant and project: 1 to 63 lowercase letters, digits or `-`.
   */
  name: string;
  /**
   * Name of the tenant that it belongs to.
   */
  tenant: string;
  /**
   * Path of its project, such as `shop.web`; absent for what belongs to the whole tenant.
   */
  project?: string;
  /**
   * The user whose request made it.
   */
  creator: string;
  /**
   * When it was created.
   */
  creation_timestamp?: string;
  /**
   * When its deletion was requested; absent otherwise.
   */
  deletion_timestamp?: string;
  /**
   * Short texts by key, for selecting objects.
   */
  labels: {
    [k: string]: string;
  };
  /**
   * Longer texts by key, for whoever needs them.
   */
  annotations: {
    [k: string]: string;
  };
  /**
   * A name for people.
   */
  display_name?: string;
  /**
   * A sentence for people.
   */
  description?: string;
  /**
   * Counts the changes a user made, from 0; also the ETag.
   */
  version?: number;
}
/**
 * The wanted state.
 */
export interface ClusterSpec {
  template: Reference;
  catalog_item?: Reference;
  /**
   * Values of the template's parameters, by name.
   */
  template_parameters: {
    [k: string]: unknown;
  };
  /**
   * Groups of nodes of one host type, by name.
   */
  node_sets: {
    [k: string]: {
      host_type: Reference;
      /**
       * How many nodes it has, or is to have.
       */
      size: number;
    };
  };
  version: Reference;
  /**
   * Prefixes inside the cluster.
   */
  network: {
    /**
     * Prefix that pods get addresses of, such as 10.128.0.0/14.
     */
    pod_cidr?: string;
    /**
     * Prefix that services get addresses of, such as 172.30.0.0/16.
     */
    service_cidr?: string;
  };
  /**
   * The tenant's network that its hosts stand in; without it they have one of their own.
   */
  network_attachment?: {
    subnet: Reference;
    /**
     * The groups of its hosts; the network's default group if there are none.
     */
    security_groups: Reference[];
  };
  /**
   * There where its API and its ingress have external IPs that come and go with it.
   */
  auto_external_ip_attachment?: true;
  /**
   * OpenSSH public key that may log in to the nodes as `core`.
   */
  ssh_public_key?: string;
  /**
   * `***` where the order brought a pull secret of its own; it is never answered.
   */
  pull_secret?: "***";
  pull_secret_secret?: Reference;
  /**
   * Constraints on the place: region, labels of hubs.
   */
  placement?: {
    /**
     * Region that its hub must be in, such as `eu-west`.
     */
    region?: string;
    /**
     * Labels that its hub must have.
     */
    labels?: {
      [k: string]: string;
    };
  };
}
/**
 * Another object, by its id and its name.
 */
export interface Reference {
  /**
   * The id of the object that is referred to.
   */
  id: string;
  /**
   * The name of the object that is referred to.
   */
  name: string;
}
/**
 * The addresses that were taken for it.
 */
export interface ClusterAddresses {
  api: ClusterApi;
  ingress: ClusterApi;
}
/**
 * Of its Kubernetes API.
 */
export interface ClusterApi {
  /**
   * The address outside, as clients reach it.
   */
  external: string;
  /**
   * The address inside the cluster's network.
   */
  internal: string;
}
/**
 * The node sets as they are, by name.
 */
export interface ClusterNodeSets {
  [k: string]: {
    host_type: Reference;
    /**
     * How many nodes it has, or is to have.
     */
    size: number;
    /**
     * How many of its nodes are ready.
     */
    ready: number;
    /**
     * The release that all of its nodes run; absent while they differ.
     */
    version?: string;
  };
}
/**
 * The way to another release, while it is on it or has stopped on it.
 */
export interface ClusterUpgrade {
  /**
   * The release that it comes from.
   */
  from?: string;
  /**
   * The release that it goes to.
   */
  to: string;
  /**
   * How far the upgrade is; `UNFINISHED` waits for a retry.
   */
  state: "CHECKS" | "CONTROL_PLANE" | "NODE_SETS" | "UNFINISHED";
  /**
   * Names of node sets that do not run the new release yet.
   */
  node_sets_behind: string[];
}
/**
 * Why its last operation failed.
 */
export interface Failure {
  /**
   * The step that failed; absent where none had begun.
   */
  step?: string;
  /**
   * The kind of error, as problems have it.
   */
  kind: string;
  /**
   * What went wrong, or who or what ended it, in words.
   */
  message: string;
  /**
   * The call that was refused, such as `PATCH hostedclusters/demo`. For administrators.
   */
  call?: string;
  /**
   * Whether everything that was claimed is released. The rest stays with its target until that is changed, retried or deleted.
   */
  given_back?: boolean;
}
/**
 * What something waits for, since when, and in which words.
 */
export interface Wait {
  /**
   * The step that waits.
   */
  step: string;
  /**
   * The system that it waits for, such as `fabric`, `DNS` or `hub`.
   */
  system?: string;
  /**
   * Which of them, where it does not answer: a hub's id. For administrators.
   */
  instance?: string;
  /**
   * What it waits for, in words.
   */
  message: string;
  /**
   * Since when it waits.
   */
  since?: string;
  /**
   * The call that was not answered, such as `PATCH hostedclusters/demo`. For administrators.
   */
  call?: string;
  /**
   * How often the step was begun, where its system was not reached last. For administrators.
   */
  attempts?: number;
  /**
   * When its system was last asked in vain. For administrators.
   */
  last_attempt_time?: string;
  /**
   * When it is tried again at the latest. For administrators.
   */
  next_attempt_time?: string;
}
/**
 * The operation's step that takes longer than it should.
 */
export interface Stalled {
  /**
   * The step that takes so long.
   */
  step: string;
  /**
   * Since when it waits.
   */
  since: string;
  /**
   * When it should have ended: three times its usual time, at least ten minutes.
   */
  usual_end: string;
  /**
   * How long it is beyond that.
   */
  beyond_seconds?: number;
  /**
   * What blocks it, in words.
   */
  message: string;
}
/**
 * An operation, as it is answered to the provider. The work on an order, step by step.
 */
export interface PrivateOperation {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: OperationSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Its state; `STUCK` needs a person, and continues after `resume`.
     */
    state:
      | "OPERATION_STATE_PENDING"
      | "OPERATION_STATE_RUNNING"
      | "OPERATION_STATE_SUCCEEDED"
      | "OPERATION_STATE_FAILED"
      | "OPERATION_STATE_CANCELLED"
      | "OPERATION_STATE_STUCK";
    /**
     * Whether it starts only when the operation before it has ended.
     */
    queued: boolean;
    /**
     * When its first step began.
     */
    start_time?: string;
    /**
     * When it ended; absent until then.
     */
    end_time?: string;
    steps: OperationSteps;
    /**
     * The first of `waiting`, in words.
     */
    waiting_for?: string;
    /**
     * Everything that it waits for now.
     */
    waiting: Wait[];
    /**
     * The operation's place in the queue: 1 is the next, 101 any place from there on.
     */
    queue_position?: number;
    /**
     * Ended steps in a hundred of those known; says nothing of how long the rest takes.
     */
    percent: number;
    /**
     * When it will be done if nothing has to be waited for: from the begin of its newest step and the usual time of those to come. It stays while nothing moves.
     */
    estimate?: string;
    /**
     * How long it is beyond its estimate; absent while it is not late.
     */
    estimate_beyond_seconds?: number;
    /**
     * How long such a change usually takes in all, from its first step on.
     */
    usual_seconds?: number;
    /**
     * When the first of its open steps gives up.
     */
    deadline?: string;
    failure?: Failure;
    /**
     * What was seen of the cluster when the operation turned back.
     */
    diagnostics?: string[];
    stalled?: Stalled;
    /**
     * Where the order was placed, or what it waits for.
     */
    placement?: {
      /**
       * Why there, or what it waits for, in words.
       */
      reason: string;
      /**
       * Id of the hub. For administrators.
       */
      hub?: string;
      /**
       * Hubs that do not fit. For administrators.
       */
      rejected?: {
        /**
         * Id of the hub.
         */
        hub: string;
        /**
         * Why it does not fit.
         */
        reason: string;
      }[];
    };
    /**
     * Whether somebody asked it to stop.
     */
    cancel_requested: boolean;
    /**
     * Whether somebody asked it to resume; it stays STUCK until it does.
     */
    resume_requested: boolean;
  };
}
/**
 * The wanted state.
 */
export interface OperationSpec {
  /**
   * What it does to its target.
   */
  change: "CREATE" | "UPDATE" | "DELETE";
  /**
   * The object that it works on.
   */
  target: {
    /**
     * The kind of its target.
     */
    kind:
      | "cluster"
      | "virtual_network"
      | "subnet"
      | "security_group"
      | "external_ip_attachment"
      | "nat_gateway"
      | "baremetal_instance"
      | "host"
      | "dpu";
    /**
     * The id of its target.
     */
    id: string;
    /**
     * The name that its target had when it began.
     */
    name: string;
  };
}
/**
 * A hub, as it is answered. Management clusters, which run the control planes.
 */
export interface Hub {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * Region that it is in; orders may ask for one.
     */
    region?: string;
    /**
     * Labels that orders may ask for.
     */
    labels?: {
      [k: string]: string;
    };
    /**
     * URL of its API server, from the registered kubeconfig.
     */
    server: string;
    /**
     * UID of its namespace `kube-system`, which tells whether a cluster is registered twice.
     */
    cluster_uid?: string;
    /**
     * When what Slipway logs in with ends; absent where that is not known. Written by Slipway, from the kubeconfig.
     */
    credentials_end?: string;
    /**
     * How many hosted control planes it can carry.
     */
    capacity?: number;
    /**
     * Whether it is cordoned: it takes no new orders, and its clusters go on.
     */
    cordoned?: boolean;
    /**
     * Names of clusters are `<name>.<tenant>.<base_domain>`, in projects `<name>.<project>.<tenant>.<base_domain>`.
     */
    base_domain?: string;
    /**
     * Namespace that OSAC's operator has there; kept and answered, and of no other use.
     */
    namespace?: string;
    /**
     * Id of the site that it is at; a hub without one leaves networks, names and storage to others.
     */
    site?: string;
    /**
     * Names of the tenants that it serves alone; empty means all.
     *
     * @maxItems 1000
     */
    tenants?: string[];
    hot_pools?: HubHotPools;
    /**
     * What to do with orphans on the hub: objects without an owner; `report` by default.
     */
    orphans?: "report" | "remove";
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether orders can be placed on it.
     */
    state:
      "HUB_STATE_INCOMPLETE" | "HUB_STATE_PENDING" | "HUB_STATE_READY" | "HUB_STATE_UNREACHABLE";
    /**
     * Why, in words.
     */
    message?: string;
    /**
     * HEARD: its agent reports. REACHED: its API server answers Slipway. OBSERVED: its agent watches every kind; there from the first time on that it did not. CREDENTIALS_VALID: there, and false, once what Slipway logs in with ends within 30 days, or has ended.
     */
    conditions?: {
      /**
       * The condition's type.
       */
      type:
        | "HUB_CONDITION_TYPE_HEARD"
        | "HUB_CONDITION_TYPE_REACHED"
        | "HUB_CONDITION_TYPE_OBSERVED"
        | "HUB_CONDITION_TYPE_CREDENTIALS_VALID";
      /**
       * Whether it holds; unspecified while that is not known.
       */
      status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
      /**
       * Why, as one word for programs.
       */
      reason?: string;
      /**
       * Why, in words for people.
       */
      message?: string;
      /**
       * When `status` last changed.
       */
      last_transition_time: string;
    }[];
    /**
     * When its agent last reported.
     */
    last_heard_time?: string;
    /**
     * The version of its agent.
     */
    agent_version?: string;
    /**
     * When Slipway last reached it, to within a quarter of an hour.
     */
    last_reached_time?: string;
    last_error?: HubLastError;
    /**
     * The control planes of clusters.
     */
    control_planes?: {
      /**
       * How many it can carry.
       */
      total: number;
      /**
       * How many it carries.
       */
      used: number;
      /**
       * How many more it can take.
       */
      free: number;
      /**
       * How much more is used than a day before, on average of the last week; absent before a day of it is known.
       */
      per_day?: number;
      /**
       * For how many days what is free lasts if that goes on; absent unless it shrinks.
       */
      days_left?: number;
    };
    /**
     * Hosts that are cabled to it, by type.
     */
    hosts?: {
      /**
       * How many hosts there are.
       */
      total: number;
      /**
       * How many the next order could get.
       */
      free: number;
      /**
       * How many are held by orders.
       */
      reserved: number;
      /**
       * How many are free and kept for tenants by allocations.
       */
      kept: number;
      /**
       * How many are none of these: they are being reclaimed, out of service, or not discovered.
       */
      unavailable: number;
      /**
       * How much more is used than a day before, on average of the last week; absent before a day of it is known.
       */
      per_day?: number;
      /**
       * For how many days what is free lasts if that goes on; absent unless it shrinks.
       */
      days_left?: number;
      /**
       * Name of the type.
       */
      host_type: string;
    }[];
    orphans?: HubOrphans;
  };
}
/**
 * By host type: how many free hosts are kept ready among those that Slipway switches on. Of a type without an entry, all are.
 */
export interface HubHotPools {
  [k: string]: {
    /**
     * How many free hosts are kept discovered while no order waits; 0: none.
     */
    min: number;
    /**
     * How many free hosts there may be; more are switched off.
     */
    max: number;
  };
}
/**
 * Orphans: objects that were found there without an owner.
 */
export interface HubOrphans {
  /**
   * How many orphans there are.
   */
  count: number;
  /**
   * The first orphans.
   */
  items: {
    /**
     * The system in which it was found.
     */
    system: "hub" | "fabric" | "dhcp" | "dns" | "storage";
    /**
     * The kind of object there, such as `Namespace`, `network` or `dns_records`.
     */
    kind: string;
    /**
     * The object's id in its system.
     */
    id: string;
    /**
     * Id of the cluster that its ownership tag names.
     */
    cluster: string;
    /**
     * The VLAN id, prefix or address that the object uses; no other cluster gets it meanwhile.
     */
    number?: string;
    /**
     * When it was first found.
     */
    first_seen: string;
  }[];
}
/**
 * A host, as it is answered. Servers in the inventory.
 */
export interface Host {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * Name of its kind of server.
     */
    host_type: string;
    /**
     * Name of the hub whose discovery network it boots from.
     */
    hub: string;
    bmc: DpuBmc;
    /**
     * Serial number of the server; a server is set aside that reports another when it is discovered.
     */
    serial?: string;
    nics: HostNics;
    /**
     * The rack that it stands in; as the inventory has it, where this is left out.
     */
    rack?: string;
    /**
     * How many DPUs it has; nothing is done to it before all of them are registered.
     */
    dpus?: number;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * What the host is doing now.
     */
    state:
      | "HOST_STATE_UNDISCOVERED"
      | "HOST_STATE_DISCOVERING"
      | "HOST_STATE_AVAILABLE"
      | "HOST_STATE_RESERVED"
      | "HOST_STATE_RECLAIMING"
      | "HOST_STATE_CLEANING"
      | "HOST_STATE_UPDATING"
      | "HOST_STATE_OFF"
      | "HOST_STATE_MAINTENANCE"
      | "HOST_STATE_UNHEALTHY"
      | "HOST_STATE_QUARANTINED"
      | "HOST_STATE_RETIRED";
    /**
     * When `state` last changed.
     */
    since?: string;
    /**
     * Why, in words.
     */
    message?: string;
    /**
     * IN_SERVICE: it is not set aside. DPUS_REPORT: each of its DPUs is heard. Each from the first time on that it did not hold.
     */
    conditions?: {
      /**
       * The condition's type.
       */
      type: "HOST_CONDITION_TYPE_IN_SERVICE" | "HOST_CONDITION_TYPE_DPUS_REPORT";
      /**
       * Whether it holds; unspecified while that is not known.
       */
      status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
      /**
       * Why, as one word for programs.
       */
      reason?: string;
      /**
       * Why, in words for people.
       */
      message?: string;
      /**
       * When `status` last changed.
       */
      last_transition_time: string;
    }[];
    /**
     * A person keeps it out of the pool, until it is released.
     */
    maintenance?: {
      /**
       * Since when.
       */
      since: string;
      /**
       * Who has asked for it.
       */
      by: string;
      /**
       * Why, as a tenant is told who has the host.
       */
      tenant_message?: string;
      /**
       * The operation that replaces it in its cluster; absent for a host of none.
       */
      operation?: string;
    };
    /**
     * The cluster or the server that has it; absent for a free host.
     */
    owner?: {
      /**
       * Name of its owner's tenant.
       */
      tenant: string;
      /**
       * The kind of its owner: a cluster, or a server that is ordered whole.
       */
      kind: "cluster" | "baremetal_instance";
      /**
       * Id of its owner.
       */
      id: string;
      /**
       * Name of its owner.
       */
      name?: string;
      /**
       * Name of the cluster's node set that it is in; `server` for a server.
       */
      node_set: string;
    };
    sla?: Sla;
    identity?: DpuIdentity;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
    reinstall?: HostReinstall;
    /**
     * Its firmware, as its controller told at its last discovery or update.
     */
    firmware?: {
      /**
       * What it is the firmware of.
       */
      component: "bmc" | "bios";
      /**
       * The version, as its controller told it last.
       */
      version: string;
      /**
       * When that version was first told.
       */
      since: string;
      /**
       * The version that its type asks for; absent where that asks for none.
       */
      wanted?: string;
      /**
       * Whether the version is another one than that.
       */
      stale?: boolean;
    }[];
    firmware_update?: HostReinstall;
    /**
     * Its health and that of its DPUs; absent while nobody has reported.
     */
    health?: {
      /**
       * Whether there is an alert.
       */
      state: "HEALTH_STATE_OK" | "HEALTH_STATE_ALERT";
      /**
       * Since when it is so.
       */
      since: string;
      /**
       * Whether an alert keeps the host out of the pool.
       */
      prevents_allocation: boolean;
      /**
       * Whether outside alarms about the host may be dropped.
       */
      suppresses_alarms: boolean;
      /**
       * The alerts of all sources, as administrators have them read.
       */
      alerts: {
        /**
         * What was looked at.
         */
        id: string;
        /**
         * Where it was looked, such as a part of the host.
         */
        target?: string;
        /**
         * Since when it is reported.
         */
        since: string;
        /**
         * What was expected and what was seen.
         */
        message: string;
        /**
         * What a tenant is told who has the host.
         */
        tenant_message?: string;
        /**
         * What it means.
         */
        classifications: string[];
        /**
         * Who reports.
         */
        source: string;
      }[];
      /**
       * The last report of each source.
       */
      sources: {
        /**
         * Who reports.
         */
        source: string;
        /**
         * When the report that counts was taken.
         */
        observed_at: string;
        /**
         * How often it promises to report.
         */
        interval_seconds?: number;
        /**
         * Since when it is known to be late.
         */
        late_since?: string;
        /**
         * Probes that found nothing wrong.
         */
        successes: {
          /**
           * What was looked at.
           */
          id: string;
          /**
           * Where it was looked, such as a part of the host.
           */
          target?: string;
        }[];
        alerts: HostAlerts;
      }[];
      /**
       * What administrators have read otherwise.
       */
      overrides: {
        /**
         * Who reports.
         */
        source: string;
        /**
         * Beside its alerts, or instead of them.
         */
        mode: "merge" | "replace";
        /**
         * Since when.
         */
        since: string;
        /**
         * Who has decided it.
         */
        by: string;
        alerts: HostAlerts;
      }[];
    };
    /**
     * What Slipway did to it; absent for a host whose power somebody else manages.
     */
    server?: {
      /**
       * `UNKNOWN`: nobody knows what is on its drives. `USED`: they are not erased since its last owner. `CLEAN`: they are erased. `READY`: it is discovered as well.
       */
      condition:
        | "SERVER_CONDITION_UNKNOWN"
        | "SERVER_CONDITION_USED"
        | "SERVER_CONDITION_CLEAN"
        | "SERVER_CONDITION_READY";
      /**
       * Its power, as its controller said last.
       */
      power?: string;
      /**
       * When its controller said so.
       */
      power_time?: string;
      /**
       * Whether it is out of service for good.
       */
      retired?: boolean;
      /**
       * Why it is set aside: `retry`, `release` or `retire` it. One with a silent DPU comes back by itself when that is heard.
       */
      quarantine?: {
        /**
         * When it was set aside.
         */
        since: string;
        /**
         * The step that failed.
         */
        step?: string;
        /**
         * What was expected, and what was seen.
         */
        reason: string;
      };
      /**
       * How its hardware differs from what it should be.
       */
      differences?: {
        /**
         * What differs.
         */
        field: string;
        /**
         * What the inventory or the host type says.
         */
        expected: string;
        /**
         * What its agent reports.
         */
        seen: string;
      }[];
      /**
       * Its drives, and how each was erased last.
       */
      drives?: {
        /**
         * Its name at the controller.
         */
        name: string;
        /**
         * Its serial number.
         */
        serial?: string;
        /**
         * Its World Wide Name, in hexadecimal.
         */
        wwn?: string;
        /**
         * How it was erased.
         */
        method: "cryptographic" | "block" | "overwrite" | "unspecified";
        /**
         * How that went.
         */
        state: "waiting" | "pending" | "done" | "failed";
        /**
         * What the controller said of it.
         */
        message: string;
        /**
         * When it was found erased.
         */
        erased_at?: string;
      }[];
    };
    /**
     * Behind which port of which DPU each of its NICs was seen.
     */
    dpu_ports?: {
      /**
       * Name of the NIC.
       */
      nic: string;
      /**
       * Id of the DPU.
       */
      dpu: string;
      /**
       * Name of the DPU's port.
       */
      port: string;
    }[];
    /**
     * The server of a site's inventory that the host was made of.
     */
    inventory?: {
      /**
       * Id of the site whose inventory it is.
       */
      site: string;
      /**
       * The server's id there.
       */
      server: string;
      /**
       * The rack that it stands in.
       */
      rack?: string;
      /**
       * What is otherwise there, and waits for somebody to decide.
       */
      drift?: string[];
    };
    /**
     * The Agent of the hub that stands for the host.
     */
    agent?: {
      /**
       * Name of the Agent on the hub.
       */
      name: string;
      /**
       * What the hub says of it.
       */
      state: string;
      /**
       * What the hub says more, in words.
       */
      message: string;
      /**
       * The cluster that the hub has bound it to; empty for none.
       */
      bound_to: string;
      /**
       * Whether the hub has no such Agent any more.
       */
      gone: boolean;
      /**
       * When the hub last told a change of it.
       */
      observed_at: string;
    };
  };
}
/**
 * Its management controller; how to log in there is never answered.
 */
export interface DpuBmc {
  /**
   * Redfish URL of the controller.
   */
  address: string;
  /**
   * SHA-256 fingerprint of its certificate, where no authority has signed it; no other is accepted then.
   */
  certificate?: string;
  /**
   * How Slipway logs in: `basic` sends user and password with each request, and is meant where nothing is said; `session` is for controllers that refuse that.
   */
  authentication?: "basic" | "session";
}
/**
 * The time that its state should take at most; absent where nothing limits it.
 */
export interface Sla {
  /**
   * How long it should be in its state at most.
   */
  seconds: number;
  /**
   * When that is over.
   */
  ends: string;
  /**
   * How long it is beyond that; absent until then.
   */
  beyond_seconds?: number;
}
/**
 * Which machine its controller says it is; absent before the first contact.
 */
export interface DpuIdentity {
  /**
   * Whether its controller tells who it is; where not, nobody can tell another one from it.
   */
  is_identified: boolean;
  /**
   * The one that it is.
   */
  known?: {
    /**
     * Its serial number.
     */
    serial_number?: string;
    /**
     * Its UUID.
     */
    uuid?: string;
    /**
     * Its record at the service that manages it.
     */
    record?: string;
    /**
     * Since when.
     */
    since: string;
    /**
     * Who has accepted it.
     */
    accepted_by?: string;
  };
  /**
   * Another one that was found instead, and is not touched until `accept_identity`.
   */
  other?: {
    /**
     * Its serial number.
     */
    serial_number?: string;
    /**
     * Its UUID.
     */
    uuid?: string;
    /**
     * Its record at the service that manages it.
     */
    record?: string;
    /**
     * Since when.
     */
    since: string;
    /**
     * What was expected, what was seen, and what to do.
     */
    reason: string;
  };
}
/**
 * Its DPUs are to be installed anew before the next order gets it.
 */
export interface HostReinstall {
  /**
   * Since when.
   */
  since: string;
  /**
   * Who has asked for it.
   */
  by: string;
}
/**
 * A host type, as it is answered. Kinds of servers, and how many are free.
 */
export interface HostType {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What such a server is good for.
   */
  description?: string;
  interfaces?: HostTypeInterfaces;
  /**
   * Tests that each server has to pass, by the ids of the assisted service's validations, such as `ntp-synced`.
   *
   * @maxItems 32
   */
  validations?: string[];
  hardware?: HostTypeHardware;
  status?: HostTypeStatus;
}
/**
 * What is checked of a server before it becomes a host of this type.
 */
export interface HostTypeHardware {
  /**
   * Logical processors: exactly so many.
   */
  cpus?: number;
  /**
   * Memory in GiB, at least.
   */
  memory_gib?: number;
  /**
   * The disks that it has at least, by size.
   *
   * @maxItems 16
   */
  disks?: {
    /**
     * How many there are, at least.
     */
    count: number;
    /**
     * The size of each in GiB, at least.
     */
    min_gib: number;
  }[];
  /**
   * The GPUs that it has, by model.
   *
   * @maxItems 8
   */
  gpus?: {
    /**
     * What the name of each contains, such as H100.
     */
    model: string;
    /**
     * How many there are, exactly.
     */
    count: number;
  }[];
  /**
   * How many DPUs it has, exactly; none without. Such hosts are for servers that are ordered whole, in networks that DPUs make.
   */
  dpus?: number;
  /**
   * Its power is switched by a service that boots no server from a URL, such as Ironic: such hosts are for clusters.
   */
  url_boot?: false;
}
/**
 * The present state; only Slipway writes it.
 */
export interface HostTypeStatus {
  /**
   * On hubs that take orders, a moment ago, by region.
   */
  availability: {
    /**
     * Name of the region.
     */
    region: string;
    /**
     * Hosts of this type there.
     */
    total: number;
    /**
     * Hosts of this type that the next order could have.
     */
    free: number;
  }[];
}
/**
 * A site, as it is answered. Fabric, DNS and storage around hubs.
 */
export interface Site {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    fabric?: SiteFabric;
    network?: SiteNetwork;
    allocator?: SiteAllocator;
    inventory?: SiteInventory;
    dhcp?: SiteDhcp;
    bare_metal?: SiteBareMetal;
    dns?: SiteDns;
    storage?: SiteStorage;
    certificates?: SiteCertificates;
    identity_provider?: SiteIdentityProvider;
    machines?: SiteMachines;
    /**
     * What to do with orphans at the site: objects without an owner; `report` by default.
     */
    orphans?: "report" | "remove";
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Pools that are nearly used up.
     */
    low: ("vlans" | "prefixes" | "floating_ips")[];
    /**
     * How much of each pool is used; absent without a fabric, and before an allocator has told it.
     */
    pools?: {
      vlans: SiteVlans;
      prefixes: SiteVlans;
      floating_ips: SiteVlans;
    };
    /**
     * How the allocator agrees with Slipway; absent without one, and before the first look.
     */
    allocator?: {
      /**
       * How many numbers it shows otherwise than Slipway has them. Nobody mends them but people.
       */
      drift: number;
      /**
       * The first of these.
       */
      items: {
        /**
         * The pool of the number.
         */
        pool: "vlans" | "prefixes" | "floating_ips";
        /**
         * The VLAN id, prefix or address.
         */
        number: string;
        /**
         * Who has it, and what the allocator shows.
         */
        message: string;
      }[];
    };
    /**
     * What was made of the servers in the site's inventory; absent without one.
     */
    inventory?: {
      /**
       * How many servers it has.
       */
      servers: number;
      /**
       * How many of them need somebody to look at them.
       */
      attention: number;
      /**
       * The first of these.
       */
      items: {
        /**
         * The server's id there.
         */
        server: string;
        /**
         * Its name there.
         */
        name: string;
        /**
         * `unusable`: it cannot be a host. `drift`: its host is otherwise, and stays so. `refused`: its host would break a rule.
         */
        outcome: string;
        /**
         * Why, in words.
         */
        message: string;
      }[];
    };
    orphans?: HubOrphans;
    /**
     * When the first certificate of its authority ends; absent without one.
     */
    authority_ends?: string;
    /**
     * AUTHORITY_VALID: the authority's certificates are good for 30 days more. Absent while that holds.
     */
    conditions?: {
      /**
       * The condition's type.
       */
      type: "SITE_CONDITION_TYPE_AUTHORITY_VALID";
      /**
       * Whether it holds; unspecified while that is not known.
       */
      status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
      /**
       * Why, as one word for programs.
       */
      reason?: string;
      /**
       * Why, in words for people.
       */
      message?: string;
      /**
       * When `status` last changed.
       */
      last_transition_time: string;
    }[];
    /**
     * Systems that do not answer; absent while all do. Orders that need them wait.
     */
    away?: ("hub" | "fabric" | "dhcp" | "dns" | "storage")[];
    /**
     * When each system last answered: how old what is told of the site may be.
     */
    systems?: {
      /**
       * Which one; `machines` are its DPUs, which ask Slipway.
       */
      system: "hub" | "fabric" | "dhcp" | "dns" | "storage" | "machines";
      /**
       * When it last answered, to within an hour; absent if it never did.
       */
      last_reached_time?: string;
      /**
       * Since when it does not answer; absent for one that does.
       */
      away_since?: string;
      /**
       * What became of the last try, in words.
       */
      message?: string;
    }[];
  };
}
/**
 * Where networks are made.
 */
export interface SiteFabric {
  /**
   * The system that makes networks.
   */
  provider: "neutron";
  /**
   * URL of Keystone, with or without `/v3`.
   */
  auth_url: string;
  /**
   * OpenStack region, where there are several.
   */
  region?: string;
  /**
   * Id of the application credential.
   */
  credential_id: string;
  /**
   * Name of the physical network that VLANs are on.
   */
  physical_network: string;
  /**
   * Id of the network that floating IPs are on.
   */
  external_network: string;
}
/**
 * The numbers that orders get on the fabric; required with a fabric.
 */
export interface SiteNetwork {
  /**
   * VLAN ids for orders: one for each.
   */
  vlans: {
    /**
     * The first of them.
     */
    first: number;
    /**
     * The last of them, included.
     */
    last: number;
  };
  /**
   * Prefixes for orders: one for each, cut from a larger one.
   */
  prefixes: {
    /**
     * The whole, such as 10.64.0.0/12.
     */
    cidr: string;
    /**
     * Length of an order's prefix in bits, such as 24.
     */
    length: number;
  };
  floating_ips: SiteFloatingIps;
  dns_servers: SiteDnsServers;
  /**
   * Minutes for which a released number rests before another order gets it.
   */
  rest_minutes?: number;
}
/**
 * Outside addresses for orders: two for each, one for the API and one for ingress.
 */
export interface SiteFloatingIps {
  /**
   * The first of them.
   */
  first: string;
  /**
   * The last of them, included.
   */
  last: string;
}
/**
 * Where the numbers of `network` are written down; with Slipway alone where there is none.
 */
export interface SiteAllocator {
  /**
   * A NetBox, 4.2 or later.
   */
  provider: "netbox";
  /**
   * URL of NetBox, without `/api`.
   */
  url: string;
  /**
   * Who says which numbers an order gets: `slipway`, which then writes them into NetBox, or `netbox`.
   */
  given_out_by?: "slipway" | "netbox";
  /**
   * Id of the VLAN group that has the VLAN ids of `network`.
   */
  vlan_group: number;
  /**
   * Id of the prefix that is the whole of `network.prefixes`.
   */
  prefix: number;
  /**
   * Id of the IP range that is `network.floating_ips`.
   */
  ip_range: number;
}
/**
 * Where servers are written down; without it, hosts come in by the API alone.
 */
export interface SiteInventory {
  /**
   * A NetBox, 4.2 or later.
   */
  provider: "netbox";
  /**
   * URL of NetBox, without `/api`.
   */
  url: string;
  /**
   * Slug of the site of the servers.
   */
  site?: string;
  /**
   * Slug of the role of the servers.
   */
  role?: string;
  /**
   * Status of the servers, such as `active`.
   */
  status?: string;
  /**
   * Slug of a tag of the servers.
   */
  tag?: string;
  /**
   * Name or id of the hub whose discovery network the servers boot from.
   */
  hub: string;
  /**
   * The host type of each device type, by the device type's model.
   */
  host_types: {
    [k: string]: string;
  };
  /**
   * How the address of a server's controller is made of its out-of-band IP.
   */
  bmc?: string;
}
/**
 * Where hosts get their addresses; without it, from the fabric.
 */
export interface SiteDhcp {
  /**
   * Kea's DHCPv4 server.
   */
  provider: "kea";
  /**
   * URL of its HTTP socket, or of the control agent before it.
   */
  url: string;
  /**
   * The user that Slipway asks as.
   */
  username: string;
}
/**
 * What switches and erases the servers of hosts that name one of its nodes.
 */
export interface SiteBareMetal {
  /**
   * OpenStack's bare metal service.
   */
  provider: "ironic";
  /**
   * URL of its API, without `/v1`, where it is part of no cloud.
   */
  url?: string;
  /**
   * The user that Slipway asks as there, with HTTP basic.
   */
  username?: string;
  /**
   * URL of the cloud's Keystone, with or without `/v3`.
   */
  auth_url?: string;
  /**
   * OpenStack region, where there are several.
   */
  region?: string;
  /**
   * Id of the application credential.
   */
  credential_id?: string;
}
/**
 * Where volumes are made.
 */
export interface SiteStorage {
  /**
   * A Ceph cluster.
   */
  provider: "ceph";
  /**
   * URL of the manager's REST API.
   */
  url: string;
  /**
   * The pool that volumes are in.
   */
  pool: string;
  /**
   * The user that Slipway logs in as.
   */
  username: string;
}
/**
 * The authority that signs certificates of ingress; without it, clusters keep the certificates that they make themselves.
 */
export interface SiteCertificates {
  /**
   * PEM: the authority's certificate, and what leads up to its root.
   */
  authority: string;
}
/**
 * Who may log in to clusters: an OpenID Connect provider, in place of kubeadmin.
 */
export interface SiteIdentityProvider {
  /**
   * Its name on the login page.
   */
  name: string;
  /**
   * https URL of the issuer.
   */
  issuer: string;
  /**
   * Id of the client that clusters are there.
   */
  client_id: string;
  /**
   * The claim that lists a user's groups.
   */
  groups_claim?: string;
}
/**
 * How machines at the site boot from the network, and report; without it, only from a virtual drive.
 */
export interface SiteMachines {
  /**
   * Where machines reach Slipway's site controller: the URL before `/site/v1`. Hosts and DPUs reach it from the networks that they boot on, and tenants' servers from theirs.
   */
  url: string;
  /**
   * URL of iPXE, which UEFI's HTTP boot loads and which then asks for its script.
   */
  loader?: string;
  /**
   * What writes tenants' images on disks.
   */
  installer?: {
    /**
     * URL of its kernel.
     */
    kernel: string;
    /**
     * URL of its initial RAM disk.
     */
    initrd: string;
  };
  /**
   * URL of the image that DPUs install.
   */
  bfb?: string;
  /**
   * The network that hosts are on while no tenant has them.
   */
  admin_network?: {
    /**
     * Its prefix.
     */
    cidr: string;
    /**
     * Its gateway.
     */
    gateway: string;
  };
  /**
   * Where hosts without DPUs boot the discovery image from: `network`, the one of hosts that nobody has, or `virtual_drive`, as without it. Those with DPUs boot from the network, those of Ironic and Metal3 as their service does it.
   */
  discovery_boot?: "network" | "virtual_drive";
  /**
   * The network of controllers and DPUs.
   */
  management_network?: {
    /**
     * Its prefix.
     */
    cidr: string;
  };
  loopbacks?: SiteFloatingIps;
  /**
   * Numbers of autonomous systems that DPUs have as leaves.
   */
  asns?: {
    /**
     * The first of them.
     */
    first: number;
    /**
     * The last of them, included.
     */
    last: number;
  };
}
/**
 * VLAN ids.
 */
export interface SiteVlans {
  /**
   * How many numbers there are.
   */
  total: number;
  /**
   * How many are held by clusters, or for orphans.
   */
  used: number;
  /**
   * How many are held for orphans, or because the allocator has them for something else.
   */
  orphaned: number;
  /**
   * How many were released a short while ago and rest.
   */
  resting: number;
  /**
   * How many the next order could get.
   */
  free: number;
  /**
   * How much more is used than a day before, on average of the last week; absent before a day of it is known.
   */
  per_day?: number;
  /**
   * For how many days what is free lasts if that goes on; absent unless it shrinks.
   */
  days_left?: number;
}
/**
 * A tenant, as it is answered. The provider's customers.
 */
export interface Tenant {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * Domains of its people's mail addresses, such as `example.com`.
     *
     * @maxItems 100
     */
    domains?: string[];
    service_accounts?: TenantServiceAccounts;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether it can be used.
     */
    state: "TENANT_STATE_PENDING" | "TENANT_STATE_SYNCED";
  };
}
/**
 * A quota, as it is answered. The limits of a tenant or a project, and its usage.
 */
export interface Quota {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * The most that the tenant or the project may have; what is absent has no limit.
     */
    limits: {
      /**
       * How many clusters: each has one control plane.
       */
      control_planes?: number;
      /**
       * How many hosts in node sets, by host type.
       */
      hosts?: {
        [k: string]: number;
      };
      /**
       * How many outside addresses of clusters' own: two for each cluster without external IPs.
       */
      floating_ips?: number;
      /**
       * How many clusters with volume storage.
       */
      storage_clusters?: number;
      /**
       * How many networks.
       */
      virtual_networks?: number;
      /**
       * How many subnets, over all networks.
       */
      subnets?: number;
      /**
       * How many security groups, over all networks.
       */
      security_groups?: number;
      /**
       * How many external IPs, with those of clusters' orders.
       */
      external_ips?: number;
      /**
       * How many NAT gateways.
       */
      nat_gateways?: number;
    };
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * The current usage, read with the quota.
     */
    usage?: {
      /**
       * How many clusters: each has one control plane.
       */
      control_planes: number;
      /**
       * How many hosts in node sets, by host type.
       */
      hosts: {
        [k: string]: number;
      };
      /**
       * How many outside addresses of clusters' own: two for each cluster without external IPs.
       */
      floating_ips: number;
      /**
       * How many clusters with volume storage.
       */
      storage_clusters: number;
      /**
       * How many networks.
       */
      virtual_networks: number;
      /**
       * How many subnets, over all networks.
       */
      subnets: number;
      /**
       * How many security groups, over all networks.
       */
      security_groups: number;
      /**
       * How many external IPs, with those of clusters' orders.
       */
      external_ips: number;
      /**
       * How many NAT gateways.
       */
      nat_gateways: number;
    };
  };
}
/**
 * A cluster catalog item, as it is answered. Offers: a template with what may be chosen.
 */
export interface ClusterCatalogItem {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What one gets, for people.
   */
  description?: string;
  template: Reference;
  /**
   * Whether tenants are offered it.
   */
  published: boolean;
  field_definitions: BaremetalInstanceCatalogItemFieldDefinitions;
}
/**
 * A cluster template, as it is answered. What can be ordered, and its parameters.
 */
export interface ClusterTemplate {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What one gets, for people.
   */
  description?: string;
  parameters: BaremetalInstanceTemplateParameters;
  node_sets: ClusterTemplateNodeSets;
  /**
   * Host types that an order may choose for node sets of its own.
   */
  allowed_host_types?: Reference[];
  spec_defaults: ClusterTemplateSpecDefaults;
  storage?: ClusterTemplateStorage;
  /**
   * Counts the contents that the template had.
   */
  revision: number;
}
/**
 * JSON Schema that its values must keep.
 */
export interface BaremetalInstanceTemplateSchema {
  /**
   * The allowed values.
   *
   * @minItems 1
   * @maxItems 100
   */
  enum?: (string | number | boolean)[];
  /**
   * The minimum of a number.
   */
  minimum?: number;
  /**
   * The maximum of a number.
   */
  maximum?: number;
  /**
   * The exclusive minimum of a number.
   */
  exclusiveMinimum?: number;
  /**
   * The exclusive maximum of a number.
   */
  exclusiveMaximum?: number;
  /**
   * The number that a value must be a multiple of.
   */
  multipleOf?: number;
  /**
   * The minimum length of a text.
   */
  minLength?: number;
  /**
   * The maximum length of a text.
   */
  maxLength?: number;
  /**
   * Regular expression that a text must match.
   */
  pattern?: string;
  /**
   * What kind of text it must be.
   */
  format?:
    | "date"
    | "date-time"
    | "duration"
    | "email"
    | "hostname"
    | "ipv4"
    | "ipv6"
    | "time"
    | "uri"
    | "uuid";
}
/**
 * Groups of nodes that an order starts with, by name.
 */
export interface ClusterTemplateNodeSets {
  [k: string]: {
    host_type: Reference;
    /**
     * How many nodes it has unless an order says otherwise.
     */
    size: number;
    /**
     * Host types that an order may choose for it.
     */
    allowed_host_types?: Reference[];
  };
}
/**
 * Defaults of orders.
 */
export interface ClusterTemplateSpecDefaults {
  version?: Reference;
  network?: ClusterNetwork;
  /**
   * OpenSSH public key that may log in to the nodes as `core`.
   */
  ssh_public_key?: string;
  pull_secret_secret?: Reference;
}
/**
 * Prefixes inside the cluster.
 */
export interface ClusterNetwork {
  /**
   * Prefix that pods get addresses of, such as 10.128.0.0/14; each node takes a /23 of it (IPv6: /64).
   */
  pod_cidr?: string;
  /**
   * Prefix that services get addresses of, such as 172.30.0.0/16; /12 or longer (IPv6: /108), with 256 addresses or more.
   */
  service_cidr?: string;
}
/**
 * The storage class that its clusters get; without one they get no volume storage.
 */
export interface ClusterTemplateStorage {
  /**
   * Name of the storage class.
   */
  storage_class?: string;
  /**
   * Whether claims without a class get this one.
   */
  is_default?: boolean;
  /**
   * What happens to a volume when its claim is deleted.
   */
  reclaim_policy?: "Delete" | "Retain";
  /**
   * The file system that volumes are made with.
   */
  filesystem?: "ext4" | "xfs";
}
/**
 * A cluster version, as it is answered. OpenShift releases.
 */
export interface ClusterVersion {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * The OpenShift version, such as `4.17.9`.
     */
    version: string;
    /**
     * Versions from which a cluster may be upgraded to it; by default all that the usual rule allows.
     */
    upgrades_from?: string[];
    /**
     * Whether new orders and upgrades may use it.
     */
    enabled: boolean;
    /**
     * Whether orders that name no version get it.
     */
    is_default: boolean;
    /**
     * Its stage of life.
     */
    state:
      | "CLUSTER_VERSION_STATE_ACTIVE"
      | "CLUSTER_VERSION_STATE_DEPRECATED"
      | "CLUSTER_VERSION_STATE_OBSOLETE";
    deprecation?: ClusterVersionDeprecation;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {};
}
/**
 * When it was taken out of use.
 */
export interface ClusterVersionDeprecation {
  /**
   * When it became deprecated.
   */
  deprecation_timestamp?: string;
  /**
   * When it became obsolete.
   */
  obsolescence_timestamp?: string;
}
/**
 * A certificate that was issued for a cluster; neither it nor its key is shown again.
 */
export interface Credential {
  /**
   * Serial number in hex, as the cluster's audit and `openssl x509 -serial` have it.
   */
  serial: string;
  /**
   * The user that it was issued for.
   */
  user: string;
  /**
   * When it was issued.
   */
  issue_timestamp: string;
  /**
   * Until when it is good.
   */
  expiration_timestamp: string;
  /**
   * Whether it is still good.
   */
  state: "CREDENTIAL_STATE_ISSUED" | "CREDENTIAL_STATE_REVOKING" | "CREDENTIAL_STATE_REVOKED";
}
/**
 * A webhook, as it is answered. Events sent to a server of a tenant.
 */
export interface Webhook {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * Where events are sent: https, at a public address.
     */
    url: string;
    /**
     * Event types that it wants, such as `slipway.cluster.*`; empty means all.
     *
     * @maxItems 50
     */
    event_types: string[];
    /**
     * Whether it is sent events; one that is not keeps its place.
     */
    enabled: boolean;
    /**
     * Until then the secret before the current one signs as well.
     */
    former_secret_expires?: string;
    /**
     * What deliveries are signed with; only in the answer that made it, `***` everywhere else.
     */
    secret: string;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether it is sent events.
     */
    state: "WEBHOOK_STATE_ACTIVE" | "WEBHOOK_STATE_DISABLED" | "WEBHOOK_STATE_GONE";
    /**
     * When the receiver answered 410.
     */
    gone_time?: string;
    /**
     * Its receiver does not take what it is sent; absent while it does.
     */
    failing?: {
      /**
       * Since when.
       */
      since: string;
      /**
       * How many tries were in vain.
       */
      tries: number;
      /**
       * What was wrong at the last one.
       */
      message: string;
      /**
       * HTTP status of the last answer.
       */
      http_status?: number;
    };
    /**
     * FAILING: its receiver does not take what it is sent. From the first time on.
     */
    conditions?: {
      /**
       * The condition's type.
       */
      type: "WEBHOOK_CONDITION_TYPE_FAILING";
      /**
       * Whether it holds; unspecified while that is not known.
       */
      status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
      /**
       * Why, as one word for programs.
       */
      reason?: string;
      /**
       * Why, in words for people.
       */
      message?: string;
      /**
       * When `status` last changed.
       */
      last_transition_time: string;
    }[];
  };
}
/**
 * An event on its way to a webhook: how often it was sent, and what was answered.
 */
export interface Delivery {
  /**
   * Counts the deliveries of the webhook, from 1.
   */
  number: number;
  /**
   * Id of the event.
   */
  event_id: string;
  /**
   * Type of the event, such as `slipway.cluster.ready.v1`.
   */
  event_type: string;
  /**
   * Of the event in the tenant's log, from which a replay may start; a test has none.
   */
  position?: string;
  /**
   * What became of it.
   */
  state: "DELIVERY_STATE_DELIVERED" | "DELIVERY_STATE_RETRYING" | "DELIVERY_STATE_FAILED";
  /**
   * How often it was sent.
   */
  tries: number;
  /**
   * When it was first sent.
   */
  first_time: string;
  /**
   * When it was last sent.
   */
  last_time: string;
  /**
   * When it will be sent again.
   */
  next_time?: string;
  /**
   * HTTP status of the receiver's last answer.
   */
  http_status?: number;
  /**
   * What was wrong at the last try.
   */
  message?: string;
}
/**
 * A baremetal instance, as it is answered to the provider. Servers that are ordered whole, in networks of their tenant.
 */
export interface PrivateBaremetalInstance {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: BaremetalInstanceSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Its state.
     */
    state:
      | "BARE_METAL_INSTANCE_STATE_PROVISIONING"
      | "BARE_METAL_INSTANCE_STATE_RUNNING"
      | "BARE_METAL_INSTANCE_STATE_FAILED"
      | "BARE_METAL_INSTANCE_STATE_DELETING"
      | "BARE_METAL_INSTANCE_STATE_STARTING"
      | "BARE_METAL_INSTANCE_STATE_STOPPING"
      | "BARE_METAL_INSTANCE_STATE_STOPPED"
      | "BARE_METAL_INSTANCE_STATE_DELETE_FAILED";
    conditions: BaremetalInstanceConditions;
    /**
     * When `state` last changed.
     */
    state_transition_time: string;
    /**
     * What it waits for, or why it failed.
     */
    message?: string;
    failure?: Failure;
    /**
     * The trigger of the last restart.
     */
    restart_trigger?: number;
    network_attachment_statuses: BaremetalInstanceNetworkAttachmentStatuses;
    /**
     * The ids of the subnets that it stands in, and while its networks change of those that it leaves too.
     */
    subnets: string[];
    hardware?: BaremetalInstanceHardware;
    /**
     * Its power, as its controller said last.
     */
    power?: string;
    /**
     * When its controller said so: it is asked while an order works on the server.
     */
    power_time?: string;
    repair?: BaremetalInstanceRepair;
    /**
     * The external IP by which the outside reaches it.
     */
    external_ip_address?: string;
    batch?: BaremetalInstanceStatusBatch;
    sla?: Sla;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
    /**
     * Name of the type of server.
     */
    instance_type: string;
    /**
     * Name of the host type. For administrators.
     */
    host_type?: string;
    /**
     * Id of the host. For administrators.
     */
    host?: string;
    /**
     * Id of the hub of the host. For administrators.
     */
    hub?: string;
  };
}
/**
 * The wanted state.
 */
export interface BaremetalInstanceSpec {
  catalog_item: Reference;
  /**
   * Values of the template's parameters, by name.
   */
  template_parameters: {
    [k: string]: unknown;
  };
  image: BaremetalInstanceImage;
  /**
   * OpenSSH public key that may log in.
   */
  ssh_public_key?: string;
  /**
   * Stands for the user data that it was ordered with; absent without.
   */
  user_data?: "***";
  /**
   * Whether the server is to run.
   */
  run_strategy:
    "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS" | "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED";
  /**
   * Any other number restarts the server once.
   */
  restart_trigger?: number;
  /**
   * The tenant's networks that it stands in.
   */
  network_attachments: {
    subnet: Reference;
    /**
     * The groups that it has there.
     */
    security_groups: Reference[];
    /**
     * Name of the network port.
     */
    interface?: string;
    /**
     * Whether its default route leads there.
     */
    primary: boolean;
  }[];
  /**
   * An external IP of the tenant has come with it, and goes with it.
   */
  auto_external_ip_attachment?: true;
  placement?: BaremetalInstancePlacement;
}
/**
 * What the server boots.
 */
export interface BaremetalInstanceImage {
  /**
   * `registry`: an image in a registry of containers; `url`: a disk image; `ipxe`: a script that the server boots in place of one.
   */
  source_type: "registry" | "url" | "ipxe";
  /**
   * Its address: of `registry` such as `quay.io/images/rhel:9`; of `url` and `ipxe` an https URL without a user.
   */
  source_ref: string;
  /**
   * Of `ipxe` alone: what the script boots reads its seed, as cloud-init does, at the URL in iPXE's setting `seed-url`, and the server runs once that has reported. Otherwise it counts as started when it has asked what to boot.
   */
  phone_home?: boolean;
}
/**
 * Constraints on the place: region, labels of hubs.
 */
export interface BaremetalInstancePlacement {
  /**
   * Region that its hub must be in, such as `eu-west`.
   */
  region?: string;
  /**
   * Labels that its hub must have.
   */
  labels?: {
    [k: string]: string;
  };
}
/**
 * The server that it is.
 */
export interface BaremetalInstanceHardware {
  /**
   * The network ports of the server.
   */
  nics: {
    /**
     * Its MAC address.
     */
    mac: string;
  }[];
}
/**
 * What the provider asks to have done to the server, as MAINTENANCE says.
 */
export interface BaremetalInstanceRepair {
  /**
   * Since when the provider asks for it.
   */
  since: string;
  /**
   * What was consented to; absent: nothing was.
   */
  consent?: "now" | "on_restart" | "window";
  /**
   * From when it may begin.
   */
  from?: string;
  /**
   * Until when it may begin.
   */
  until?: string;
}
/**
 * The servers that it was ordered with, and gets its host with.
 */
export interface BaremetalInstanceStatusBatch {
  /**
   * What all servers of one request have in common.
   */
  id: string;
  /**
   * How many servers were ordered with that request.
   */
  size: number;
  /**
   * How their hosts are to stand.
   */
  racks?: "same" | "spread";
}
/**
 * A baremetal instance template, as it is answered. What servers are ordered by: a type, an image, and parameters.
 */
export interface BaremetalInstanceTemplate {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What one gets, for people.
   */
  description?: string;
  parameters: BaremetalInstanceTemplateParameters;
  /**
   * Name of the type of server.
   */
  host_type: string;
  /**
   * Defaults of orders.
   */
  spec_defaults: {
    image?: BaremetalInstanceImage;
  };
}
/**
 * A baremetal instance catalog item, as it is answered. Offers of servers: a template with what may be chosen.
 */
export interface BaremetalInstanceCatalogItem {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What one gets, for people.
   */
  description?: string;
  template: Reference;
  /**
   * Whether tenants are offered it.
   */
  published: boolean;
  field_definitions: BaremetalInstanceCatalogItemFieldDefinitions;
}
/**
 * A bare metal instance type, as it is answered. Types of servers that are ordered whole.
 */
export interface BareMetalInstanceType {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * What such a server is good for.
     */
    description: string;
    hardware: BareMetalInstanceTypeHardware;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {};
}
/**
 * What each server of the type has.
 */
export interface BareMetalInstanceTypeHardware {
  /**
   * The processors.
   */
  cpu: {
    /**
     * Cores of all processors together.
     */
    cores: number;
    /**
     * Architecture, such as `x86_64`.
     */
    architecture?: string;
    /**
     * Model of the processors, for people.
     */
    model?: string;
    /**
     * Threads that each core runs at a time; 1 by default.
     */
    threads_per_core?: number;
  };
  /**
   * The memory.
   */
  memory: {
    /**
     * Memory in gigabytes (10^9 bytes), at least.
     */
    total_gb: number;
    /**
     * Type of the memory, for people.
     */
    type?: string;
  };
  disks?: BareMetalInstanceTypeDisks;
  accelerators?: BareMetalInstanceTypeAccelerators;
  network_ports?: BareMetalInstanceTypeNetworkPorts;
  /**
   * What else such a server can do, by name, for people.
   */
  capabilities?: {
    [k: string]: string;
  };
}
/**
 * A DPU, as it is answered. The DPUs of hosts: computers on their network cards, which carry their packets.
 */
export interface Dpu {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * Serial number, by which it says who it is.
     */
    serial: string;
    bmc: DpuBmc;
    ports: DpuPorts;
    host: Reference;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * What the DPU is doing now.
     */
    state:
      | "DPU_STATE_UNDISCOVERED"
      | "DPU_STATE_PROVISIONING"
      | "DPU_STATE_READY"
      | "DPU_STATE_QUARANTINED"
      | "DPU_STATE_RETIRED";
    /**
     * Since when it is in this state.
     */
    since?: string;
    /**
     * Why it is set aside: what was expected, and what was seen.
     */
    message?: string;
    /**
     * REPORTS: its agent is heard. From the first time on that it was not.
     */
    conditions?: {
      /**
       * The condition's type.
       */
      type: "DPU_CONDITION_TYPE_REPORTS";
      /**
       * Whether it holds; unspecified while that is not known.
       */
      status: "CONDITION_STATUS_TRUE" | "CONDITION_STATUS_FALSE" | "CONDITION_STATUS_UNSPECIFIED";
      /**
       * Why, as one word for programs.
       */
      reason?: string;
      /**
       * Why, in words for people.
       */
      message?: string;
      /**
       * When `status` last changed.
       */
      last_transition_time: string;
    }[];
    /**
     * Its address in the site's management network.
     */
    address?: string;
    /**
     * The version of the network configuration that it is to have.
     */
    wanted_version?: number;
    /**
     * When its agent asked last for its network, to ten minutes.
     */
    last_heard_time?: string;
    /**
     * The version that it has told to have.
     */
    applied_version?: number;
    /**
     * When it told last which version it has.
     */
    applied_time?: string;
    /**
     * When it told each of these last, since its image was last installed.
     */
    told_times?: {
      /**
       * It asked what to boot.
       */
      boot?: string;
      /**
       * It had an address.
       */
      address?: string;
      /**
       * Its image asked for its seed.
       */
      seed?: string;
      /**
       * Its cloud-init had run.
       */
      phone_home?: string;
      /**
       * It told what it sees on its ports.
       */
      discovery?: string;
      /**
       * It reported its health.
       */
      health?: string;
    };
    /**
     * What it is as a leaf of the fabric.
     */
    leaf?: {
      /**
       * Its ASN.
       */
      asn: number;
      /**
       * The address of its loopback.
       */
      loopback: string;
    };
    /**
     * The addresses that DHCP gave the NICs behind it, as it has told last.
     */
    leases?: {
      /**
       * MAC address of the NIC.
       */
      mac: string;
      /**
       * Its address.
       */
      address: string;
    }[];
    sla?: Sla;
    identity?: DpuIdentity;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
  };
}
/**
 * A new certificate, with the kubeconfig that it goes into.
 */
export interface IssuedCredential {
  /**
   * Serial number in hex, as the cluster's audit and `openssl x509 -serial` have it.
   */
  serial: string;
  /**
   * The user that it was issued for.
   */
  user: string;
  /**
   * When it was issued.
   */
  issue_timestamp: string;
  /**
   * Until when it is good.
   */
  expiration_timestamp: string;
  /**
   * The certificate, in PEM.
   */
  certificate: string;
  /**
   * A kubeconfig in YAML, with everything but the private key.
   */
  kubeconfig: string;
}
/**
 * How far it is to make the certificates of a cluster invalid.
 */
export interface Revocation {
  /**
   * Whether the cluster knows of it already.
   */
  state: "REVOCATION_STATE_REVOKING" | "REVOCATION_STATE_REVOKED";
  /**
   * When it was requested.
   */
  request_timestamp: string;
}
/**
 * A virtual network, as it is answered to the provider. A tenant's own network, apart from all others.
 */
export interface PrivateVirtualNetwork {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: VirtualNetworkSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether subnets can be made in it.
     */
    state:
      | "VIRTUAL_NETWORK_STATE_PENDING"
      | "VIRTUAL_NETWORK_STATE_READY"
      | "VIRTUAL_NETWORK_STATE_FAILED"
      | "VIRTUAL_NETWORK_STATE_DELETING"
      | "VIRTUAL_NETWORK_STATE_DELETE_FAILED";
    /**
     * What it waits for, or why it failed.
     */
    message?: string;
    /**
     * The VNI that it has in an overlay.
     */
    vni?: number;
    /**
     * In an overlay: counts its changes for the ends, from 1.
     */
    wanted_version?: number;
    /**
     * In an overlay: the version that every end has.
     */
    applied_version?: number;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
  };
}
/**
 * The wanted state.
 */
export interface VirtualNetworkSpec {
  /**
   * IPv4 prefix, such as 10.20.0.0/16.
   */
  ipv4_cidr?: string;
  /**
   * IPv6 prefix, such as fd00:20::/48.
   */
  ipv6_cidr?: string;
  network_class?: Reference;
}
/**
 * A subnet, as it is answered to the provider. Parts of a network, in which clusters and servers stand.
 */
export interface PrivateSubnet {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: SubnetSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether things can be put into it.
     */
    state:
      | "SUBNET_STATE_PENDING"
      | "SUBNET_STATE_READY"
      | "SUBNET_STATE_FAILED"
      | "SUBNET_STATE_DELETING"
      | "SUBNET_STATE_DELETE_FAILED";
    /**
     * What it waits for, or why it failed.
     */
    message?: string;
    /**
     * The address of its gateway, in each family that it has.
     */
    gateways?: string[];
    addresses?: SubnetAddresses;
    /**
     * In an overlay: counts its changes for the ends, from 1.
     */
    wanted_version?: number;
    /**
     * In an overlay: the version that every end has.
     */
    applied_version?: number;
    /**
     * The VLAN id that it has on the fabric.
     */
    vlan?: number;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
  };
}
/**
 * The wanted state.
 */
export interface SubnetSpec {
  /**
   * IPv4 prefix, such as 10.20.0.0/16.
   */
  ipv4_cidr?: string;
  /**
   * IPv6 prefix, such as fd00:20::/48.
   */
  ipv6_cidr?: string;
  virtual_network: Reference;
}
/**
 * Its IPv4 addresses; absent where nothing can stand in it.
 */
export interface SubnetAddresses {
  /**
   * How many members can have, without those of the network itself.
   */
  total: number;
  /**
   * How many members have.
   */
  used: number;
  /**
   * How many were released a short while ago and rest.
   */
  resting: number;
  /**
   * How many new members could get.
   */
  free: number;
}
/**
 * A security group, as it is answered to the provider. What may reach the members of a group, and what may leave them.
 */
export interface PrivateSecurityGroup {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: SecurityGroupSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether its rules apply everywhere.
     */
    state:
      | "SECURITY_GROUP_STATE_PENDING"
      | "SECURITY_GROUP_STATE_READY"
      | "SECURITY_GROUP_STATE_FAILED"
      | "SECURITY_GROUP_STATE_DELETING"
      | "SECURITY_GROUP_STATE_DELETE_FAILED";
    /**
     * What it waits for, or why it failed.
     */
    message?: string;
    /**
     * Counts the changes of its rules, from 1.
     */
    wanted_version?: number;
    /**
     * The version of the rules that applies everywhere; absent before the first.
     */
    applied_version?: number;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
  };
}
/**
 * The wanted state.
 */
export interface SecurityGroupSpec {
  virtual_network: Reference;
  ingress: SecurityGroupIngress;
  egress: SecurityGroupIngress;
}
/**
 * An external IP, as it is answered. Outside addresses that a tenant has.
 */
export interface ExternalIp {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    pool: Reference;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether the address is the tenant's, which it is with the answer to its order.
     */
    state: "EXTERNAL_IP_STATE_ALLOCATED";
    /**
     * The address.
     */
    address: string;
    /**
     * Whether something is attached to it.
     */
    attached: boolean;
  };
}
/**
 * The resources that run out next, and how many operations wait for them.
 */
export interface Capacity {
  items: CapacityItems;
  queues: CapacityQueues;
}
/**
 * A network class, as it is answered. Who makes tenants' networks real.
 */
export interface NetworkClass {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * A short title for people.
   */
  title?: string;
  /**
   * What such a network is good for.
   */
  description?: string;
  /**
   * Who makes its networks real: a site's fabric, a hub, or the DPUs of servers.
   */
  implementation_strategy: "fabric" | "hub" | "overlay";
  /**
   * Whether orders that name no class get this one.
   */
  is_default: boolean;
  capabilities: NetworkClassCapabilities;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * Whether networks may have public prefixes; only private ones unless said.
     */
    allows_public?: boolean;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether networks can be ordered of it.
     */
    state: "NETWORK_CLASS_STATE_READY";
  };
}
/**
 * What networks of this class can be.
 */
export interface NetworkClassCapabilities {
  /**
   * Whether networks may have IPv4 prefixes.
   */
  supports_ipv4: boolean;
  /**
   * Whether networks may have IPv6 prefixes.
   */
  supports_ipv6: boolean;
  /**
   * Whether a network may have both.
   */
  supports_dual_stack: boolean;
  /**
   * Whether DPUs of servers are its ends.
   */
  dpu_support: boolean;
}
/**
 * A NAT gateway, as it is answered to the provider. The ways out of networks, with an address that stays.
 */
export interface PrivateNatGateway {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: NatGatewaySpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether the network reaches the outside.
     */
    state:
      | "NAT_GATEWAY_STATE_PENDING"
      | "NAT_GATEWAY_STATE_READY"
      | "NAT_GATEWAY_STATE_FAILED"
      | "NAT_GATEWAY_STATE_DELETING"
      | "NAT_GATEWAY_STATE_DELETE_FAILED";
    /**
     * What it waits for, or why it failed.
     */
    message?: string;
    /**
     * The address that the outside sees.
     */
    external_ip_address: string;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
  };
}
/**
 * The wanted state.
 */
export interface NatGatewaySpec {
  virtual_network: Reference;
  external_ip: Reference;
}
/**
 * An external IP attachment, as it is answered to the provider. External IPs at endpoints of clusters.
 */
export interface PrivateExternalIpAttachment {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  spec: ExternalIpAttachmentSpec;
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether the address leads to the endpoint.
     */
    state:
      | "EXTERNAL_IP_ATTACHMENT_STATE_PENDING"
      | "EXTERNAL_IP_ATTACHMENT_STATE_READY"
      | "EXTERNAL_IP_ATTACHMENT_STATE_FAILED"
      | "EXTERNAL_IP_ATTACHMENT_STATE_DELETING"
      | "EXTERNAL_IP_ATTACHMENT_STATE_DELETE_FAILED";
    /**
     * What it waits for, or why it failed.
     */
    message?: string;
    /**
     * The address.
     */
    external_ip_address: string;
    /**
     * Id of the operation that works on it.
     */
    operation?: string;
    /**
     * What this operation waits for.
     */
    waiting?: Wait[];
    stalled?: Stalled;
  };
}
/**
 * The wanted state.
 */
export interface ExternalIpAttachmentSpec {
  external_ip: Reference;
  cluster?: Reference;
  baremetal_instance?: Reference;
  /**
   * The endpoint of the cluster.
   */
  target_endpoint?:
    "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API" | "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS";
}
/**
 * What stands on a hub, and where there is room for it.
 */
export interface DrainPlan {
  /**
   * The clusters on the hub, those with most nodes first.
   */
  clusters: {
    /**
     * Its id.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
    /**
     * The tenant that it is of.
     */
    tenant: string;
    /**
     * Its state.
     */
    state: string;
    /**
     * Its node sets.
     */
    node_sets: {
      /**
       * Name of the node set.
       */
      name: string;
      /**
       * Name of the type of its hosts.
       */
      host_type: string;
      /**
       * How many hosts it has.
       */
      size: number;
    }[];
    /**
     * The hub that has room for it beside those before it in the list; absent where none has.
     */
    room_at?: {
      /**
       * Id of the hub.
       */
      id: string;
      /**
       * Name of the hub.
       */
      name: string;
    };
    /**
     * Why no hub has room for it.
     */
    why?: string;
  }[];
  /**
   * Tenants' servers on hosts of the hub, whose room is what these clusters leave.
   */
  servers: {
    /**
     * Its id.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
    /**
     * The tenant that it is of.
     */
    tenant: string;
    /**
     * Its state.
     */
    state: string;
    /**
     * Name of the host that it has.
     */
    host: string;
    /**
     * Name of the type of its host.
     */
    host_type: string;
    /**
     * The hub that has room for it beside those before it in the list; absent where none has.
     */
    room_at?: {
      /**
       * Id of the hub.
       */
      id: string;
      /**
       * Name of the hub.
       */
      name: string;
    };
    /**
     * Why no hub has room for it.
     */
    why?: string;
  }[];
  /**
   * How many of all these no other hub has room for.
   */
  without_room: number;
  /**
   * Orders that wait for what this hub could give them, if it is not cordoned.
   */
  queues: {
    /**
     * What they wait for.
     */
    waits_for: "control_planes" | "hosts";
    /**
     * Name of the type, of hosts.
     */
    host_type?: string;
    /**
     * How many wait; 101 stands for all above a hundred.
     */
    orders: number;
  }[];
  /**
   * The hosts of the hub.
   */
  hosts: {
    /**
     * How many the hub has.
     */
    total: number;
    /**
     * How many of them are held.
     */
    used: number;
  };
}
/**
 * A page of the numbers of a site's pool, each with who has it.
 */
export interface SiteNumbers {
  /**
   * The pool of the site.
   */
  pool: "vlans" | "prefixes" | "floating_ips";
  /**
   * How many numbers are on this page.
   */
  size: number;
  /**
   * How many numbers the pool has.
   */
  total: number;
  /**
   * The number that a page of as many before this one is read from; absent on the first.
   */
  previous?: string;
  /**
   * The number that the next page is read from; absent on the last page.
   */
  next?: string;
  /**
   * The numbers, in order, and who has each.
   */
  items: Holding[];
}
/**
 * A user, as it is answered. The people of a tenant.
 */
export interface User {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * The user in the person's tokens.
     */
    username: string;
    /**
     * The person's mail address.
     */
    email?: string;
    /**
     * Whether the person may do anything.
     */
    enabled: boolean;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {};
}
/**
 * A role binding, as it is answered. Who is bound to which role.
 */
export interface RoleBinding {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    role: Reference;
    /**
     * Users who have the role.
     */
    users: Reference[];
    /**
     * Groups of the tenant's identity provider who have the role.
     */
    groups?: string[];
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether it holds already.
     */
    state: "ROLE_BINDING_STATE_PENDING" | "ROLE_BINDING_STATE_READY";
  };
}
/**
 * A project, as it is answered. Parts of a tenant, one below the other.
 */
export interface Project {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * A short title for people.
     */
    title?: string;
    /**
     * What the project is for.
     */
    description?: string;
    parent?: Reference;
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * Whether it can be used.
     */
    state: "PROJECT_STATE_PENDING" | "PROJECT_STATE_ACTIVE";
  };
}
/**
 * An identity provider, as it is answered. Where the people of a tenant log in.
 */
export interface IdentityProvider {
  /**
   * The object's id, unique among all objects of the kind.
   */
  id?: string;
  metadata: Metadata;
  /**
   * The wanted state.
   */
  spec: {
    /**
     * A short title for people.
     */
    title?: string;
    /**
     * What else there is to say of it.
     */
    description?: string;
    /**
     * Whether people can log in by it.
     */
    enabled?: boolean;
    /**
     * Its settings for OpenID Connect.
     */
    oidc?: {
      /**
       * URL of the OpenID Connect issuer.
       */
      issuer?: string;
      /**
       * URL where people log in.
       */
      authorization_url?: string;
      /**
       * URL where codes are exchanged for tokens.
       */
      token_url?: string;
      /**
       * URL that tells the user of a token.
       */
      user_info_url?: string;
      /**
       * URL of the keys that tokens are signed with.
       */
      jwks_url?: string;
      /**
       * URL where people log out.
       */
      logout_url?: string;
      /**
       * Id of the client there.
       */
      client_id?: string;
      /**
       * Scopes that are asked for.
       *
       * @maxItems 50
       */
      default_scopes?: string[];
      /**
       * Whether signatures of tokens are checked.
       */
      validate_signature?: boolean;
      /**
       * Never answered but as `***`; sent back, it keeps the one that is stored.
       */
      client_secret?: string;
    };
  };
  /**
   * The present state; only Slipway writes it.
   */
  status: {
    /**
     * How far its setup is.
     */
    phase: "IDENTITY_PROVIDER_PHASE_UNKNOWN";
  };
}
