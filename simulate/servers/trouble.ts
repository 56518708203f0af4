import { minutes } from "../../core/clock.ts";
import { type Identity, serialIn } from "../../core/ports/bare-metal/identity.ts";
import type { FaultInput } from "../../sim/faults.ts";
import { hostId } from "../../sim/host.ts";
import { seeded } from "../../test/support/random.ts";
import { chance } from "../chance.ts";
import type { System } from "../system.ts";
import type { MachineTrouble } from "./plan.ts";

/** Trouble of one machine: for a while, something is wrong with a server or a DPU. */

export type MachineFault = Omit<FaultInput, "target">;
const always = 0;
const held = (operation: string): MachineFault => ({ operation, fault: "hold" });
const away: MachineFault = { fault: "crash_before", count: always };

interface Troubled {
  /** Whose trouble it is, and what is wrong for a while. */
  of: "dpu" | "server" | "any";
  faults: MachineFault[];
  /** The machine has other names from now on. */
  isRenamed?: true;
  /** Each of two machines is at the other's address. */
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

/** The shortest and the longest time that it continues. */
const [shortest, longest] = [minutes(5), minutes(120)];

/** Machines with something wrong, now or once. */
export class MachineTroubles {
  readonly #system: System;
  /** By the name of the host. */
  readonly #met = new Set<string>();

  constructor(system: System) {
    this.#system = system;
  }

  /** Whether something was ever wrong with a host of this name, or with a DPU of it. */
  has(host: string): boolean {
    return this.#met.has(host);
  }

  note(host: string): void {
    this.#met.add(host);
  }

  /** Whether what was found at the controller of a host or a DPU is itself with another mainboard. */
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
