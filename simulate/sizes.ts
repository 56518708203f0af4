import type { Bounds, Size } from "./worlds.ts";

/**
 * The size of everything outside. There are hosts for most orders, not for all. With more than ten hubs, a plan reads
 * lists of hubs with room. One site is short of VLAN ids, another of outside addresses. One hub also has whole servers
 * for tenants.
 */
export const usualSize: Size = {
  ...{ sites: 3, hubsAtSite: 4, hostsAtHub: { fc430: 10, h100: 3 } },
  networks: [
    { vlans: { first: 100, last: 117 } },
    { floating_ips: { first: "203.0.113.100", last: "203.0.113.135" } },
  ],
  servers: { plain: 2, withDpus: 2, hubs: 1 },
};

/** One site with whole servers for tenants only, at times too few. */
export const bareMetalSize: Size = {
  ...{ sites: 1, hubsAtSite: 2, hostsAtHub: {} },
  servers: { plain: 4, withDpus: 8 },
};

/**
 * Two hubs with powered-off servers, where only the hot pools run short: numbers and control planes suffice for an
 * hour's orders.
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
