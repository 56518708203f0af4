import { hours, minutes, seconds } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { optimisticallyFenced } from "../../../core/kernel/store/optimistically.ts";
import type { Dpu } from "../../../core/resources/dpu/model.ts";
import { appliedInWords, hasApplied, hasStood } from "../../../core/resources/dpu/network.ts";
import { provisionWrites } from "../../../core/resources/dpu/provision.ts";
import { creator } from "../../../core/resources/host/care.ts";
import type { DpuPort, Host } from "../../../core/resources/host/model.ts";
import { machinesAt, needed } from "../machine/site.ts";
import { systems } from "../systems.ts";
import { leaveEnds, standNowhere } from "./overlay.ts";
import { refuseAway } from "./refuse-away.ts";

/** The steps of a host on all its DPUs; a step ends with the slowest DPU. */

type Step = StepContext<Host>;

/**
 * Reports wake the step; this check is for lost reports, and for the ends of the DPUs' own operations.
 */
const ownLook = seconds(30);

export const dpusOf = (
  { dpus = [] }: Pick<Host, "dpus">,
  { deps }: Pick<Context, "deps">,
): Promise<Dpu[]> => Promise.all(dpus.map((id) => mustLoad(deps, "dpu", id)));

/** Whether a DPU was quarantined since the host's operation began. An older quarantine only means another try. */
const hasFailed = ({ quarantine }: Dpu, { operation }: Pick<Context, "operation">): boolean =>
  quarantine !== undefined && quarantine.since >= (operation.status.start_time ?? "");

/** Whether a DPU is installed, and has been since a reinstallation was last requested. */
export const isInstalled = (
  { isProvisioned, installed_at = "" }: Dpu,
  { reinstall }: Host,
): boolean =>
  isProvisioned === true && (reinstall === undefined || installed_at >= reinstall.since);

const isReady = (dpu: Dpu, host: Host): boolean =>
  isInstalled(dpu, host) && dpu.operation === undefined;

/** Starts the provisioning of those DPUs that are not installed. */
export async function startAll(
  host: Host,
  context: Pick<Step, "deps" | "fence" | "operation">,
): Promise<void> {
  const { deps, fence } = context;
  for (const { id } of await dpusOf(host, context))
    await optimisticallyFenced(deps.store, fence(), async () => {
      const dpu = await mustLoad(deps, "dpu", id);
      if (dpu.operation || isInstalled(dpu, host) || hasFailed(dpu, context))
        return { writes: [], result: undefined };
      return { writes: provisionWrites(deps, dpu, creator).writes, result: undefined };
    });
}

export async function areProvisioned(host: Host, context: Context): Promise<Outcome> {
  const dpus = await dpusOf(host, context);
  const failed = dpus.find((dpu) => hasFailed(dpu, context));
  const open = dpus.filter((dpu) => !isReady(dpu, host));
  // The step fails only when all DPUs have ended, so that a person sees all failures at once.
  if (failed && open.every(({ operation }) => operation === undefined))
    throw new AppError(
      "Rejected",
      `expected DPU ${failed.metadata.name} to be provisioned; ${failed.quarantine?.reason}`,
    );
  if (open.length === 0) return done;
  const names = open.map(({ metadata }) => metadata.name).join(", ");
  return pending(`${open.length} of ${dpus.length} DPUs to be provisioned: ${names}`, ownLook);
}

export const provisioning = {
  system: systems.dpu,
  effects: "none",
  deadline: hours(9),
  usually: minutes(12),
} as const;

/** Provisions the DPUs of a host that are not provisioned yet, in parallel. */
export const provisionDpus: StepAction<Host> = {
  ...provisioning,
  act: startAll,
  look: startAll,
  until: areProvisioned,
};

/** A DPU that is not installed reports nothing, so it is installed while its host is still off. */
export const provisionMissing: StepAction<Host> = {
  ...provisioning,
  act: (host, context) => startAll(asIs(host), context),
  look: (host, context) => startAll(asIs(host), context),
  until: (host, context) => areProvisioned(asIs(host), context),
};

/** The host without its request for a reinstallation, which is not urgent. */
function asIs({ reinstall: _, ...host }: Host): Host {
  return host;
}

/** Whether every installed DPU has reported that the host is on the admin network. */
export async function areConfirmedWhereInstalled(host: Host, context: Context): Promise<Outcome> {
  const installed = (await dpusOf(host, context)).filter(({ isProvisioned }) => isProvisioned);
  return areConfirmed({ dpus: installed.map(({ id }) => id) }, context, "on the admin network");
}

/** Makes each DPU connect the host only to the network of free hosts. */
export async function isolate(
  host: Pick<Host, "dpus" | "spec">,
  context: Pick<Step, "deps" | "fence" | "operation">,
): Promise<void> {
  const { dpus = [], spec } = host;
  if (dpus.length === 0) return;
  const network = needed(await machinesAt(context.deps, spec), "admin_network");
  for (const id of dpus) await standNowhere(id, network, context);
}

