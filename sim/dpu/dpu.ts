import * as z from "zod";
import type { DpuNetwork } from "../../core/resources/dpu/network.ts";
import { durations } from "../durations.ts";
import { goneOn, loaded, type NetBoot, type Surroundings } from "../net-boot/boots.ts";
import { type Call, callsOf, readConfig, type Seed, seedUrlIn } from "../net-boot/cloud-init.ts";
import { agentSteps } from "./agent.ts";

/** A DPU in a host, between the host's NICs and the switch. */
export interface SimDpu {
  id: string;
  name: string;
  /** The name of its host. */
  host: string;
  serial: string;
  bmc: { address: string };
  /** Its ports towards the host, each with the NIC behind it. */
  ports: { name: string; mac: string }[];
  /** The address that DHCP assigns to it. */
  address: string;
}

/** Its agent's configuration, on its disk. */
export interface AgentConfig {
  url: string;
  token: string;
}

export type Network = DpuNetwork & { version: number };

/** The system that a DPU runs; `at` is the time of its next step. */
export type DpuRuns =
  | { system: "none" }
  | Exclude<NetBoot, { system: "installing" | "instance" }>
  /** The DPU runs the image, which has not read its seed yet. */
  | { system: "image"; seed: string; at: number }
  | { system: "cloud-init"; calls: Call[]; at: number }
  /**
   * The DPU runs its agent. `knows`: the agent's last report of itself; `applying`: the network
   * that the agent has fetched and not applied yet.
   */
  | { system: "agent"; knows?: string; applying?: Network; at: number };

/** The state of a DPU. */
export interface DpuState {
  /** When its machine booted. */
  boot?: number;
  runs: DpuRuns;
  /** Absent before its installation. */
  disk?: AgentConfig;
  /** The network that it has applied, and its last report of that. */
  applied?: Network;
  told?: string;
}

export const dpuFaults = ["image", "phone home", "agent", "applied", "sessions", "relay"] as const;
export type DpuFault = (typeof dpuFaults)[number];

export interface DpuSurroundings extends Omit<Surroundings, "isHeld" | "imageOf"> {
  dpu: SimDpu;
  isHeld(what: DpuFault): boolean;
  /**
   * When the host booted, in milliseconds since the epoch; absent while it is off. The DPU sees the host's NICs from
   * then on.
   */
  hostOnSince(): number | undefined;
}

const takes = durations.dpu;

/** The DPU after its next step, which is due. */
export async function stepped(state: DpuState, around: DpuSurroundings): Promise<DpuState> {
  const { runs } = state;
  const { now } = around;
  try {
    switch (runs.system) {
      case "none":
      case "halted":
        return state;
      case "firmware":
      case "ipxe":
        return { ...state, runs: await netBooted(runs, around) };
      case "installer": {
        // Images of others read no seed.
        if (around.isHeld("image")) throw new Error("an image that is none of ours");
        const seed = seedUrlIn(runs.args);
        if (seed === undefined) throw new Error("the image was given no seed");
        return emptied(state, { system: "image", seed, at: now + takes.image });
      }
      case "image":
        return await seeded(state, runs.seed, around);
      case "cloud-init":
        return await told(state, runs, around);
      case "agent":
        return await agentSteps(state, runs, around);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ...state, runs: { system: "halted", why } };
  }
}

async function netBooted(runs: NetBoot, around: DpuSurroundings): Promise<DpuRuns> {
  const nothing = { isHeld: () => false, imageOf: () => undefined };
  const next = await goneOn(runs, { ...around, ...nothing });
  switch (next?.system) {
    case "firmware":
    case "ipxe":
    case "installer":
    case "halted":
      return next;
    default:
      throw new Error("a DPU boots nothing but its image");
  }
}

/** The image replaces what was on the disk. */
const emptied = ({ boot }: DpuState, runs: DpuRuns): DpuState => ({
  ...(boot !== undefined && { boot }),
  runs,
});

const configSchema = z.object({
  write_files: z.array(z.object({ path: z.string(), content: z.string() })),
});
const agentSchema = z.object({ url: z.string(), token: z.string() });

async function seeded(state: DpuState, from: string, around: DpuSurroundings): Promise<DpuState> {
  const part = (name: keyof Seed) => loaded(`${from}${name}`, around);
  const seed: Seed = {
    "meta-data": await part("meta-data"),
    "user-data": await part("user-data"),
    "vendor-data": await part("vendor-data"),
  };
  const files = configSchema.parse(readConfig(seed["user-data"])).write_files;
  const text = files.find(({ path }) => path.endsWith("/agent.json"))?.content ?? "";
  return {
    ...state,
    disk: agentSchema.parse(JSON.parse(text)),
    runs: { system: "cloud-init", calls: callsOf(seed, true), at: around.now + takes.cloudInit },
  };
}

async function told(
  state: DpuState,
  runs: DpuRuns & { system: "cloud-init" },
  { now, ask, isHeld }: DpuSurroundings,
): Promise<DpuState> {
  const [call, ...calls] = runs.calls;
  if (!call) return { ...state, runs: started(now) };
  const later = { ...state, runs: { ...runs, at: now + durations.held } };
  if (isHeld("phone home")) return later;
  const { url, type, body } = call;
  const init = { method: "POST", body, headers: { "Content-Type": type } };
  const isTold = await ask(new Request(url, init)).then(
    ({ ok }) => ok,
    () => false,
  );
  return isTold ? { ...state, runs: { ...runs, calls, at: now } } : later;
}

/** The agent at each start of the installed system. */
export const started = (now: number): DpuRuns => ({
  system: "agent",
  at: now + takes.agent,
});
