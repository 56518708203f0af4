import { timestamp } from "../../clock.ts";
import { type Condition, conditions, type Finding } from "../../kernel/object/condition.ts";
import { failureText, hasFailedDeletion } from "../../kernel/object/lifecycle.ts";
import { messageOf } from "../site/parts.ts";
import type {
  AttachmentStatus,
  BaremetalInstance,
  InstanceConditionType,
  InstanceState,
  InstanceStatus,
} from "./model.ts";

/** The status follows from the record. Pure; every write of an instance computes it again. */

export function instanceStatus(instance: BaremetalInstance, now: number): InstanceStatus {
  const { status: before, nics, failure, stuck } = instance;
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
    ...(failure && { failure }),
  };
}

function stateOf(instance: BaremetalInstance): InstanceState {
  const { metadata, published, failure, spec } = instance;
  const of = (state: string) => `BARE_METAL_INSTANCE_STATE_${state}` as InstanceState;
  if (metadata.deletion_timestamp)
    return of(hasFailedDeletion(instance) ? "DELETE_FAILED" : "DELETING");
  if (published)
    return of(
      spec.run_strategy === "BARE_METAL_INSTANCE_RUN_STRATEGY_ALWAYS" ? "RUNNING" : "STOPPED",
    );
  return of(failure ? "FAILED" : "PROVISIONING");
}

function conditionsOf(
  { published, failure, regrouping }: BaremetalInstance,
  before: Condition<InstanceConditionType>[],
  now: number,
): Condition<InstanceConditionType>[] {
  const of = (status: boolean, reason: string): Finding => ({ status, reason });
  const findings: Record<InstanceConditionType, Finding> = {
    BARE_METAL_INSTANCE_CONDITION_TYPE_PROVISIONED: {
      ...of(published, published ? "Provisioned" : failure ? "Failed" : "Provisioning"),
      ...(!published && failure && { message: failureText(failure) }),
    },
    BARE_METAL_INSTANCE_CONDITION_TYPE_CONFIGURATION_APPLIED: of(
      published && !regrouping,
      regrouping ? "GroupsChanging" : published ? "Applied" : "Provisioning",
    ),
    BARE_METAL_INSTANCE_CONDITION_TYPE_READY: of(published, published ? "Ready" : "NotReady"),
    BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_IN_PROGRESS: of(false, "NoRestart"),
    BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_FAILED: of(false, "NoRestart"),
    BARE_METAL_INSTANCE_CONDITION_TYPE_RESTART_REQUIRED: of(false, "NoRestart"),
  };
  return conditions(before, findings, now);
}

const attachmentStatuses = ({ stands, nics = [] }: BaremetalInstance): AttachmentStatus[] =>
  stands.map((stand) => {
    const { addresses = {}, subnet, primary } = stand;
    const [address] = Object.values(addresses);
    const name = stand.interface ?? nics[0]?.name;
    return {
      ...(name !== undefined && { interface: name }),
      subnet_ref: subnet,
      ...(address !== undefined && { ip_address: address }),
      primary,
    };
  });

/** The status of an instance before its first write. */
export const emptyStatus: InstanceStatus = {
  state: "BARE_METAL_INSTANCE_STATE_PROVISIONING",
  conditions: [],
  state_transition_time: "",
  network_attachment_statuses: [],
};
