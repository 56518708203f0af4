import type { Shapes } from "../../core/kernel/saga/settle.ts";

/**
 * Every saga without the code of its steps, for functions that run none. Made from the sagas' tables by
 * `npm run generate`; do not edit.
 */
export const sagaShapes: Shapes = {
  "cluster-create": {
    "name": "cluster-create",
    "comment": "An ordered cluster becomes READY, or everything that it claimed is released",
    "nodes": [
      {
        "name": "ReserveCapacity",
        "do": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}, "fromOrder": true}
      },
      {
        "name": "PrepareSite",
        "branches": [
          {
            "name": "network",
            "steps": [
              {
                "name": "CreateLayer2Network",
                "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}},
                "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
              },
              {
                "name": "CreateLayer3Network",
                "do": {"deadline": 86400000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}},
                "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
              },
              {
                "name": "AttachHosts",
                "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}},
                "undo": {"deadline": 86400000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}}
              },
              {
                "name": "AllocateFloatingIps",
                "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}},
                "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
              },
              {
                "name": "CreateDnsRecords",
                "do": {"deadline": 1800000, "usually": 30000, "system": {"name": "DNS", "zone": "site"}},
                "undo": {"deadline": 86400000, "system": {"name": "DNS", "zone": "site"}}
              }
            ]
          },
          {
            "name": "storage",
            "steps": [
              {
                "name": "AllocateStorage",
                "do": {"deadline": 1800000, "system": {"name": "storage", "zone": "site"}},
                "undo": {"deadline": 86400000, "system": {"name": "storage", "zone": "site"}}
              }
            ]
          }
        ]
      },
      {
        "name": "DeployControlPlane",
        "do": {"deadline": 1800000, "usually": 420000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "usually": 300000, "system": {"name": "hub", "zone": "hub"}}
      },
      {"name": "JoinNodes", "do": {"deadline": 3600000, "usually": 600000, "system": {"name": "hub", "zone": "hub"}}},
      {"name": "ConfigureCluster", "do": {"deadline": 3600000, "usually": 240000, "system": {"name": "hosted cluster", "zone": "hub"}}},
      {"name": "ValidateCluster", "do": {"deadline": 14400000, "usually": 180000, "system": {"name": "hosted cluster", "zone": "hub"}}},
      {"name": "PublishCluster", "do": {"deadline": 900000}, "undo": {"deadline": 900000}}
    ]
  },
  "cluster-delete": {
    "name": "cluster-delete",
    "comment": "A cluster is deleted, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearHub",
        "steps": [
          {"name": "Undo PublishCluster", "do": {"deadline": 900000}},
          {"name": "Undo DeployControlPlane", "do": {"deadline": 86400000, "usually": 300000, "system": {"name": "hub", "zone": "hub"}}}
        ]
      },
      {
        "name": "ClearSite",
        "steps": [
          {"name": "Undo AllocateStorage", "do": {"deadline": 86400000, "system": {"name": "storage", "zone": "site"}}},
          {"name": "Undo CreateDnsRecords", "do": {"deadline": 86400000, "system": {"name": "DNS", "zone": "site"}}},
          {"name": "Undo AllocateFloatingIps", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}},
          {"name": "Undo AttachHosts", "do": {"deadline": 86400000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}}},
          {"name": "Undo CreateLayer3Network", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}},
          {"name": "Undo CreateLayer2Network", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}}
        ]
      },
      {
        "name": "ReleaseAndArchive",
        "steps": [
          {"name": "Undo ReserveCapacity", "do": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}, "fromOrder": true}},
          {"name": "ArchiveCluster", "do": {"deadline": 900000}}
        ]
      }
    ]
  },
  "cluster-scale": {
    "name": "cluster-scale",
    "comment": "Node sets are added, resized and removed, or restored to their previous sizes",
    "nodes": [
      {
        "name": "ReserveHosts",
        "do": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      },
      {
        "name": "AttachHosts",
        "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "ResizeNodePools",
        "do": {"deadline": 3600000, "usually": 600000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      },
      {
        "name": "DetachHosts",
        "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "ReleaseHosts",
        "do": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}
      }
    ]
  },
  "cluster-upgrade": {
    "name": "cluster-upgrade",
    "comment": "The control plane goes to another version, then each node set; or the upgrade stops in between",
    "nodes": [
      {"name": "CheckUpgrade", "do": {"deadline": 900000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "UpgradeControlPlane",
        "do": {"deadline": 7200000, "usually": 1200000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      },
      {
        "name": "UpgradeNodeSets",
        "do": {"deadline": 86400000, "usually": 1800000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      },
      {"name": "ValidateCluster", "do": {"deadline": 3600000, "usually": 180000, "system": {"name": "hosted cluster", "zone": "hub"}}}
    ]
  },
  "cluster-networking": {
    "name": "cluster-networking",
    "comment": "Every port of a cluster has its new security groups, or again those that it had",
    "nodes": [
      {
        "name": "ChangeSecurityGroups",
        "do": {"deadline": 7200000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}}
      }
    ]
  },
  "cluster-renew": {
    "name": "cluster-renew",
    "comment": "The ingress of a cluster has a new certificate, or keeps the one that it had",
    "nodes": [
      {
        "name": "RenewIngressCertificate",
        "do": {"deadline": 3600000, "usually": 30000, "system": {"name": "hosted cluster", "zone": "hub"}}
      }
    ]
  },
  "host-discover": {
    "name": "host-discover",
    "comment": "A server boots the discovery image and becomes a free host, or is set aside",
    "nodes": [
      {"name": "PowerOff", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ReadDiscoveryImage", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "EraseDrives",
        "do": {"deadline": 129600000, "usually": 600000, "system": {"name": "bare metal", "zone": "site"}},
        "undo": {"deadline": 900000}
      },
      {"name": "PowerOffErased", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ForgetAgent", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "BootDiscoveryImage",
        "do": {"deadline": 10800000, "usually": 600000, "system": {"name": "bare metal", "zone": "site"}},
        "undo": {"deadline": 900000}
      },
      {"name": "EjectMedia", "do": {"deadline": 1800000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "AdmitAgent", "do": {"deadline": 1800000, "system": {"name": "hub", "zone": "hub"}}},
      {"name": "EndBoot", "do": {"deadline": 900000}}
    ]
  },
  "host-provision": {
    "name": "host-provision",
    "comment": "A server with DPUs boots the discovery image through them and becomes a free host",
    "nodes": [
      {"name": "PowerOff", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ProvisionDpus", "do": {"deadline": 32400000, "usually": 720000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "ConfirmAdminNetwork", "do": {"deadline": 1800000, "usually": 40000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "ReadDiscoveryImage", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "EraseDrives",
        "do": {"deadline": 129600000, "usually": 600000, "system": {"name": "bare metal", "zone": "site"}},
        "undo": {"deadline": 900000}
      },
      {"name": "PowerOffErased", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ForgetAgent", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "BootFromAdminNetwork",
        "do": {"deadline": 10800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}},
        "undo": {"deadline": 900000}
      },
      {"name": "AdvertiseAddress", "do": {"deadline": 10800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "AwaitAgent", "do": {"deadline": 10800000, "usually": 600000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "MapPorts", "do": {"deadline": 900000, "usually": 30000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "AdmitAgent", "do": {"deadline": 1800000, "system": {"name": "hub", "zone": "hub"}}},
      {"name": "EndBoot", "do": {"deadline": 900000}}
    ]
  },
  "host-clean": {
    "name": "host-clean",
    "comment": "A used server leaves every network, is switched off and erased, or is set aside",
    "nodes": [
      {"name": "LeaveNetworks", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}}},
      {"name": "PowerOff", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ProvisionDpus", "do": {"deadline": 32400000, "usually": 720000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "ConfirmAdminNetwork", "do": {"deadline": 1800000, "usually": 40000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "ReadDiscoveryImage", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "EraseDrives",
        "do": {"deadline": 129600000, "usually": 600000, "system": {"name": "bare metal", "zone": "site"}},
        "undo": {"deadline": 900000}
      },
      {"name": "PowerOffErased", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ForgetAgent", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}}
    ]
  },
  "host-switch-off": {
    "name": "host-switch-off",
    "comment": "A free server is switched off, and its hub forgets its agent",
    "nodes": [
      {"name": "PowerOff", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ForgetAgent", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}}
    ]
  },
  "host-update-firmware": {
    "name": "host-update-firmware",
    "comment": "A server gets the firmware that its type asks for and is off, or is set aside",
    "nodes": [
      {"name": "PowerOff", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ReadDiscoveryImage", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {"name": "UpdateFirmware", "do": {"deadline": 86400000, "usually": 1200000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "PowerOffUpdated", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ForgetAgent", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}}
    ]
  },
  "dpu-provision": {
    "name": "dpu-provision",
    "comment": "A DPU installs its image, and becomes a leaf that has its host on the admin network",
    "nodes": [
      {"name": "BootInstaller", "do": {"deadline": 21600000, "usually": 180000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "GetAddress", "do": {"deadline": 21600000, "usually": 20000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "LoadImage", "do": {"deadline": 21600000, "usually": 300000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "RunCloudInit", "do": {"deadline": 21600000, "usually": 300000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ReportDiscovery", "do": {"deadline": 21600000, "usually": 30000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "AnnounceLeaf", "do": {"deadline": 1800000, "usually": 40000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "ConfigureNetwork", "do": {"deadline": 1800000, "usually": 40000, "system": {"name": "DPU", "zone": "site"}}}
    ]
  },
  "instance-provision": {
    "name": "instance-provision",
    "comment": "An ordered server is the tenant's, or everything that it claimed is released",
    "nodes": [
      {
        "name": "ReserveHost",
        "do": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}, "fromOrder": true}
      },
      {"name": "PowerOff", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "LeavePool", "do": {"deadline": 3600000, "system": {"name": "hub", "zone": "hub"}}},
      {
        "name": "PrepareNetworks",
        "do": {"deadline": 1800000, "system": {"name": "placement", "zone": "core"}},
        "undo": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}
      },
      {
        "name": "AttachHost",
        "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "BootImage",
        "do": {"deadline": 14400000, "usually": 300000, "system": {"name": "bare metal", "zone": "site"}},
        "undo": {"deadline": 86400000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}
      },
      {"name": "AwaitPhoneHome", "do": {"deadline": 28800000, "usually": 480000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "SettlePower", "do": {"deadline": 1800000, "usually": 120000, "system": {"name": "bare metal", "zone": "site"}}},
      {
        "name": "PublishInstance",
        "do": {"deadline": 900000},
        "undo": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}
      }
    ]
  },
  "instance-networking": {
    "name": "instance-networking",
    "comment": "A server is in its new networks, with its new security groups, or again in those that it had",
    "nodes": [
      {
        "name": "ClaimAddresses",
        "do": {"deadline": 1800000, "system": {"name": "placement", "zone": "core"}},
        "undo": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}
      },
      {
        "name": "ChangeNetworks",
        "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "usually": 60000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "ChangeSecurityGroups",
        "do": {"deadline": 7200000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "ReleaseAddresses",
        "do": {"deadline": 1800000, "system": {"name": "placement", "zone": "core"}},
        "undo": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}
      }
    ]
  },
  "instance-restart": {
    "name": "instance-restart",
    "comment": "A tenant's server has started anew and said so, or is off",
    "nodes": [
      {"name": "SettlePower", "do": {"deadline": 1800000, "usually": 120000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "StartServer", "do": {"deadline": 28800000, "usually": 480000, "system": {"name": "bare metal", "zone": "site"}}}
    ]
  },
  "instance-reinstall": {
    "name": "instance-reinstall",
    "comment": "A tenant's server runs its image anew, and has said so",
    "nodes": [
      {"name": "BootImage", "do": {"deadline": 14400000, "usually": 300000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "AwaitPhoneHome", "do": {"deadline": 28800000, "usually": 480000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "SettlePower", "do": {"deadline": 1800000, "usually": 120000, "system": {"name": "bare metal", "zone": "site"}}}
    ]
  },
  "instance-repair": {
    "name": "instance-repair",
    "comment": "The firmware of a tenant's server is updated, or its DPUs are installed anew, and it has started and said so, or is off",
    "nodes": [
      {"name": "StopServer", "do": {"deadline": 1800000, "usually": 120000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "UpdateFirmware", "do": {"deadline": 14400000, "usually": 1200000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "StopUpdated", "do": {"deadline": 1800000, "usually": 120000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "ReinstallDpus", "do": {"deadline": 32400000, "usually": 720000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "RestoreNetworks", "do": {"deadline": 1800000, "usually": 60000, "system": {"name": "DPU", "zone": "site"}}},
      {"name": "StartServer", "do": {"deadline": 28800000, "usually": 480000, "system": {"name": "bare metal", "zone": "site"}}},
      {"name": "EndRepair", "do": {"deadline": 900000}}
    ]
  },
  "instance-release": {
    "name": "instance-release",
    "comment": "A tenant's server is isolated and released; its host is erased after that",
    "irreversible": true,
    "nodes": [
      {
        "name": "Isolate",
        "steps": [
          {"name": "Undo PublishInstance", "do": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}},
          {"name": "Undo BootImage", "do": {"deadline": 86400000, "usually": 60000, "system": {"name": "bare metal", "zone": "site"}}},
          {"name": "Undo AttachHost", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}}
        ]
      },
      {
        "name": "ReleaseAndArchive",
        "steps": [
          {"name": "Undo PrepareNetworks", "do": {"deadline": 86400000, "system": {"name": "placement", "zone": "core"}}},
          {"name": "Undo ReserveHost", "do": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}, "fromOrder": true}},
          {"name": "ArchiveInstance", "do": {"deadline": 900000}}
        ]
      }
    ]
  },
  "virtual-network-create": {
    "name": "virtual-network-create",
    "comment": "An ordered network becomes READY, or everything that it claimed is released",
    "nodes": [
      {
        "name": "CreateRouter",
        "do": {"deadline": 7200000, "usually": 5000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      }
    ]
  },
  "virtual-network-delete": {
    "name": "virtual-network-delete",
    "comment": "A network is deleted, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearNetwork",
        "steps": [{"name": "Undo CreateRouter", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}}]
      }
    ]
  },
  "subnet-create": {
    "name": "subnet-create",
    "comment": "An ordered subnet becomes READY, or everything that it claimed is released",
    "nodes": [
      {
        "name": "CreateLayer2Network",
        "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "ConnectSubnet",
        "do": {"deadline": 7200000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      }
    ]
  },
  "subnet-delete": {
    "name": "subnet-delete",
    "comment": "A subnet is deleted, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearSubnet",
        "steps": [
          {"name": "Undo ConnectSubnet", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}},
          {"name": "Undo CreateLayer2Network", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}}
        ]
      }
    ]
  },
  "security-group-create": {
    "name": "security-group-create",
    "comment": "An ordered security group becomes READY, or everything that it claimed is released",
    "nodes": [
      {
        "name": "ApplyRules",
        "do": {"deadline": 7200000, "usually": 5000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      }
    ]
  },
  "security-group-apply": {
    "name": "security-group-apply",
    "comment": "The changed rules of a security group apply everywhere",
    "nodes": [{"name": "ApplyRules", "do": {"deadline": 7200000, "usually": 5000, "system": {"name": "fabric", "zone": "site"}}}]
  },
  "security-group-delete": {
    "name": "security-group-delete",
    "comment": "A security group is deleted, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearGroup",
        "steps": [{"name": "Undo ApplyRules", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}}]
      }
    ]
  },
  "external-ip-attachment-create": {
    "name": "external-ip-attachment-create",
    "comment": "An ordered attachment becomes READY, or the endpoint has its own address again",
    "nodes": [
      {"name": "ClaimEndpoint", "do": {"deadline": 900000}, "undo": {"deadline": 900000, "fromOrder": true}},
      {
        "name": "LeadExternalIp",
        "do": {"deadline": 7200000, "usually": 10000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      },
      {
        "name": "MoveNames",
        "do": {"deadline": 1800000, "usually": 30000, "system": {"name": "DNS", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "DNS", "zone": "site"}}
      }
    ]
  },
  "external-ip-attachment-delete": {
    "name": "external-ip-attachment-delete",
    "comment": "An attachment is deleted, and the endpoint has its own address again",
    "irreversible": true,
    "nodes": [
      {
        "name": "Detach",
        "steps": [
          {"name": "Undo MoveNames", "do": {"deadline": 86400000, "system": {"name": "DNS", "zone": "site"}}},
          {"name": "Undo LeadExternalIp", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}},
          {"name": "Undo ClaimEndpoint", "do": {"deadline": 900000, "fromOrder": true}}
        ]
      }
    ]
  },
  "nat-gateway-create": {
    "name": "nat-gateway-create",
    "comment": "An ordered NAT gateway becomes READY, or its external IP is free again",
    "nodes": [
      {"name": "ClaimWayOut", "do": {"deadline": 900000}, "undo": {"deadline": 900000, "fromOrder": true}},
      {
        "name": "OpenWayOut",
        "do": {"deadline": 7200000, "usually": 5000, "system": {"name": "fabric", "zone": "site"}},
        "undo": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}
      }
    ]
  },
  "nat-gateway-delete": {
    "name": "nat-gateway-delete",
    "comment": "A NAT gateway is deleted, and its external IP is free again",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearWayOut",
        "steps": [
          {"name": "Undo OpenWayOut", "do": {"deadline": 86400000, "system": {"name": "fabric", "zone": "site"}}},
          {"name": "Undo ClaimWayOut", "do": {"deadline": 900000, "fromOrder": true}}
        ]
      }
    ]
  },
  "hub-network-create": {
    "name": "hub-network-create",
    "comment": "An ordered network becomes READY on its hub, or everything that it claimed is released",
    "nodes": [
      {
        "name": "CreateNamespace",
        "do": {"deadline": 7200000, "usually": 2000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      }
    ]
  },
  "hub-network-delete": {
    "name": "hub-network-delete",
    "comment": "A network is taken off its hub, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearNetwork",
        "steps": [{"name": "Undo CreateNamespace", "do": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}}]
      }
    ]
  },
  "hub-subnet-create": {
    "name": "hub-subnet-create",
    "comment": "An ordered subnet becomes READY on its hub, or everything that it claimed is released",
    "nodes": [
      {
        "name": "CreateSegment",
        "do": {"deadline": 7200000, "usually": 5000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      }
    ]
  },
  "hub-subnet-delete": {
    "name": "hub-subnet-delete",
    "comment": "A subnet is taken off its hub, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearSubnet",
        "steps": [{"name": "Undo CreateSegment", "do": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}}]
      }
    ]
  },
  "hub-security-group-create": {
    "name": "hub-security-group-create",
    "comment": "An ordered security group becomes READY on its hub, or everything that it claimed is released",
    "nodes": [
      {
        "name": "ApplyPolicies",
        "do": {"deadline": 7200000, "usually": 2000, "system": {"name": "hub", "zone": "hub"}},
        "undo": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}
      }
    ]
  },
  "hub-security-group-apply": {
    "name": "hub-security-group-apply",
    "comment": "The hub has the changed rules of a security group",
    "nodes": [{"name": "ApplyPolicies", "do": {"deadline": 7200000, "usually": 2000, "system": {"name": "hub", "zone": "hub"}}}]
  },
  "hub-security-group-delete": {
    "name": "hub-security-group-delete",
    "comment": "A security group is taken off its hub, and everything that it held is released",
    "irreversible": true,
    "nodes": [
      {
        "name": "ClearGroup",
        "steps": [{"name": "Undo ApplyPolicies", "do": {"deadline": 86400000, "system": {"name": "hub", "zone": "hub"}}}]
      }
    ]
  }
};
