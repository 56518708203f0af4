import { type ErasureMethod, strongestFirst } from "../../core/ports/bare-metal/erasure.ts";
import { type MachineDrive, wwnOf } from "./hardware.ts";
import { type Machine, profileOf } from "./machine.ts";
import type { Profile } from "./profile.ts";
import { Resources } from "./resources.ts";
import { erasureOf } from "./tasks.ts";

type Resource = Record<string, unknown>;

/** Redfish's names of the methods that an action lists. */
export const sanitizations: Partial<Record<ErasureMethod, string>> = {
  cryptographic: "CryptographicErase",
  block: "BlockErase",
  overwrite: "Overwrite",
};

/** The methods of erasure that both controller and drive support, the strongest first. */
export const methodsOf = ({ erasure }: Profile, drive: MachineDrive): ErasureMethod[] =>
  strongestFirst(drive.methods).filter((method) => erasure.methods.includes(method));

/** The resources of a server's hardware: chassis, processors, storage and drives. */
export class InsideResources {
  readonly #machine: Machine;
  readonly #profile: Profile;
  readonly #of: Resources;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#profile = profileOf(machine);
    this.#of = new Resources(machine);
  }

  chassis(): Resource {
    const { paths } = this.#of;
    return {
      ...this.#of.link(paths.chassis),
      "@odata.type": "#Chassis.v1_23_0.Chassis",
      Id: this.#profile.system,
      Name: "Chassis",
      ChassisType: "RackMount",
      ...(this.#profile.erasure.drivesUnder === "Chassis" && {
        Drives: this.#of.link(paths.drives),
      }),
      Links: {
        ComputerSystems: [this.#of.link(paths.system)],
        ...(this.#profile.erasure.drivesUnder !== "nowhere" && { Drives: this.#links(() => true) }),
      },
    };
  }

  processor(id: string): Resource | undefined {
    return this.processors().find(({ Id }) => Id === id);
  }

  /** The processors; the first ones have one core more where the total does not divide evenly. */
  processors(): Resource[] {
    const { cpus, cores, gpus } = this.#machine.hardware;
    const described = (id: string, model: string, type: string, more: object = {}) => ({
      ...this.#of.link(`${this.#of.paths.processors}/${id}`),
      "@odata.type": "#Processor.v1_18_0.Processor",
      Id: id,
      Name: id,
      Model: model,
      ProcessorType: type,
      Status: { State: "Enabled", Health: "OK" },
      ...more,
    });
    const models = gpus.flatMap(({ model, count }) => Array.from({ length: count }, () => model));
    return [
      ...Array.from({ length: cpus }, (_, n) =>
        described(`CPU.${n + 1}`, "EPYC 9354", "CPU", {
          TotalCores: Math.floor((cores + cpus - 1 - n) / cpus),
        }),
      ),
      ...models.map((model, n) => described(`GPU.${n + 1}`, model, "GPU")),
    ];
  }

  storage(): Resource {
    const { paths } = this.#of;
    // Drives with another protocol than the storage's are under the chassis only.
    const { drivesUnder } = this.#profile.erasure;
    const has = ({ protocol }: MachineDrive) => drivesUnder === "Storage" || protocol === "NVMe";
    return {
      ...this.#of.link(paths.storage),
      "@odata.type": "#Storage.v1_15_0.Storage",
      Id: "DE00A000",
      Name: "Storage",
      Drives: this.#links(has),
      Status: { State: "Enabled", Health: "OK" },
    };
  }

  #links(has: (drive: MachineDrive) => boolean) {
    const { drives } = this.#of.paths;
    return this.#machine.drives.filter(has).map(({ id }) => this.#of.link(`${drives}/${id}`));
  }

  drive(drive: MachineDrive): Resource {
    const path = `${this.#of.paths.drives}/${drive.id}`;
    const { id, name, serial, model, protocol, media, bytes, methods, ailing } = drive;
    const wwn = wwnOf(drive);
    return {
      ...this.#of.link(path),
      "@odata.type": "#Drive.v1_17_0.Drive",
      Id: id,
      Name: name,
      SerialNumber: serial,
      ...(wwn !== undefined && {
        Identifiers: [{ DurableName: wwn.toUpperCase(), DurableNameFormat: "NAA" }],
      }),
      Model: model,
      Protocol: protocol,
      MediaType: media,
      CapacityBytes: bytes,
      EncryptionAbility: methods.includes("cryptographic") ? "SelfEncryptingDrive" : "None",
      EncryptionStatus: "Unencrypted",
      Status: { State: "Enabled", Health: ailing ? "Critical" : "OK" },
      Operations: this.#operations(drive),
      Actions: this.#actions(path, drive),
      ...(this.#profile.erasure.announced === "oem" && {
        Oem: { Dell: { DellPhysicalDisk: { SystemEraseCapability: this.#dellSays(drive) } } },
      }),
    };
  }

  #dellSays = (drive: MachineDrive): string =>
    methodsOf(this.#profile, drive).length > 0 ? "CryptographicErasePD" : "NotSupported";

  #operations({ id }: MachineDrive): Resource[] {
    const { shown, answered } = this.#profile.erasure;
    const task = erasureOf(this.#machine, id);
    if (!shown || !task) return [];
    const { paths } = this.#of;
    return [
      {
        OperationName: "Sanitize",
        PercentageComplete: 50,
        ...(answered === "task" && { AssociatedTask: this.#of.link(`${paths.tasks}/${task.id}`) }),
      },
    ];
  }

  #actions(path: string, drive: MachineDrive): Resource {
    const methods = methodsOf(this.#profile, drive);
    const { announced } = this.#profile.erasure;
    // Dell's controllers list the action even for drives on which they refuse it.
    if (methods.length === 0 && announced !== "oem") return {};
    return {
      "#Drive.SecureErase": {
        target: this.#of.link(`${path}/Actions/Drive.SecureErase`)["@odata.id"],
        ...(announced === "action" && {
          "SanitizationType@Redfish.AllowableValues": methods.map((each) => sanitizations[each]),
        }),
        ...(announced === "action_info" && { "@Redfish.ActionInfo": `${path}/SanitizeActionInfo` }),
      },
    };
  }

  sanitizeInfo(drive: MachineDrive): Resource {
    const methods = methodsOf(this.#profile, drive);
    return {
      ...this.#of.link(`${this.#of.paths.drives}/${drive.id}/SanitizeActionInfo`),
      "@odata.type": "#ActionInfo.v1_1_2.ActionInfo",
      Id: "SanitizeActionInfo",
      Name: "Sanitize Action Info",
      Parameters: [
        ...(methods.includes("overwrite")
          ? [{ Name: "OverwritePasses", DataType: "integer" }]
          : []),
        {
          Name: "SanitizationType",
          DataType: "string",
          AllowableValues: methods.map((each) => sanitizations[each]),
        },
      ],
    };
  }
}
