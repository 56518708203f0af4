import { seconds } from "../../core/clock.ts";

/** The delays of the fabric, in simulated milliseconds. */
export const delays = {
  /** From a subnet with DHCP to the agent that serves it. */
  dhcp: seconds(5),
  /** From a new router interface until it is up. */
  routerInterface: seconds(5),
  /** From an associated floating IP until it is ACTIVE. */
  floatingIp: seconds(4),
  /** One change at a switch: a login and a few commands. A switch makes one change at a time. */
  plug: { shortest: seconds(5), longest: seconds(15) },
} as const;
