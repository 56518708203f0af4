import { seconds } from "../../core/clock.ts";

/** How long the fabric takes, in simulated milliseconds. */
export const delays = {
  /** From a subnet with DHCP to the agent that serves it. */
  dhcp: seconds(5),
  /** From a router's interface to its being up. */
  routerInterface: seconds(5),
  /** From an associated floating IP to its being ACTIVE. */
  floatingIp: seconds(4),
  /** One change on one switch: a login and a few commands. They follow each other. */
  plug: { shortest: seconds(5), longest: seconds(15) },
} as const;
