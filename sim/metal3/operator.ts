import * as z from "zod";
import { seconds } from "../../core/clock.ts";
import {
  detachedAnnotation,
  pausedAnnotation,
  rebootAnnotation,
} from "../../core/ports/bare-metal/metal3/host.ts";
import {
  type Credential,
  cdSlotOf,
  ejectImage,
  insertImage,
  type Machine,
  reset,
} from "../bmc/machine.ts";
import type { Machines } from "../bmc/machines.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";
import type { Controller } from "../operators/control-loop.ts";
import { type ErrorType, type Spec, type Status, specSchema } from "./kind.ts";
import { advanced, begin, failing, isDetachable } from "./states.ts";

interface Metal3 {
  cluster: KubeCluster;
  machines: Pick<Machines, "put">;
  /** The machine whose controller has this address. */
  machineOf(address: string): Machine | undefined;
  /** Whether the controller of a machine accepts a credential. */
  accepts(machine: Machine, credential: Credential): boolean;
  /** Whether a fault makes this action of the operator fail for a machine. */
  fails(what: ErrorType, machine: Machine): boolean;
}

/** Between two checks of a server's power. */
const look = seconds(10);

/** Metal3's baremetal-operator: brings servers to the state in their BareMetalHosts. */
export function metal3({ cluster, machines, machineOf, accepts, fails }: Metal3): Controller {
  return {
    kind: "BareMetalHost",
    reconcile(object) {
      const now = cluster.clock.now();
      if (pausedAnnotation in (object.metadata.annotations ?? {})) return now + look;
      const spec = specSchema.parse(object.spec);
      const status = (object.status as Status | undefined) ?? begin("registering", now);
      const next = looked(object, spec, status, now);
      if (JSON.stringify(next) !== JSON.stringify(object.status)) {
        const { namespace, name } = object.metadata;
        cluster.patchStatus("BareMetalHost", namespace, name, () => ({ ...next }));
      }
      return now + look;
    },
  };

  /** The status after a check of the server, and after the changes that are due. */
  function looked(object: KubeObject, spec: Spec, status: Status, now: number): Status {
    if (detachedAnnotation in (object.metadata.annotations ?? {}) && isDetachable(status))
      return { ...status, operationalStatus: "detached" };
    const machine = machineOf(spec.bmc.address);
    const error = machine ? refusal(object, spec, machine) : "the BMC does not answer";
    if (!machine || error !== undefined)
      return failing(status, "registration error", error ?? "", now);
    const isProvisioning = status.provisioning.state === "provisioning" && spec.image;
    if (isProvisioning && fails("provisioning error", machine))
      return failing(status, "provisioning error", "Image provisioning failed", now);
    const next = advanced(status, spec, machine, now);
    // The server is switched on again only at the next check.
    if (machine.power === "Off" && wasRebooted(object)) return next;
    const wanted = moved(object, spec, next, machine, now);
    if (wanted === machine) return next;
    if (wanted.power !== machine.power && fails("power management error", machine))
      return failing(status, "power management error", "the power does not change", now);
    machines.put(wanted);
    return next;
  }

  /** Why the operator cannot use a controller; undefined when it can. */
  function refusal({ metadata }: KubeObject, { bmc }: Spec, machine: Machine): string | undefined {
    if (fails("registration error", machine)) return "the BMC does not answer";
    const secret = cluster.get("Secret", metadata.namespace, bmc.credentialsName);
    if (!secret) return `the BMC secret ${bmc.credentialsName} does not exist`;
    const data = secret.data as Record<string, string> | undefined;
    const [username, password] = ["username", "password"].map((name) =>
      Buffer.from(data?.[name] ?? "", "base64").toString(),
    ) as [string, string];
    return accepts(machine, { username, password }) ? undefined : "the BMC refuses the credentials";
  }

  /** Whether a server that is off now was to be restarted; removes the annotation, in any state. */
  function wasRebooted(object: KubeObject): boolean {
    const { [rebootAnnotation]: asked, ...kept } = object.metadata.annotations ?? {};
    if (asked === undefined) return false;
    cluster.update({ ...object, metadata: { ...object.metadata, annotations: kept } });
    return true;
  }
}

/**
 * Whether the server must be off: for a restart, or for a client that keeps it off by an annotation with its own
 * suffix. For a server that is not provisioned, the operator ignores annotations without `force`.
 */
function isRebooting({ metadata }: KubeObject, { provisioning }: Status): boolean {
  return Object.entries(metadata.annotations ?? {}).some(
    ([name, value]) =>
      (name === rebootAnnotation || name.startsWith(`${rebootAnnotation}/`)) &&
      (provisioning.state === "provisioned" || isForced(value)),
  );
}

function isForced(value: string): boolean {
  try {
    return rebootSchema.parse(JSON.parse(value)).force;
  } catch {
    return false;
  }
}

const rebootSchema = z.looseObject({ force: z.boolean().default(false) });

/** The machine after the operator's actions in this state. */
function moved(
  object: KubeObject,
  spec: Spec,
  status: Status,
  machine: Machine,
  now: number,
): Machine {
  const { provisioning } = status;
  const online = spec.online && !isRebooting(object, status);
  const isOn = machine.power === "On" || machine.power === "PoweringOn";
  if (provisioning.state === "deprovisioning")
    return isOn ? (reset(machine, "ForceOff", now) ?? machine) : machine;
  if (provisioning.state !== "available" && provisioning.state !== "provisioned") return machine;
  const wanted = set(machine, provisioning.image?.url, now);
  if (online && machine.power === "Off") return reset(wanted, "On", now) ?? wanted;
  return !online && isOn ? (reset(wanted, "ForceOff", now) ?? wanted) : wanted;
}

/** The machine with this image in its virtual drive and as its boot source; without an image, with neither. */
function set(machine: Machine, image: string | undefined, now: number): Machine {
  const slot = cdSlotOf(machine);
  let wanted = machine;
  if (image !== undefined && machine.images[slot] !== image)
    wanted = insertImage(ejectImage(machine, slot, now), slot, image);
  if (image === undefined && machine.images[slot] !== undefined)
    wanted = ejectImage(machine, slot, now);
  const target = image === undefined ? "None" : "Cd";
  const enabled = image === undefined ? "Disabled" : "Continuous";
  return wanted.boot.target === target
    ? wanted
    : { ...wanted, boot: { enabled, target, mode: "UEFI" } };
}
