import { versionsOf } from "./firmware.ts";
import { type Machine, type Override, profileOf } from "./machine.ts";
import type { Profile } from "./profile.ts";

/** The resources of a controller in its vendor's form. */

const root = "/redfish/v1";
type Resource = Record<string, unknown>;

/** The paths of one controller's resources, without a slash at the end. */
export function pathsOf({ system, manager, media, settings, erasure }: Profile) {
  const chassis = `${root}/Chassis/${system}`;
  const storage = `${root}/Systems/${system}/Storage/DE00A000`;
  const owner = media.under === "Systems" ? system : manager;
  return {
    systems: `${root}/Systems`,
    system: `${root}/Systems/${system}`,
    resetInfo: `${root}/Systems/${system}/ResetActionInfo`,
    reset: `${root}/Systems/${system}/Actions/ComputerSystem.Reset`,
    nics: `${root}/Systems/${system}/EthernetInterfaces`,
    managers: `${root}/Managers`,
    manager: `${root}/Managers/${manager}`,
    media: `${root}/${media.under}/${owner}/VirtualMedia`,
    settings,
    sessions: `${root}/SessionService/Sessions`,
    taskService: `${root}/TaskService`,
    tasks: `${root}/TaskService/Tasks`,
    monitors: `${root}/TaskService/TaskMonitors`,
    updates: `${root}/UpdateService`,
    inventory: `${root}/UpdateService/FirmwareInventory`,
    simpleUpdate: `${root}/UpdateService/Actions/UpdateService.SimpleUpdate`,
    managerReset: `${root}/Managers/${manager}/Actions/Manager.Reset`,
    jobs: `${root}/Managers/${manager}/Jobs`,
    processors: `${root}/Systems/${system}/Processors`,
    chassisAll: `${root}/Chassis`,
    chassis,
    storages: `${root}/Systems/${system}/Storage`,
    storage,
    drives: `${erasure.drivesUnder === "Chassis" ? chassis : storage}/Drives`,
  };
}

export class Resources {
  readonly #profile: Profile;
  readonly #machine: Machine;
  readonly paths: ReturnType<typeof pathsOf>;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#profile = profileOf(machine);
    this.paths = pathsOf(this.#profile);
  }

