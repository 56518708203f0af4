import { AppError } from "../../../error.ts";
import type { PowerState, ServerObservation, TaskId, TaskObservation } from "../server.ts";
import { type BareMetalHost, detachedAnnotation, rebootAnnotation } from "./host.ts";

/** The state of a server by its BareMetalHost. Pure. */

/**
 * The manager of the server. Metal3's operator detaches it with a delay (`leaving`, then `away`),
 * and attaches it again with a delay (`returning`).
 */
export type Hold = "operator" | "leaving" | "away" | "returning";

export function holdOf({ metadata: { annotations }, status }: BareMetalHost): Hold {
  const isAway = status?.operationalStatus === "detached";
  if (detachedAnnotation in annotations) return isAway ? "away" : "leaving";
  return isAway ? "returning" : "operator";
}

/** States in which the operator has reconciled the object, and may detach the server. */
const settled: ReadonlySet<string> = new Set(["available", "ready", "provisioned"]);

export const metal3StateOf = ({ status }: BareMetalHost): string =>
  status?.provisioning.state || "new";

export const isSettled = (host: BareMetalHost): boolean =>
  settled.has(metal3StateOf(host)) && holdOf(host) === "operator";

/** The operator reconciles the object's spec, so all tasks share this id. */
export const task: TaskId = "last";

/** The count of the operator's failures from which the image counts as the cause. */
const enough = 3;

/**
 * The observation of a BareMetalHost. Throws Unavailable while the operator fails and retries, and Rejected
 * when it has failed repeatedly with the object's image.
 */
export function observed(host: BareMetalHost, asked?: TaskId): ServerObservation {
  const { operationalStatus = "", errorType = "", errorMessage = "" } = host.status ?? {};
  const times = host.status?.errorCount ?? 0;
  if (operationalStatus === "error") {
    const isImage = errorType === "provisioning error" && host.spec.image !== undefined;
    throw new AppError(
      isImage && times >= enough ? "Rejected" : "Unavailable",
      `Metal3 has failed (${errorType || "error"}, ${times} times): ${errorMessage}`,
    );
  }
  const media = mediaOf(host);
  return {
    power: powerOf(host),
    ...(media !== undefined && { media, nextBoot: { from: "media", isOnce: false } }),
    ...(asked !== undefined && { task: taskOf(host, asked) }),
  };
}

function powerOf(host: BareMetalHost): PowerState {
  const { metadata, spec, status } = host;
  if (!status) return "unknown";
  if (!isSettled(host)) return spec.online ? "turning_on" : "turning_off";
  if (!spec.online) return status.poweredOn ? "turning_off" : "off";
  const isBooted = status.poweredOn && spec.image?.url === bootedImage(host);
  return isBooted && !(rebootAnnotation in metadata.annotations) ? "on" : "turning_on";
}

/** The image that the operator boots the server from, or has not yet removed. */
const mediaOf = ({ spec, status }: BareMetalHost): string | undefined =>
  spec.image?.url ?? (status?.provisioning.image?.url || undefined);

const bootedImage = ({ status }: BareMetalHost): string | undefined =>
  status?.provisioning.state === "provisioned"
    ? status.provisioning.image?.url || undefined
    : undefined;

function taskOf(host: BareMetalHost, asked: TaskId): TaskObservation {
  const message = `the host is ${metal3StateOf(host)}`;
  // A task of the controller cannot be observed while the operator manages the server.
  if (asked !== task) return { state: "gone", message };
  const power = powerOf(host);
  // The operator does not provision a host that should be off.
  const isAsTold = !host.spec.online || host.spec.image?.url === bootedImage(host);
  const isDone = isSettled(host) && (power === "on" || power === "off") && isAsTold;
  return { state: isDone ? "done" : "pending", message };
}
