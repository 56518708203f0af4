import { failingWebhooksPartition } from "../../../kernel/object/keys.ts";
import type { Operation } from "../../../kernel/saga/operation.ts";
import { type Wait, waitInWords } from "../../../kernel/saga/wait.ts";
import type { Hub } from "../../../resources/hub/model.ts";
import type { Standing } from "../../capacity.ts";
import { type Attention, attentionReasons, type Status } from "../schema.ts";
import { openWaits, queueOf } from "../waits.ts";
import { endingCertificates, unrenewedCertificates } from "./certificates.ts";
import { ofHub } from "./hubs.ts";
import { quarantined, silent } from "./machines.ts";
import { type CapacityWaits, shortCapacity } from "./short-capacity.ts";
import { type AttentionDeps, firstObjects } from "./source.ts";

/**
 * Everything that requires operator action, in one list for the status, the console and the CLI. Each source is a query
 * of faulty objects, so the cost depends on the number of faulty objects alone.
 */

const shown = 50;

/** What the list is made of. */
interface Known extends CapacityWaits {
  stuck: readonly Operation[];
  stalled: readonly Operation[];
  troubledHubs: readonly Hub[];
  /** Other faulty objects, as `faultyObjects` has read them. */
  faulty: readonly Attention[];
}

/** Reads the faulty objects other than hubs and operations. */
export async function faultyObjects(deps: AttentionDeps): Promise<Attention[]> {
  const found = await Promise.all([
    quarantined(deps),
    silent(deps),
    failingWebhooks(deps),
    endingCertificates(deps),
    unrenewedCertificates(deps),
  ]);
  return found.flat();
}

/** The whole list: the most severe reason first, and for each reason the oldest entry first. Pure. */
export function attentionOf(
  { stuck, stalled, troubledHubs, faulty, ...shortage }: Known,
  now: number,
): Pick<Status, "attention" | "more_attention"> {
  // Operations in a queue are reported once for each scarce thing.
  const alone = stalled.filter((operation) => !isInQueue(operation, shortage.standing));
  const all = [
    ...stuck.map(ofStuck),
    ...alone.map((operation) => ofStalled(operation, now)),
    ...troubledHubs.flatMap(ofHub),
    ...faulty,
    ...shortCapacity(shortage),
  ].sort(byUrgency);
  return { attention: all.slice(0, shown), more_attention: Math.max(0, all.length - shown) };
}

const rankOf = ({ reason }: Attention): number => attentionReasons.indexOf(reason);

const byUrgency = (a: Attention, b: Attention): number =>
  rankOf(a) - rankOf(b) ||
  (a.since === b.since ? (a.id < b.id ? -1 : 1) : a.since < b.since ? -1 : 1);

const targetOf = ({ id: operation, spec, metadata }: Operation) => ({
  ...{ kind: spec.target.kind, id: spec.target.id, name: spec.target.name },
  ...{ tenant: metadata.tenant, operation },
});

function ofStuck(operation: Operation): Attention {
  const { failure, start_time = "" } = operation.status;
  const { step = "", message = "operator action required", call } = failure ?? {};
  return {
    ...{ reason: "OperationStuck", ...targetOf(operation) },
    message: `${step}: ${message}${call === undefined ? "" : ` (${call})`}`,
    since: operation.steps[step]?.end_time ?? start_time,
    command: `slipway operation resume ${operation.id}`,
  };
}

const stalledWait = (operation: Operation): Wait | undefined =>
  openWaits(operation).find(({ step }) => step === operation.status.stalled?.step);

function isInQueue(operation: Operation, standing: readonly Standing[]): boolean {
  const wait = stalledWait(operation);
  return wait !== undefined && queueOf(operation, wait, standing) !== undefined;
}

function ofStalled(operation: Operation, now: number): Attention {
  const { stalled } = operation.status;
  const wait = stalledWait(operation);
  const words = wait ? waitInWords(wait, now) : stalled?.message;
  return {
    ...{ reason: "OperationStalled", ...targetOf(operation) },
    message: `${stalled?.step} takes longer than it should: ${words}`,
    since: stalled?.since ?? "",
    command: `slipway operation watch ${operation.id}`,
  };
}

async function failingWebhooks(deps: AttentionDeps): Promise<Attention[]> {
  const webhooks = await firstObjects<"webhook">(deps, {
    index: "g2",
    pk: failingWebhooksPartition,
  });
  return webhooks.flatMap(({ id, metadata, status, spec }) => {
    const { failing } = status;
    if (!failing) return [];
    return {
      ...{ reason: "WebhookFailing", kind: "webhook", id },
      ...{ name: metadata.name, tenant: metadata.tenant, since: failing.since },
      message: `${new URL(spec.url).host} has not accepted an event in ${failing.tries} tries; last: ${failing.message}`,
      command: `slipway webhook get ${id}`,
    };
  });
}