  /** A link, with a slash at the end for vendors that write one. */
  link(path: string): { "@odata.id": string } {
    return { "@odata.id": this.#profile.slash ? `${path}/` : path };
  }

  root(): Resource {
    const { paths } = this;
    return {
      ...this.link(root),
      "@odata.type": "#ServiceRoot.v1_11_0.ServiceRoot",
      Id: "RootService",
      Name: "Root Service",
      RedfishVersion: "1.13.0",
      Vendor: this.#profile.manufacturer,
      Systems: this.link(paths.systems),
      Managers: this.link(paths.managers),
      Chassis: this.link(paths.chassisAll),
      Tasks: this.link(paths.taskService),
      UpdateService: this.link(paths.updates),
      SessionService: this.link(`${root}/SessionService`),
      Links: { Sessions: this.link(paths.sessions) },
    };
  }

  /** A collection; OpenBMC writes null for the members of an empty one. */
  collection(path: string, type: string, members: string[] | null): Resource {
    return {
      ...this.link(path),
      "@odata.type": `#${type}Collection.${type}Collection`,
      Name: `${type} Collection`,
      "Members@odata.count": members?.length ?? 0,
      Members: members?.map((member) => this.link(member)) ?? null,
    };
  }

  system(): Resource {
    const { paths } = this;
    const { id, uuid = id, serial, power, hardware } = this.#machine;
    const { manufacturer, model, system, media, resets, resetsIn, settings } = this.#profile;
    const { bootTargets, pendingTargets } = this.#profile;
    return {
      ...this.link(paths.system),
      "@odata.type": "#ComputerSystem.v1_20_0.ComputerSystem",
      Id: system,
      Name: "System",
      SystemType: "Physical",
      UUID: uuid,
      SerialNumber: serial,
      Manufacturer: manufacturer,
      Model: model,
      BiosVersion: versionsOf(this.#machine).bios,
      PowerState: power,
      Status: { State: power === "Off" ? "Disabled" : "Enabled", Health: "OK" },
      Boot: this.boot(settings === undefined || pendingTargets ? bootTargets : undefined),
      EthernetInterfaces: this.link(paths.nics),
      ...(media.under === "Systems" && { VirtualMedia: this.link(paths.media) }),
      Links: { ManagedBy: [this.link(paths.manager)], Chassis: [this.link(paths.chassis)] },
      ProcessorSummary: { Count: hardware.cpus, CoreCount: hardware.cores },
      MemorySummary: { TotalSystemMemoryGiB: hardware.memory / 2 ** 30 },
      Processors: this.link(paths.processors),
      Storage: this.link(paths.storages),
      ...(settings !== undefined && {
        "@Redfish.Settings": {
          "@odata.type": "#Settings.v1_3_5.Settings",
          SettingsObject: { "@odata.id": settings },
        },
      }),
      Actions: {
        "#ComputerSystem.Reset": {
          target: this.link(paths.reset)["@odata.id"],
          ...(resetsIn === "action"
            ? { "ResetType@Redfish.AllowableValues": resets }
            : { "@Redfish.ActionInfo": paths.resetInfo }),
        },
      },
    };
  }

  /** `Boot` with its allowable values. */
  boot(targets: readonly string[] | undefined): Resource {
    const { enabled, target, mode, uri }: Override = this.#machine.boot;
    return {
      BootSourceOverrideEnabled: enabled,
      BootSourceOverrideMode: mode,
      BootSourceOverrideTarget: target,
      HttpBootUri: uri ?? null,
      ...(targets && { "BootSourceOverrideTarget@Redfish.AllowableValues": targets }),
    };
  }

  settings(path: string): Resource {
    const { bootTargets, pendingTargets = bootTargets } = this.#profile;
    return {
      "@odata.id": path,
      "@odata.type": "#ComputerSystem.v1_20_0.ComputerSystem",
      Id: "Settings",
      Name: "Pending settings of the system",
      Boot: this.boot(pendingTargets),
    };
  }

  resetInfo(): Resource {
    return {
      ...this.link(this.paths.resetInfo),
      "@odata.type": "#ActionInfo.v1_3_0.ActionInfo",
      Id: "ResetActionInfo",
      Name: "Reset Action Info",
      Parameters: [
        {
          Name: "ResetType",
          Required: true,
          DataType: "String",
          AllowableValues: this.#profile.resets,
        },
      ],
    };
  }

  nic(index: number): Resource {
    return {
      ...this.link(`${this.paths.nics}/${index + 1}`),
      "@odata.type": "#EthernetInterface.v1_9_0.EthernetInterface",
      Id: String(index + 1),
      Name: `NIC ${index + 1}`,
      Status: { State: "Enabled", Health: "OK" },
      MACAddress: this.#machine.macs[index]?.toUpperCase() ?? "",
    };
  }

  manager(): Resource {
    const { manager, media } = this.#profile;
    return {
      ...this.link(this.paths.manager),
      "@odata.type": "#Manager.v1_17_0.Manager",
      Id: manager,
      Name: "Manager",
      ManagerType: "BMC",
      FirmwareVersion: versionsOf(this.#machine).bmc,
      ...(media.under === "Managers" &&
        Object.keys(media.slots).length > 0 && { VirtualMedia: this.link(this.paths.media) }),
      Links: { ManagerForServers: [this.link(this.paths.system)] },
      Actions: {
        "#Manager.Reset": {
          target: this.link(this.paths.managerReset)["@odata.id"],
          "ResetType@Redfish.AllowableValues": ["GracefulRestart"],
        },
      },
    };
  }

  slot(id: string, types: readonly string[]): Resource {
    const path = `${this.paths.media}/${id}`;
    const image = this.#machine.images[id] ?? this.#machine.lingering[id]?.image;
    const action = (name: string) => ({
      target: this.link(`${path}/Actions/VirtualMedia.${name}`)["@odata.id"],
    });
    return {
      ...this.link(path),
      "@odata.type": "#VirtualMedia.v1_6_0.VirtualMedia",
      Id: id,
      Name: "Virtual drive",
      MediaTypes: types,
      Image: image ?? null,
      ImageName: image?.split("/").at(-1) ?? null,
      Inserted: image !== undefined,
      ConnectedVia: image === undefined ? "NotConnected" : "URI",
      WriteProtected: true,
      ...(this.#profile.insertBy === "action" && {
        Actions: {
          "#VirtualMedia.InsertMedia": action("InsertMedia"),
          ...((image !== undefined || this.#profile.ejects === "always") && {
            "#VirtualMedia.EjectMedia": action("EjectMedia"),
          }),
        },
      }),
    };
  }
}
