/**
 * Dictionaries of zlib: sample texts of the maps and lists in records, which halve the space of these. The last one
 * packs, and each unpacks. None is ever changed or removed, because stored items need it; a new one is deployed to
 * readers first. Values that differ are left out: ids, times, and the names of an installation.
 */

/** The entries of an operation's steps that are done, each with its system. */
const steps = (names: [string, string][]): string =>
  names
    .map(
      ([name, system], n) =>
        `"${name}":{"position":${n},"state":"SUCCEEDED","attempts":1,"system":"${system}","start_time":"","end_time":""},`,
    )
    .join("");

const pending = (names: string[], from: number): string =>
  names
    .map((name, n) => `"${name}":{"position":${from + n},"state":"PENDING","attempts":0},`)
    .join("");

const conditions = (types: [string, string][]): string =>
  types
    .map(
      ([type, status]) =>
        `{"type":"CLUSTER_CONDITION_TYPE_${type}","status":"CONDITION_STATUS_${status}","last_transition_time":""},`,
    )
    .join("");

const parts = (names: string[]): string =>
  names.map((name) => `"${name}":{"state":"done","message":"","at":""},`).join("");

/** Rare texts come first: zlib refers to the end of a dictionary with the fewest bits. */
const first = [
  '"earlier_tokens":["kept#","blocked_by":{"kind":"hub","id":"","retry_at":"","away_at":"","again":true,"unanswered":1',
  '"state":"FAILED","error":"Rejected","failure":{"step":"","kind":"Rejected","message":"',
  '"diagnostics":["rehearsal":"cancel":{"at":"","by":"","preempted":false},"hold":true,"resume":{"at":"","by":"',
  '"stalled":{"step":"","since":"","message":"","state":"pending","message":"","remaining":["being deleted',
  '"project":"","upgrade":{"from":{"version":{"id":"","release":{"version":"4.',
  '"status":{"state":"HOST_STATE_AVAILABLE","HOST_STATE_ALLOCATED","HOST_STATE_INSTALLING","HOST_STATE_READY","owner":{"kind":"cluster","id":"',
  'the hub does not answer","slipway.host.updated.v1","changed":["status.state","status.owner"]',
  '"spec":{"host_type":"","hub":"","bmc":{"address":"redfish-virtualmedia://","nics":[{"name":"eno1","mac":"","switch":"","port":"Ethernet1/',
  '"agent":{"hub":"","name":"","uid":"","resource_version":"","at":"","gone":false,"state":"known-unbound",',
  '"message":"Host is ready to be bound to a cluster","bound_to":"","labelled_for":"","addresses":["10.',
  "is waiting for its workload to be scheduled; cluster operators (KubeAPIServerAvailable: WaitingForAvailable: Waiting for Kube APIServer deployment to become available",
  "Available: WaitingForAvailable: Waiting for hosted control plane to be healthyWorking towards 4.: waiting on cluster operators",
  "AllMachinesReady: InstallationInProgress: Machine -workers-: InstallationInProgress: The installation is in progress: Host is waiting for other hosts",
  steps([
    ["ReserveHosts", "placement"],
    ["AttachHosts", "fabric"],
    ["ResizeNodePools", "hub"],
    ["DetachHosts", "fabric"],
    ["ReleaseHosts", "hub"],
    ["UpgradeControlPlane", "hub"],
    ["UpgradeNodeSets", "hub"],
  ]),
  '"status":{"state":"RUNNING","start_time":"","found_from":""},"steps":{"Undo PublishCluster":{"position":0,"state":"SUCCEEDED","attempts":1,"start_time":"","end_time":""},',
  steps([
    ["Undo PublishCluster", "hub"],
    ["Undo DeployControlPlane", "hub"],
    ["Undo AllocateStorage", "storage"],
    ["Undo CreateDnsRecords", "DNS"],
    ["Undo AllocateFloatingIps", "fabric"],
    ["Undo AttachHosts", "fabric"],
    ["Undo CreateLayer3Network", "fabric"],
    ["Undo CreateLayer2Network", "fabric"],
    ["Undo ReserveCapacity", "hub"],
  ]),
  pending(["Undo ReserveCapacity", "ArchiveCluster"], 8),
  '"spec":{"saga":"cluster-scale","change":"UPDATE","saga":"cluster-delete","change":"DELETE","spec":{"saga":"cluster-create","change":"CREATE","target":{"kind":"cluster","id":"","name":""}},',
  '"status":{"state":"RUNNING","start_time":"","found_from":""},"steps":{',
  steps([
    ["ReserveCapacity", "placement"],
    ["CreateLayer2Network", "fabric"],
    ["CreateLayer3Network", "fabric"],
    ["AttachHosts", "fabric"],
    ["AllocateFloatingIps", "fabric"],
    ["CreateDnsRecords", "DNS"],
    ["AllocateStorage", "storage"],
    ["DeployControlPlane", "hub"],
    ["JoinNodes", "hub"],
    ["ConfigureCluster", "hosted cluster"],
    ["ValidateCluster", "hosted cluster"],
  ]),
  '"state":"RUNNING","attempts":1,"system":"hub","start_time":"","state":"WAITING","attempts":1,"system":"hub","start_time":"","deadline":"","usual_end":"","token":"kept#","waiting_since":"","message":"nodes: workers 0 of 2 (0 of 2 nodes)","look_at":"","attempt":"","leases":{"":17}},',
  pending(
    [
      "CreateDnsRecords",
      "AllocateStorage",
      "DeployControlPlane",
      "JoinNodes",
      "ConfigureCluster",
      "ValidateCluster",
      "PublishCluster",
    ],
    5,
  ),
  '"PublishCluster":{"position":11,"state":"PENDING","attempts":0}},"queued":false,"unwinding":false,',
  '"event":{"type":"slipway.operation.updated.v1","sequence":1,"time":"","changed":["status.state","status.steps","status.percent","status.waiting","status.waiting_for","status.deadline","status.estimate"],"kept_back":["status.steps","status.waiting","status.waiting_for"]},"estimate":"',
  '"spec":{"template":{"id":"","name":""},"template_parameters":{},"node_sets":{"workers":{"host_type":{"id":"","name":""},"size":2}},"version":{"id":"4-","name":"4-"},"network":{},"placement":{"region":""}},',
  '"status":{"state":"CLUSTER_STATE_DELETING","status":{"state":"CLUSTER_STATE_PROGRESSING","status":{"state":"CLUSTER_STATE_READY","state_transition_time":"","since":[',
  conditions([
    ["PROGRESSING", "FALSE"],
    ["READY", "TRUE"],
    ["PROGRESSING", "TRUE"],
    ["READY", "FALSE"],
    ["FAILED", "FALSE"],
    ["DEGRADED", "FALSE"],
    ["CLUSTER_AVAILABLE", "FALSE"],
    ["NODES_READY", "FALSE"],
    ["INFRASTRUCTURE_READY", "FALSE"],
    ["TEMPLATE_APPLIED", "FALSE"],
    ["CLUSTER_AVAILABLE", "TRUE"],
    ["NODES_READY", "TRUE"],
    ["INFRASTRUCTURE_READY", "TRUE"],
    ["TEMPLATE_APPLIED", "TRUE"],
  ]),
  '"}]},"infra_id":"","template_revision":1,"has_storage":true,"release":{"version":"4.","image":"quay.io/openshift-release-dev/ocp-release:4.-multi"},"published":true,"published":false,',
  '"event":{"type":"slipway.cluster.updated.v1","sequence":1,"time":"","changed":["status.conditions","status.operation","status.node_sets.workers.ready","status.version","status.api_endpoint","status.api_url","status.console_url"],"kept_back":["status.conditions"]},',
  '"charge":{"control_planes":1,"floating_ips":2,"storage_clusters":1,"hosts:":2},"operation":"","applying":{"workers":{"host_type":{"id":"","name":""},"size":2}},',
  '"site":{"id":"","parts":{',
  parts([
    "storage",
    "layer2",
    "layer3",
    "attachments",
    "floating_ips",
    "dns_records",
    "attachments",
  ]),
  '"}},"vlan":1,"network":{"number":0,"prefix":"10.0.0/24","gateway":"10.","api":"10.","ingress":"10.","range":{"first":"10.","last":"10.254"},"dns_servers":[""]},"floating_ips":{"api":"","ingress":""},"domain":""},"ready_at":"","console_url":"https://console-openshift-console.apps.',
  '"placement":{"hub":"","at":"","reason":"least loaded of 1 fitting hubs: 0 of 20 control planes in use","rejected":[{"hub":"","reason":"is in region "}],"hosts":{"workers":[""]}},',
  '"observed":{"node_pools":{"workers":{"uid":"","resource_version":"","at":"","gone":false,"desired":2,"replicas":0,"ready":false,"version_completed":false,"message":"0 of 2 nodes"}},"desired":2,"replicas":2,"ready":true,"version":"4.","version_completed":true,"message":""}},',
  '"control_plane":{"uid":"","resource_version":"","at":"","gone":false,"available":false,"degraded":true,"version_completed":false,"message":"","rolling_to":"4.","available":true,"degraded":false,"version_completed":true,"message":"","version":"4.","endpoint":{"host":"api.","port":6443},"kubeconfig_secret":"-admin-kubeconfig","password_secret":"-kubeadmin-password"},',
  '"configuration":{"state":"done","message":"","at":"","parts":["storage class","ingress","manifests"]},"operators":{"at":"","total":21,"unavailable":[]},"validation":{"state":"done","message":"","at":""}},',
  '"operation":"","applied":{"workers":{"host_type":{"id":"","name":""},"size":2}}}}',
  // The beginning of every record.
  '{"object":{"kind":"operation","id":"{"object":{"kind":"cluster","id":"","metadata":{"name":"","tenant":"","labels":{},"annotations":{},"creator":"","creation_timestamp":"","deletion_timestamp":""},"generation":0,"revision":',
].join("");

export const dictionaries: readonly Uint8Array[] = [Buffer.from(first)];
