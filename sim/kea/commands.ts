import * as z from "zod";
import { leasesOf, Refusal, requireSubnet, subnetId, theHost, theSubnet } from "./arguments.ts";
import { leasedSchema, lifetime, type Reservation } from "./config.ts";
import type { SimulatedKea } from "./kea.ts";
import { named, shown, shownHost, shownLease } from "./shown.ts";

/** The answer of a command. */
export interface Answer {
  result: 0 | 1 | 2 | 3;
  text?: string;
  arguments?: unknown;
}

type Run = (kea: SimulatedKea, args: unknown) => Answer;

/** The commands, each with the hook library that provides it. They throw when their arguments are invalid. */
export const commands: Record<string, { hook?: string; run: Run }> = {
  "list-commands": {
    run: (kea) => ({
      result: 0,
      arguments: Object.keys(commands).filter((name) => {
        const hook = commands[name]?.hook;
        return !hook || kea.hooks.has(hook);
      }),
    }),
  },
  "config-get": {
    run: ({ config }) => ({
      result: 0,
      arguments: {
        Dhcp4: {
          "valid-lifetime": lifetime / 1000,
          "shared-networks": [],
          subnet4: config.subnets.map((subnet) => ({
            ...shown(subnet),
            reservations: config.reservations.filter((host) => host["subnet-id"] === subnet.id),
          })),
        },
        hash: "0".repeat(64),
      },
    }),
  },
  "config-write": {
    run(kea) {
      kea.write();
      const filename = "/etc/kea/kea-dhcp4.conf";
      const size = JSON.stringify(kea.config).length;
      const text = `Configuration written to ${filename} successful`;
      return { result: 0, text, arguments: { filename, size } };
    },
  },
  "subnet4-get": {
    hook: "libdhcp_subnet_cmds.so",
    run({ config }, args) {
      const asked = z
        .union([z.object({ subnet: z.string() }), z.object({ id: z.int() })])
        .parse(args);
      const found = config.subnets.find((one) =>
        "id" in asked ? one.id === asked.id : one.subnet === asked.subnet,
      );
      if (!found)
        return {
          result: 3,
          text:
            "id" in asked
              ? `No subnet with id ${asked.id} found`
              : `No ${asked.subnet} subnet found`,
        };
      const text = `Info about IPv4 subnet ${found.subnet} (id ${found.id}) returned`;
      return { result: 0, text, arguments: { subnet4: [shown(found)] } };
    },
  },
  "subnet4-add": {
    hook: "libdhcp_subnet_cmds.so",
    run(kea, args) {
      const added = theSubnet("subnet4-add", args);
      const { config } = kea;
      if (config.subnets.some(({ id }) => id === added.id))
        throw new Refusal(`ID of the new IPv4 subnet '${added.id}' is already in use`);
      if (config.subnets.some(({ subnet }) => subnet === added.subnet))
        throw new Refusal(`subnet with the prefix of '${added.subnet}' already exists`);
      kea.change({ ...config, subnets: [...config.subnets, added] });
      return { result: 0, text: "IPv4 subnet added", arguments: { subnets: [named(added)] } };
    },
  },
  "subnet4-update": {
    hook: "libdhcp_subnet_cmds.so",
    run(kea, args) {
      const changed = theSubnet("subnet4-update", args);
      const { config } = kea;
      if (!config.subnets.some(({ id }) => id === changed.id))
        throw new Refusal(`Can't find subnet '${changed.id}' to update`);
      if (config.subnets.some(({ id, subnet }) => subnet === changed.subnet && id !== changed.id))
        throw new Refusal(`Unable to update subnet '${changed.id}' in the configuration`);
      const subnets = config.subnets.map((one) => (one.id === changed.id ? changed : one));
      kea.change({ ...config, subnets });
      return { result: 0, text: "IPv4 subnet updated", arguments: { subnets: [named(changed)] } };
    },
  },
  "subnet4-del": {
    hook: "libdhcp_subnet_cmds.so",
    run(kea, args) {
      const { id } = z.object({ id: z.int() }).parse(args);
      const { subnets, reservations } = kea.config;
      const found = subnets.find((one) => one.id === id);
      if (!found) return { result: 3, text: `no subnet with id ${id} found` };
      kea.change({
        subnets: subnets.filter((one) => one !== found),
        reservations: reservations.filter((host) => host["subnet-id"] !== id),
      });
      const text = `IPv4 subnet ${found.subnet} (id ${id}) deleted`;
      return { result: 0, text, arguments: { subnets: [named(found)] } };
    },
  },
  "reservation-get-all": {
    hook: "libdhcp_host_cmds.so",
    run({ config }, args) {
      const { "subnet-id": id } = subnetId.parse(args);
      requireSubnet(config.subnets, id);
      const hosts = config.reservations.filter((host) => host["subnet-id"] === id).map(shownHost);
      const text = `${hosts.length} IPv4 host(s) found.`;
      return { result: hosts.length > 0 ? 0 : 3, text, arguments: { hosts } };
    },
  },
  "reservation-add": {
    hook: "libdhcp_host_cmds.so",
    run(kea, args) {
      const host = theHost(kea, args, "Host database not available, cannot add host.");
      const { config } = kea;
      const here = config.reservations.filter((one) => one["subnet-id"] === host["subnet-id"]);
      const failed = `failed to add new host using the HW address '${host["hw-address"]}`;
      const where = `to the IPv4 subnet id '${host["subnet-id"]}'`;
      if (here.some((one) => one["hw-address"] === host["hw-address"]))
        throw new Refusal(`${failed}' ${where} as this host has already been added`);
      const address = host["ip-address"];
      if (address !== undefined && here.some((one) => one["ip-address"] === address))
        throw new Refusal(
          `${failed} and DUID '(null)' ${where} for the address ${address}: There's already a reservation for this address`,
        );
      kea.change({ ...config, reservations: [...config.reservations, host] });
      return { result: 0, text: "Host added." };
    },
  },
  "reservation-update": {
    hook: "libdhcp_host_cmds.so",
    run(kea, args) {
      const host = theHost(kea, args, "host database not available, cannot update host");
      const { config } = kea;
      if (!config.reservations.some(isSameHost(host)))
        throw new Refusal(`Host not updated (not found).`);
      const reservations = config.reservations.map((one) => (isSameHost(host)(one) ? host : one));
      kea.change({ ...config, reservations });
      return { result: 0, text: "Host updated." };
    },
  },
  "reservation-del": {
    hook: "libdhcp_host_cmds.so",
    run(kea, args) {
      const asked = subnetId
        .extend({
          "identifier-type": z.literal("hw-address", {
            error:
              "No 'ip-address' provided and 'identifier-type' is either missing or not a string.",
          }),
          identifier: z.string(),
          "operation-target": z.string().optional(),
        })
        .parse(args);
      const { config } = kea;
      const is = isSameHost({ ...asked, "hw-address": asked.identifier.toLowerCase() });
      // A command without a target means the hosts database, which does not exist here.
      if (asked["operation-target"] !== "memory")
        throw new Refusal("Unable to delete a host because there is no hosts-database configured.");
      if (!config.reservations.some(is))
        return { result: 3, text: "Host not deleted (not found)." };
      kea.change({ ...config, reservations: config.reservations.filter((one) => !is(one)) });
      return { result: 0, text: "Host deleted." };
    },
  },
  "lease4-get-all": {
    hook: "libdhcp_lease_cmds.so",
    run(kea, args) {
      const { subnets } = leasesOf.parse(args);
      const leases = kea.leases().filter((lease) => subnets.includes(lease["subnet-id"]));
      const text = `${leases.length} IPv4 lease(s) found.`;
      return {
        result: leases.length > 0 ? 0 : 3,
        text,
        arguments: { leases: leases.map(shownLease) },
      };
    },
  },
  "lease4-del": {
    hook: "libdhcp_lease_cmds.so",
    run(kea, args) {
      const { "ip-address": address } = leasedSchema.parse(args);
      const leases = kea.leases();
      const left = leases.filter((lease) => lease["ip-address"] !== address);
      if (left.length === leases.length) return { result: 3, text: "IPv4 lease not found." };
      kea.setLeases(left);
      return { result: 0, text: "IPv4 lease deleted." };
    },
  },
};

const isSameHost =
  (host: Pick<Reservation, "subnet-id" | "hw-address">) =>
  (other: Reservation): boolean =>
    other["subnet-id"] === host["subnet-id"] && other["hw-address"] === host["hw-address"];
