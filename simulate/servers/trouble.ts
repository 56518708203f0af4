import { minutes } from "../../core/clock.ts";
import { type Identity, serialIn } from "../../core/ports/bare-metal/identity.ts";
import type { FaultInput } from "../../sim/faults.ts";
import { hostId } from "../../sim/host.ts";
import { seeded } from "../../test/support/random.ts";
import { chance } from "../chance.ts";
import type { System } from "../system.ts";
import type { MachineTrouble } from "./plan.ts";

/** Temporary trouble of one server or DPU. */

export type MachineFault = Omit<FaultInput, "target">;
const always = 0;
const held = (operation: string): MachineFault => ({ operation, fault: "hold" });
const away: MachineFault = { fault: "crash_before", count: always };

interface Troubled {
  /** The machine with the trouble. */
  of: "dpu" | "server" | "any";
  faults: MachineFault[];
  /** Whether the machine has other names afterwards. */
  isRenamed?: true;
  /** Whether two machines answer at each other's address. */
  isSwapped?: true;
}

const troubles: Record<MachineTrouble, Troubled> = {
  "a DPU is silent": { of: "dpu", faults: [held("agent")] },
  "a DPU reports no applied version": { of: "dpu", faults: [held("applied")] },
  "a DPU is unreachable, and so is its controller": { of: "dpu", faults: [held("agent"), away] },
  "a controller is slow": { of: "any", faults: [{ fault: "slow", count: always }] },
  "a controller is unreachable": { of: "any", faults: [away] },
  "a wrong image boots": {
    of: "server",
    faults: [{ operation: "boot", fault: "error", count: 2 }],
  },
  "an image cannot be written": { of: "any", faults: [held("image")] },
  "DHCP does not answer": { of: "any", faults: [held("address")] },
  "phone home does not come": { of: "any", faults: [held("phone home")] },
  "an erasure fails": { of: "server", faults: [held("wipe fails")] },
  "links name another authority": { of: "any", faults: [held("links foreign")] },
  "tasks are not named": { of: "any", faults: [held("tasks untold")] },
  "another server is at its address": { of: "any", faults: [held("another server")] },
  "two cables are swapped": { of: "any", faults: [], isSwapped: true },
  "a mainboard is replaced": { of: "any", faults: [], isRenamed: true },
};

/** The shortest and longest duration. */
const [shortest, longest] = [minutes(5), minutes(120)];

/** Machines that have or had trouble. */
export class MachineTroubles {
  readonly #system: System;
  /** By the host's name. */
  readonly #met = new Set<string>();

  constructor(system: System) {
    this.#system = system;
  }

  /** Whether a host of this name, or a DPU of it, ever had trouble. */
  has(host: string): boolean {
    return this.#met.has(host);
  }

  note(host: string): void {
    this.#met.add(host);
  }

  /** Whether the server found at a host's or DPU's controller is the same one with another mainboard. */
  isOwn(name: string, found: Identity | undefined): boolean {
    const machine = this.#system.worlds.sites[0]?.world.bmcs.machines.get(hostId(name));
    return found?.serial !== undefined && found.serial === serialIn(machine?.serial);
  }

  begin(trouble: MachineTrouble, draw: number): void {
    const { worlds, clock, dice } = this.#system;
    const { pick, oneIn, below } = chance(seeded(draw));
    const { of, faults, isRenamed, isSwapped } = troubles[trouble];
    const world = worlds.sites[0]?.world;
    const dpus = world?.dpus.list() ?? [];
    const isDpu = of === "dpu" || (of === "any" && dpus.length > 0 && oneIn(2));
    const machines = isDpu
      ? dpus
      : (world?.hosts() ?? []).map((host) => ({ name: host.name, host: host.name }));
    if (!world || machines.length === 0) return;
    const one = pick(machines);
    const others = machines.filter(({ name }) => name !== one.name);
    if (isSwapped && others.length === 0) return;
    const { name } = one;
    const other = isSwapped && pick(others);
    for (const each of other ? [one, other] : [one]) this.note(each.host);
    dice.note(trouble);
    const machine = isRenamed && world.bmcs.machines.get(hostId(name));
    if (machine) {
      const names = { serial: `BOARD-${draw}`, uuid: hostId(`${name}, board ${draw}`) };
      world.bmcs.machines.put({ ...machine, ...names });
    }
    const at = (machine: string, fault: MachineFault) =>
      world.faults.add({ target: `bmc:${machine}`, ...fault }).id;
    const swapped = (a: string, b: string) => at(a, held(`server of ${b}`));
    const added = new Set(faults.map((fault) => at(name, fault)));
    if (other) added.add(swapped(name, other.name)).add(swapped(other.name, name));
    clock.after(shortest + below(longest - shortest), () =>
      world.faults.clear(({ id }) => added.has(id)),
    );
  }
}
