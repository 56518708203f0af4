import { minutes, seconds } from "../../core/clock.ts";
import { rebootAnnotation } from "../../core/ports/bare-metal/metal3/host.ts";
import {
  cdSlotOf,
  ejectImage,
  insertImage,
  type Machine,
  profileOf,
  reset,
} from "../bmc/machine.ts";
import type { Machines } from "../bmc/machines.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import type { Controller } from "../operators/control-loop.ts";
import { specSchema } from "./kind.ts";

interface Metal3 {
  cluster: KubeCluster;
  machines: Machines;
  /** The machine whose controller has this address. */
  machineOf(address: string): Machine | undefined;
}

/** The states that the operator works in: their names in an object's history, and how long it takes. */
const works: Record<string, { operation: string; takes: number }> = {
  registering: { operation: "register", takes: seconds(30) },
  inspecting: { operation: "inspect", takes: minutes(6) },
  provisioning: { operation: "provision", takes: seconds(40) },
  deprovisioning: { operation: "deprovision", takes: seconds(40) },
};
/** Between two looks at a server's power. */
const look = seconds(10);

interface Status {
  poweredOn: boolean;
  operationalStatus: string;
  errorMessage: string;
  errorCount: number;
  provisioning: { state: string; ID: string; image?: { url: string } };
  hardware?: object;
  provisioningFailCount: number;
  operationHistory: Record<string, { start: string; end: null }>;
}

/** Metal3's baremetal-operator: moves servers towards what their BareMetalHosts say. */
export function metal3({ cluster, machines, machineOf }: Metal3): Controller {
  return {
    kind: "BareMetalHost",
    reconcile(object) {
      const now = cluster.clock.now();
      const spec = specSchema.parse(object.spec);
      const machine = machineOf(spec.bmc.address);
      const status = (object.status as Status | undefined) ?? begin("registering", now);
      const next = machine
        ? advanced(status, spec, machine, now)
        : { ...status, operationalStatus: "error", errorMessage: "the BMC does not answer" };
      if (machine) moved(object, next, machine, now);
      if (JSON.stringify(next) !== JSON.stringify(object.status)) {
        const { namespace, name } = object.metadata;
        cluster.patchStatus("BareMetalHost", namespace, name, () => ({ ...next }));
      }
      return now + look;
    },
  };

  /** Has the machine do what the object asks for in this state. */
  function moved(
    object: KubeObject,
    { provisioning }: Status,
    machine: Machine,
    now: number,
  ): void {
    if (provisioning.state !== "available" && provisioning.state !== "provisioned") return;
    const { online } = specSchema.parse(object.spec);
    const image = provisioning.image?.url;
    const slot = cdSlotOf(machine);
    let wanted = machine;
    if (image !== undefined && machine.images[slot] !== image)
      wanted = insertImage(ejectImage(machine, slot, now), slot, image);
    if (image === undefined && machine.images[slot] !== undefined)
      wanted = ejectImage(machine, slot, now);
    const target = image === undefined ? "None" : "Cd";
    const enabled = image === undefined ? "Disabled" : "Continuous";
    if (wanted.boot.target !== target)
      wanted = { ...wanted, boot: { enabled, target, mode: "UEFI" } };
    const isOn = machine.power === "On" || machine.power === "PoweringOn";
    const annotations = object.metadata.annotations ?? {};
    const restarts = rebootAnnotation in annotations;
    if (online && machine.power === "Off") wanted = reset(wanted, "On", now) ?? wanted;
    else if (online && restarts && isOn) wanted = reset(wanted, "ForceRestart", now) ?? wanted;
    else if (!online && isOn) wanted = reset(wanted, "ForceOff", now) ?? wanted;
    if (wanted !== machine) machines.put(wanted);
    if (!restarts) return;
    const { [rebootAnnotation]: _, ...kept } = annotations;
    cluster.update({ ...object, metadata: { ...object.metadata, annotations: kept } });
  }
}

function begin(state: string, now: number, image?: string): Status {
  const { operation } = works[state] ?? {};
  const start = new Date(now).toISOString();
  return {
    poweredOn: false,
    operationalStatus: "OK",
    errorMessage: "",
    errorCount: 0,
    provisioningFailCount: 0,
    provisioning: { state, ID: "", ...(image !== undefined && { image: { url: image } }) },
    operationHistory: operation === undefined ? {} : { [operation]: { start, end: null } },
  };
}

/** Whether the operator is done with what it works on. */
function isDone({ provisioning, operationHistory }: Status, now: number): boolean {
  const work = works[provisioning.state];
  if (!work) return true;
  const start = operationHistory[work.operation]?.start ?? new Date(now).toISOString();
  return now - Date.parse(start) >= work.takes;
}

/** The status after what has come about by now. */
function advanced(
  status: Status,
  { image }: { image?: { url: string } | undefined },
  machine: Machine,
  now: number,
): Status {
  const { state } = status.provisioning;
  const enter = (next: string, url?: string): Status => ({
    ...begin(next, now, url),
    ...(status.hardware && { hardware: status.hardware }),
    poweredOn: status.poweredOn,
  });
  const isOver = isDone(status, now);
  const poweredOn = machine.power === "On" || machine.power === "PoweringOn";
  const seen = { ...status, operationalStatus: "OK", errorMessage: "", poweredOn };
  switch (state) {
    case "registering":
      return isOver ? enter("inspecting") : seen;
    case "inspecting":
      return isOver ? { ...enter("available"), hardware: hardwareOf(machine) } : seen;
    case "available":
      return image ? enter("provisioning", image.url) : seen;
    case "provisioning":
      return isOver ? enter("provisioned", status.provisioning.image?.url) : seen;
    case "provisioned":
      return image?.url === status.provisioning.image?.url ? seen : enter("deprovisioning");
    case "deprovisioning":
      return isOver ? enter("available") : seen;
    default:
      return seen;
  }
}

const hardwareOf = (machine: Machine): object => {
  const { manufacturer, model } = profileOf(machine);
  return {
    nics: machine.macs.map((mac, n) => ({ name: `eno${n + 1}`, mac })),
    systemVendor: { manufacturer, productName: model, serialNumber: machine.serial },
  };
};
