import * as z from "zod";
import { basicAuthorization } from "../../core/http.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import { leasesOf, Refusal, requireSubnet, subnetId, theHost, theSubnet } from "./arguments.ts";
import { type Lease, leasedSchema, lifetime, type Reservation, type Subnet } from "./config.ts";
import type { SimulatedKea } from "./kea.ts";

/** What a command answers. */
interface Answer {
  result: 0 | 1 | 2 | 3;
  text?: string;
  arguments?: unknown;
}

type Run = (kea: SimulatedKea, args: unknown) => Answer;

const typeName = (value: unknown): string =>
  Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;

/** The service is the control agent's business. */
const requestSchema = z.object(
  {
    command: z.string({
      error: ({ input }) =>
        input === undefined
          ? "invalid command: does not contain mandatory 'command'"
          : // Kea names the type of the whole.
            "invalid command: expected 'command' to be a string, got map instead",
    }),
    arguments: z.unknown().optional(),
  },
  {
    error: ({ input }) =>
      `invalid command: expected toplevel entry to be a map, got ${typeName(input)} instead`,
  },
);

/** Kea's commands over HTTP, as version 3.0 answers: a list of one answer, and HTTP 200 whatever it says. */
export function keaApi(kea: SimulatedKea): FetchHandler {
  return async (request) => {
    if (request.headers.get("authorization") !== basicAuthorization(kea))
      return Response.json({ result: 401, text: "Unauthorized" }, { status: 401 });
    const body: unknown = await request.json().catch(() => undefined);
    if (request.method !== "POST" || body === undefined)
      return Response.json({ result: 400, text: "Bad Request" }, { status: 400 });
    const parsed = requestSchema.safeParse(body);
    return Response.json([
      parsed.success
        ? answerTo(kea, parsed.data)
        : { result: 1, text: `Error during command processing: ${wordsOf(parsed.error)}` },
    ]);
  };
}

function answerTo(kea: SimulatedKea, { command, arguments: args }: z.infer<typeof requestSchema>) {
  const known = commands[command];
  if (!known || (known.hook && !kea.hooks.has(known.hook)))
    return { result: 2, text: `'${command}' command not supported.` };
  if (args === undefined && command.startsWith("subnet4-"))
    return { result: 1, text: `no arguments specified for the '${command}' command` };
  try {
    return known.run(kea, args);
  } catch (error) {
    if (error instanceof Refusal) return { result: 1, text: error.message };
    if (error instanceof z.ZodError) return { result: 1, text: wordsOf(error) };
    throw error;
  }
}

/** Kea stops at what is wrong first. */
const wordsOf = ({ issues: [first] }: z.ZodError): string => first?.message ?? "";

const commands: Record<string, { hook?: string; run: Run }> = {
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
      // Without a target the command means the database, of which there is none.
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

const named = ({ id, subnet }: Subnet) => ({ id, subnet });

/** Kea adds the members that were not given, and spells ranges without spaces. */
const shown = ({ pools, "option-data": options, ...subnet }: Subnet) => ({
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

const shownHost = (host: Reservation) => ({
  "boot-file-name": "",
  "client-classes": [],
  hostname: "",
  "next-server": "0.0.0.0",
  "option-data": [],
  "server-hostname": "",
  ...host,
});

const shownLease = ({ expires, ...lease }: Lease) => ({
  ...lease,
  cltt: Math.floor((expires - lifetime) / 1000),
  "valid-lft": lifetime / 1000,
  state: 0,
  hostname: "",
  "fqdn-fwd": false,
  "fqdn-rev": false,
});
