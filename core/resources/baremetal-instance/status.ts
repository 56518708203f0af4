import { messageOf } from "../../at-site/parts.ts";
import { timestamp, timeText } from "../../clock.ts";
import {
  type Condition,
  conditions,
  conditionsOfTrouble,
  type Finding,
} from "../../kernel/object/condition.ts";
import { failureText, hasFailedDeletion } from "../../kernel/object/lifecycle.ts";
import type { PowerState } from "../../ports/bare-metal/server.ts";
import { consentInWords } from "./consent.ts";
import { addressesByStand } from "./members.ts";
import type {
  AttachmentStatus,
  BaremetalInstance,
  InstanceConditionType,
  InstanceState,
  InstanceStatus,
} from "./model.ts";
import { doMove, presentStands } from "./networks.ts";

/** Computes the status from the record. Pure; every write of an instance computes it again. */

export function instanceStatus(instance: BaremetalInstance, now: number): InstanceStatus {
  const { status: before, nics, failure, stuck, restarted } = instance;
  const state = stateOf(instance);
  const isSame = before.state === state && before.state_transition_time !== "";
  const why = stuck ?? failure;
  const message = why ? failureText(why) : messageOf(instance);
  return {
    state,
    conditions: conditionsOf(instance, before.conditions, now),
    state_transition_time: isSame ? before.state_transition_time : timestamp(now),
    ...(message !== undefined && { message }),
    network_attachment_statuses: attachmentStatuses(instance),
    ...(nics && { hardware: { nics: nics.map(({ mac }) => ({ mac })) } }),
    ...(instance.external_ip?.leads && { external_ip_address: instance.external_ip.address }),
    ...(failure && { failure }),
    ...(restarted?.trigger !== undefined &&
      !restarted.failure && { restart_trigger: restarted.trigger }),
  };
}

function stateOf(instance: BaremetalInstance): InstanceState {
  const { metadata, published, failure, spec } = instance;
  const of = (state: string) => `BARE_METAL_INSTANCE_STATE_${state}` as InstanceState;
  if (metadata.deletion_timestamp)
    return of(hasFailedDeletion(instance) ? "DELETE_FAILED" : "DELETING");
  const isWanted = spec.run_strategy === "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS";
  if (published && instance.restarting) return of(isWanted ? "STARTING" : "STOPPING");
  if (published) return of((isOn(instance) ?? isWanted) ? "RUNNING" : "STOPPED");
  return of(failure ? "FAILED" : "PROVISIONING");
}

/**
 * The power state in the last report of the server's controller, with its time; undefined before
 * the first report.
 */
export function lastPower({
  power,
  boot,
}: Pick<BaremetalInstance, "power" | "boot">): { state: PowerState; at: string } | undefined {
  if (boot?.power !== undefined && boot.at >= (power?.at ?? ""))
    return { state: boot.power, at: boot.at };
  return power;
}

/**
 * Whether the server is on, by its controller's last report. Undefined unless a restart has failed, because
 * otherwise its power is as its tenant desires.
 */
function isOn(instance: BaremetalInstance): boolean | undefined {
  if (!instance.restarted?.failure) return undefined;
  const { state } = lastPower(instance) ?? {};
  return state === "on" || state === "off" ? state === "on" : undefined;
}

function conditionsOf(
  instance: BaremetalInstance,
  before: Condition<InstanceConditionType>[],
  now: number,
): Condition<InstanceConditionType>[] {
  const { published, failure, restarting, restarted, spec } = instance;
  const of = (status: boolean, reason: string): Finding => ({ status, reason });
  const isWanted = spec.run_strategy === "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS";
  const hasFailed = !restarting && restarted?.failure !== undefined;
  const isReady = published && isWanted && !restarting && !hasFailed;
  const isStopped = published && !restarting && !(isOn(instance) ?? isWanted);
  const findings: Record<OtherConditionType, Finding> = {
    BARE_METAL_INSTANCE_CONDITION_TYPE_PROVISIONED: {
      ...of(published, published ? "Provisioned" : failure ? "Failed" : "Provisioning"),
      ...(!published && failure && { message: failureText(failure) }),
    },
    BARE_METAL_INSTANCE_CONDITION_TYPE_CONFIGURATION_APPLIED: appliedOf(instance, hasFailed),
    BARE_METAL_INSTANCE_CONDITION_TYPE_READY: of(
      isReady,
      isReady ? "Ready" : isStopped ? "Stopped" : "NotReady",
    ),
    BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_IN_PROGRESS: of(
      restarting === true,
      restarting ? "Restarting" : "NoRestart",
    ),
    BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_FAILED: {
      ...of(hasFailed, hasFailed ? "Failed" : "NoFailure"),
      ...(hasFailed && restarted?.failure && { message: failureText(restarted.failure) }),
    },
    BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_REQUIRED: of(false, "NoRestart"),
    BARE_METAL_INSTANCE_CONDITION_TYPE_MAINTENANCE: maintenanceOf(instance),
  };
  const ofDpus = before.filter(
    (each): each is Condition<typeof dpusReport> => each.type === dpusReport,
  );
  const { conditions: trouble = [] } = conditionsOfTrouble(
    ofDpus,
    { [dpusReport]: dpusReportOf(instance) },
    now,
  );
  return [...conditions<keyof typeof findings>(before.filter(isOther), findings, now), ...trouble];
}

