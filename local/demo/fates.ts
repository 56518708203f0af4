import { fateOf } from "./look.ts";
import { sayBeside } from "./screen.ts";
import { sayHeading } from "./telling.ts";
import type { Dev } from "./world.ts";

/** What the simulated fabric does with a packet: delivers it, or drops it and says why. */

/** The source or destination of a packet: a NIC by its MAC address, or an IP address. */
export interface Place {
  name: string;
  at: string;
}
/** Source, destination, and TCP port. */
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
