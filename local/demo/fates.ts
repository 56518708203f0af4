import { fateOf } from "./look.ts";
import { sayBeside } from "./screen.ts";
import { sayHeading } from "./telling.ts";
import type { Dev } from "./world.ts";

/** What becomes of packets, as the simulated fabric has it. */

/** What sends packets and gets them: a NIC by its MAC, or an address. */
export interface Place {
  name: string;
  at: string;
}
/** From where, to where, and to which port of TCP. */
export type Packet = [Place, Place, number];

export const internet: Place = { name: "the Internet", at: "198.51.100.7" };

export async function sayFates({ sim }: Dev, packets: readonly Packet[]): Promise<void> {
  sayHeading("What reaches what, asked of the simulated fabric:");
  for (const [from, to, port] of packets) {
    const fate = await fateOf(sim, {
      ...{ from: from.at, to: to.at },
      ...{ protocol: "tcp", port: String(port) },
    });
    sayBeside("      ", 8, `${from.name} → ${to.name}, TCP ${port}: ${fate}`);
  }
}