/** Removes the DPUs from the ends of networks that they have left by their own report. */
export async function forgetNetworks(
  host: Pick<Host, "dpus">,
  context: Pick<Step, "deps" | "fence" | "operation">,
): Promise<void> {
  for (const dpu of await dpusOf(host, context)) await leaveEnds(dpu, context);
}

/**
 * Isolates the host, and removes its DPUs from the ends of networks that they have left by their own report.
 */
async function leave(host: Host, context: Step): Promise<void> {
  await isolate(host, context);
  await forgetNetworks(host, context);
  await refuseAway(await dpusOf(host, context), context);
}

/**
 * What the step still waits for of a host's DPUs: each has to report the version that this operation requested,
 * unless `isEnough` accepts its state.
 */
export async function lateDpu(
  host: Pick<Host, "dpus">,
  { operation, deps }: Pick<Context, "operation" | "deps">,
  what = "on the admin network",
  isEnough: (dpu: Dpu) => boolean = () => false,
): Promise<string | undefined> {
  const dpus = await dpusOf(host, { deps });
  const late = dpus.find(
    (dpu) => dpu.wanted?.for !== operation.id || !(hasApplied(dpu) || isEnough(dpu)),
  );
  if (!late) return undefined;
  const { metadata, wanted } = late;
  return `DPU ${metadata.name} to report that the host is ${what}, version ${wanted?.version}; ${appliedInWords(late)}`;
}

/** Whether all DPUs have reported the requested version and have left every earlier network. */
export async function areConfirmed(
  host: Pick<Host, "dpus">,
  context: Context,
  what: string,
  isEnough?: (dpu: Dpu) => boolean,
): Promise<Outcome> {
  const late = await lateDpu(host, context, what, isEnough);
  if (late !== undefined) return pending(late, ownLook);
  const staying = (await dpusOf(host, context)).some(({ leaving, former }) => leaving ?? former);
  return staying ? pending("the others in its networks to learn of it", 0) : done;
}

/** What an undo waits for: a DPU that never received another version need not report. */
export const areBack = (host: Pick<Host, "dpus">, context: Context, what: string) =>
  areConfirmed(host, context, what, hasStood);

/**
 * Waits until each DPU has reported, since this request, that its host is on the admin network. Older reports prove
 * nothing about the present.
 */
export const confirmAdminNetwork: StepAction<Host> = {
  system: systems.dpu,
  effects: "none",
  act: leave,
  look: leave,
  until: (host, context) => areConfirmed(host, context, "on the admin network"),
  deadline: minutes(30),
  usually: seconds(40),
};

/**
 * The limit of ports to record for a NIC. A NIC is behind one port, so a second one already shows the error.
 */
const portsOfNic = 2;

/** Where the DPUs have seen a host's NICs since its present boot. Ports that nobody registered are ignored. */
function seenAt({ spec, server }: Host, dpus: readonly Dpu[]): DpuPort[] {
  const { since } = server?.boot ?? {};
  return spec.nics.flatMap(({ name: nic, mac }) =>
    dpus
      .flatMap(({ id: dpu, spec: { ports }, told: { discovery } = {} }) =>
        (since !== undefined && discovery && discovery.at >= since ? discovery.ports : [])
          .filter(({ name, host_macs }) => isIn(ports, name) && host_macs.includes(mac))
          .map(({ name: port }) => ({ nic, dpu, port })),
      )
      .slice(0, portsOfNic),
  );
}

const isIn = (ports: readonly { name: string }[], port: string): boolean =>
  ports.some(({ name }) => name === port);

async function map(host: Host, context: Step): Promise<void> {
  const dpus = await dpusOf(host, context);
  const dpu_ports = seenAt(host, dpus);
  await context.change((current) => ({ ...current, dpu_ports }));
  await refuseAway(dpus, context, () => true);
}

async function areMapped(host: Host, context: Context): Promise<Outcome> {
  const { dpu_ports: mapped = [] } = host;
  for (const { id, metadata, spec } of await dpusOf(host, context))
    for (const { name, host_mac: mac } of spec.ports) {
      const nic = host.spec.nics.find((each) => each.mac === mac)?.name;
      const seen = mapped.filter(({ dpu, port }) => dpu === id && port === name);
      const where = `port ${name} of DPU ${metadata.name}`;
      if (seen.length === 0) return pending(`a NIC of the host to be seen at ${where}`, ownLook);
      const [{ nic: other }] = seen as [DpuPort];
      if (nic !== undefined && other !== nic)
        throw new AppError("Rejected", `expected NIC ${nic} at ${where}; ${other} was seen there`);
    }
  return done;
}

/** Finds the DPU port in front of each NIC, by what the DPUs see of the running host. */
export const mapPorts: StepAction<Host> = {
  system: systems.dpu,
  effects: "none",
  act: map,
  look: map,
  until: areMapped,
  deadline: minutes(15),
  usually: seconds(30),
};
