import type { Applied } from "../../core/machine/requests.ts";
import { addressAt, prefixSize } from "../../core/prefix.ts";
import type { OverlayInterface } from "../../core/resources/dpu/overlay.ts";
import { durations } from "../durations.ts";
import type { AgentConfig, DpuRuns, DpuState, DpuSurroundings, Network } from "./dpu.ts";

/**
 * The agent of a DPU: reports its identity, polls for its network, applies new versions, and reports what it applied.
 */

const takes = durations.dpu;

export async function agentSteps(
  state: DpuState,
  runs: DpuRuns & { system: "agent" },
  around: DpuSurroundings,
): Promise<DpuState> {
  const { now, isHeld } = around;
  const next = (more: Partial<DpuState>, ms: number): DpuState => ({
    ...state,
    runs: { ...runs, at: now + ms },
    ...more,
  });
  if (!state.disk || isHeld("agent")) return next({}, durations.held);
  const report = discovery(around);
  // A started host brings its links up again, so the DPU reports again.
  const knows = JSON.stringify({ report, since: around.hostOnSince() });
  if (runs.knows !== knows) {
    const isKnown = await isTaken(state.disk, "POST", "/discovery", report, around);
    const wait = isKnown ? takes.agent : takes.poll;
    return next({ runs: { ...runs, ...(isKnown && { knows }), at: now + wait } }, wait);
  }
  if (runs.applying) {
    const { applying: applied, ...rest } = runs;
    // Reports at once, because the saga waits for the version.
    return next({ applied, runs: { ...rest, at: now } }, 0);
  }
  const has = state.applied && reportOf(state.applied, around);
  // Reports again when an address is leased or the host has started anew.
  const tells = has && JSON.stringify({ has, since: around.hostOnSince() });
  if (has && state.told !== tells) {
    if (isHeld("applied")) return next({}, takes.poll);
    const isTold = await isTaken(state.disk, "PUT", "/network/applied", has, around);
    const isUp = has.leaf?.state === "up";
    return next({ ...(isTold && isUp && { told: tells }) }, takes.poll);
  }
  const applying = await fetched(state.disk, state.applied, around);
  if (!applying) return next({}, takes.poll);
  return next({ runs: { ...runs, applying, at: now + takes.apply } }, takes.apply);
}

const discovery = ({ dpu, hostOnSince }: DpuSurroundings) => ({
  serial: dpu.serial,
  ports: dpu.ports.map(({ name, mac }) => ({
    name,
    host_macs: hostOnSince() === undefined ? [] : [mac],
  })),
  versions: { hbn: "2.4.0", bfb: "2.9.1" },
});

function reportOf({ version, leaf, host }: Network, around: DpuSurroundings): Applied {
  const leases = leasesOn(host, around);
  return {
    version,
    state: "applied",
    leaf: { ...leaf, state: around.isHeld("sessions") ? "down" : "up" },
    advertised: [
      `${leaf.loopback}/32`,
      ...new Set(host?.network === "overlay" ? host.interfaces.flatMap(announced) : []),
      ...leases.map(({ address }) => `${address}/32`),
    ],
    ...(leases.length > 0 && { leases }),
  };
}

/** The DHCP leases of a host's NICs, while the host is on and the DPU relays its requests. */
function leasesOn(
  host: Network["host"],
  { dpu, hostOnSince, isHeld }: DpuSurroundings,
): { mac: string; address: string }[] {
  if (host?.network !== "admin" || host.dhcp !== "relay") return [];
  if (hostOnSince() === undefined || isHeld("relay")) return [];
  return dpu.ports
    .filter(({ name }) => host.ports.some((port) => port.name === name))
    .map(({ mac }) => ({ mac, address: leaseOf(host.cidr, mac) }));
}

/** A constant address of a NIC in the network, not among the first few. */
function leaseOf(cidr: string, mac: string): string {
  const few = 16;
  const number = Number.parseInt(mac.replaceAll(":", "").slice(-6), 16);
  return addressAt(cidr, few + (number % (prefixSize(cidr) - 2 * few)));
}

const announced = ({ address, ipv6, outside }: OverlayInterface): string[] => [
  ...[address, ...(outside ? [outside.address] : [])].map((each) => `${each}/32`),
  ...(ipv6 ? [`${ipv6.address}/128`] : []),
];

const isTaken = async (
  { url, token }: AgentConfig,
  method: string,
  path: string,
  body: object,
  { ask }: DpuSurroundings,
): Promise<boolean> => {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const request = new Request(url + path, { method, headers, body: JSON.stringify(body) });
  return ask(request).then(
    ({ ok }) => ok,
    () => false,
  );
};

/** A network that differs from the present one; undefined for the same, and when there is no answer. */
async function fetched(
  { url, token }: AgentConfig,
  has: Network | undefined,
  { ask }: DpuSurroundings,
): Promise<Network | undefined> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(has && { "If-None-Match": `"${has.version}"` }),
  };
  try {
    const answer = await ask(new Request(`${url}/network`, { headers }));
    // Safe: the answer follows Slipway's own contract.
    return answer.status === 200 ? ((await answer.json()) as Network) : undefined;
  } catch {
    return undefined;
  }
}