const isOther = (each: Condition<InstanceConditionType>): each is Condition<OtherConditionType> =>
  each.type !== dpusReport;

type OtherConditionType = Exclude<InstanceConditionType, typeof dpusReport>;

const dpusReport = "BARE_METAL_INSTANCE_CONDITION_TYPE_DPUS_REPORT";

/** Whether the DPUs of its host report; without reports the state of its networks is unknown. */
function dpusReportOf({ silence }: BaremetalInstance): Finding {
  if (!silence) return { status: true, reason: "AllReport" };
  const message = `a network card (DPU) of the server has not reported since ${timeText(silence.since)}: its networks may differ from the order; the provider is notified`;
  return { status: false, reason: "Silent", message, since: silence.since };
}

/** The repair that the provider requests of the tenant, or else the notice about the host. */
function maintenanceOf({ repair, host_notice }: BaremetalInstance): Finding {
  if (!repair && !host_notice) return { status: false, reason: "NoMaintenance" };
  if (!repair) return { status: true, reason: "Maintenance", ...host_notice };
  const { consent, hasFailed, dpus, firmware } = repair;
  const cards = "the network cards (DPUs) of the server are to be installed anew";
  const updated = "the firmware of the server is to be updated";
  const what = firmware ? `${dpus ? `${cards}, and ` : ""}${updated}` : cards;
  const of = (reason: string, more: string): Finding => ({
    ...{ status: true, reason },
    message: `${what}; it is off meanwhile, and keeps its disk and its addresses; ${more}`,
  });
  if (hasFailed) return of("RepairFailed", "the last attempt failed; consent again to retry it");
  if (!consent) return of("ConsentAwaited", "your consent is awaited");
  return of("ConsentGiven", consentInWords(consent));
}

/** Whether the server agrees with its order. */
function appliedOf(instance: BaremetalInstance, hasRestartFailed: boolean): Finding {
  const { published, formerly, restarting, operation, site } = instance;
  if (!published) return { status: false, reason: "Provisioning" };
  if (formerly)
    return { status: false, reason: doMove(instance) ? "NetworksChanging" : "GroupsChanging" };
  if (restarting) return { status: false, reason: "Restarting" };
  if (hasRestartFailed) return { status: false, reason: "RestartFailed" };
  const { attachments } = operation === undefined ? (site?.parts ?? {}) : {};
  if (attachments && attachments.state !== "done")
    return { status: false, reason: "SiteDrifted", message: attachments.message };
  return { status: true, reason: "Applied" };
}

function attachmentStatuses(instance: BaremetalInstance): AttachmentStatus[] {
  const stands = presentStands(instance);
  const addresses = addressesByStand(stands, instance);
  return stands.map((stand, n) => {
    const { subnet, primary } = stand;
    const address = addresses[n];
    const name = stand.interface ?? instance.nics?.[0]?.name;
    return {
      ...(name !== undefined && { interface: name }),
      subnet_ref: subnet,
      ...(address !== undefined && { ip_address: address }),
      primary,
    };
  });
}

/** The status of an instance before its first write. */
export const newInstanceStatus: InstanceStatus = {
  state: "BARE_METAL_INSTANCE_STATE_PROVISIONING",
  conditions: [],
  state_transition_time: "",
  network_attachment_statuses: [],
};
