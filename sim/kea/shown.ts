import { type Lease, lifetime, type Reservation, type Subnet } from "./config.ts";

/** Kea's objects as it shows them, with the defaults of absent members. */

export const named = ({ id, subnet }: Subnet) => ({ id, subnet });

/** Ranges have no spaces. */
export const shown = ({ pools, "option-data": options, ...subnet }: Subnet) => ({
  ...subnet,
  pools: pools.map(({ pool }) => ({ pool: pool.replaceAll(" ", ""), "option-data": [] })),
  "option-data": options.map((option) => ({
    ...option,
    "always-send": false,
    "csv-format": true,
    "never-send": false,
    space: "dhcp4",
  })),
  "valid-lifetime": lifetime / 1000,
  relay: { "ip-addresses": [] },
});

export const shownHost = (host: Reservation) => ({
  "boot-file-name": "",
  "client-classes": [],
  hostname: "",
  "next-server": "0.0.0.0",
  "option-data": [],
  "server-hostname": "",
  ...host,
});

export const shownLease = ({ expires, ...lease }: Lease) => ({
  ...lease,
  cltt: Math.floor((expires - lifetime) / 1000),
  "valid-lft": lifetime / 1000,
  state: 0,
  hostname: "",
  "fqdn-fwd": false,
  "fqdn-rev": false,
});
