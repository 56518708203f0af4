import { minutes, seconds } from "../../core/clock.ts";
import { type Machine, profileOf } from "../bmc/machine.ts";
import type { ErrorType, Spec, Status } from "./kind.ts";

/** The states of a BareMetalHost, and the operator's transitions between them. Pure. */

/** The states with work of the operator: their names in an object's history, and their durations. */
const works: Record<string, { operation: string; takes: number }> = {
  registering: { operation: "register", takes: seconds(30) },
  inspecting: { operation: "inspect", takes: minutes(6) },
  preparing: { operation: "prepare", takes: seconds(20) },
  provisioning: { operation: "provision", takes: seconds(40) },
  deprovisioning: { operation: "deprovision", takes: seconds(40) },
};

/** The pause after a failure, which grows with each. */
const backoff = (count: number): number => Math.min(seconds(10) * 2 ** count, minutes(10));

export function begin(state: string, now: number, image?: string): Status {
  const { operation } = works[state] ?? {};
  const start = new Date(now).toISOString();
  return {
    poweredOn: false,
    operationalStatus: "OK",
    errorMessage: "",
    errorCount: 0,
    lastUpdated: start,
    provisioningFailCount: 0,
    provisioning: { state, ID: "", ...(image !== undefined && { image: { url: image } }) },
    operationHistory: operation === undefined ? {} : { [operation]: { start, end: null } },
  };
}

/** States in which a server can be detached. */
const detachable: ReadonlySet<string> = new Set(["available", "provisioned"]);

export const isDetachable = ({ provisioning }: Status): boolean =>
  detachable.has(provisioning.state);

/** The status of a host after one more failure. */
export function failing(
  status: Status,
  errorType: ErrorType,
  message: string,
  now: number,
): Status {
  const isSame = status.operationalStatus === "error" && status.errorType === errorType;
  const count = isSame ? status.errorCount : 0;
  if (isSame && now - Date.parse(status.lastUpdated) < backoff(count)) return status;
  return {
    ...status,
    operationalStatus: "error",
    errorType,
    errorMessage: message,
    errorCount: count + 1,
    lastUpdated: new Date(now).toISOString(),
  };
}

/** Whether the operator has finished its current work. */
function isDone({ provisioning, operationHistory }: Status, now: number): boolean {
  const work = works[provisioning.state];
  if (!work) return true;
  const start = operationHistory[work.operation]?.start ?? new Date(now).toISOString();
  return now - Date.parse(start) >= work.takes;
}

/** The status after the work that is done by now. */
export function advanced(
  before: Status,
  { image, online }: Spec,
  machine: Machine,
  now: number,
): Status {
  const { errorType: _, ...status } = before;
  const enter = (next: string, url?: string): Status => ({
    ...begin(next, now, url),
    ...(status.hardware && { hardware: status.hardware }),
    poweredOn: status.poweredOn,
  });
  const isOver = isDone(status, now);
  const poweredOn = machine.power === "On" || machine.power === "PoweringOn";
  const sound = { operationalStatus: "OK", errorMessage: "", errorCount: 0 } as const;
  const seen: Status = { ...status, ...sound, poweredOn };
  const { image: known, state } = status.provisioning;
  switch (state) {
    case "registering":
      return isOver ? enter("inspecting") : seen;
    case "inspecting":
      return isOver ? { ...enter("preparing"), hardware: hardwareOf(machine) } : seen;
    case "preparing":
      return isOver ? enter("available") : seen;
    case "available":
      // A host that is not to be online is not provisioned.
      return image && online ? enter("provisioning", image.url) : seen;
    case "provisioning":
      if (image?.url !== known?.url) return enter("deprovisioning");
      return isOver ? enter("provisioned", known?.url) : seen;
    case "provisioned":
      return image?.url === known?.url ? seen : enter("deprovisioning");
    case "deprovisioning":
      return isOver && machine.power === "Off" ? enter("available") : seen;
    default:
      return seen;
  }
}

const hardwareOf = (machine: Machine): object => {
  const { manufacturer, model } = profileOf(machine);
  const { cores, memory } = machine.hardware;
  return {
    // Threads: two per core.
    cpu: { count: cores * 2 },
    ramMebibytes: memory / 2 ** 20,
    nics: machine.macs.map((mac, n) => ({ name: `eno${n + 1}`, mac })),
    systemVendor: { manufacturer, productName: model, serialNumber: machine.serial },
  };
};
