import type { Bounds, Size } from "./worlds.ts";

/**
 * How large everything outside is: there are hosts for most, not for all. Among more than ten hubs a plan
 * reads lists of hubs with room. One site is short of VLAN ids, and another of outside addresses. One hub has
 * servers too that tenants order whole.
 */
export const usualSize: Size = {
  ...{ sites: 3, hubsAtSite: 4, hostsAtHub: { fc430: 10, h100: 3 } },
  networks: [
    { vlans: { first: 100, last: 117 } },
    { floating_ips: { first: "203.0.113.100", last: "203.0.113.135" } },
  ],
  servers: { plain: 2, withDpus: 2, hubs: 1 },
};

/** One site with servers that tenants order whole, and nothing else: there are too few of them at times. */
export const bareMetalSize: Size = {
  ...{ sites: 1, hubsAtSite: 2, hostsAtHub: {} },
  servers: { plain: 4, withDpus: 8 },
};

/**
 * Two hubs with servers that are off, of which the hot pools alone are short: there are numbers and control
 * planes for all orders of an hour.
 */
export const hotPoolSize = (hotPool: Bounds): Size => ({
  ...{ sites: 1, hubsAtSite: 2, hostsAtHub: { fc430: 120, h100: 24 } },
  slots: 150,
  external: {
    cidr: "198.18.0.0/22",
    gateway: "198.18.0.1",
    first: "198.18.0.10",
    last: "198.18.3.250",
  },
  networks: [{ floating_ips: { first: "198.18.1.0", last: "198.18.3.250" } }],
  hotPool,
});
