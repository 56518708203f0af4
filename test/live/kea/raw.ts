import type { Raw, Row, Side } from "../compare.ts";

/** What is asked of Kea's DHCPv4 server, and what is wrong with it. */

const ask = (command: string, args?: unknown): Raw => ({
  method: "POST",
  path: "/",
  body: { command, ...(args !== undefined && { arguments: args }) },
});
const posted = (body: unknown, headers?: Record<string, string>): Raw => ({
  method: "POST",
  path: "/",
  body,
  ...(headers && { headers }),
});

export const prefix = "10.0.3.0/26";
const subnet = {
  id: 7,
  subnet: prefix,
  pools: [{ pool: "10.0.3.10 - 10.0.3.60" }],
  "option-data": [{ name: "routers", data: "10.0.3.1" }],
  "user-context": { "slipway.dev/owner": "somebody" },
};
const without = (member: keyof typeof subnet) => {
  const { [member]: _, ...rest } = subnet;
  return rest;
};
const subnets = (...subnet4: object[]) => ({ subnet4 });
const add = (changed: object) => ask("subnet4-add", subnets({ ...subnet, ...changed }));
const update = (changed: object) => ask("subnet4-update", subnets({ ...subnet, ...changed }));

const host = { "subnet-id": 7, "hw-address": "52:54:00:00:00:01", "ip-address": "10.0.3.20" };
const memory = { "operation-target": "memory" };
const reserve = (changed: object, target: object = memory) =>
  ask("reservation-add", { reservation: { ...host, ...changed }, ...target });
const change = (changed: object) =>
  ask("reservation-update", { reservation: { ...host, ...changed }, ...memory });
const named = {
  "subnet-id": 7,
  "identifier-type": "hw-address",
  identifier: host["hw-address"],
};

const rows: [what: string, ask: Raw, differs?: string][] = [
  ["no credentials", posted({ command: "list-commands" }, { authorization: "" })],
  ["wrong ones", posted({ command: "list-commands" }, { authorization: "Basic YTpi" })],
  ["no command", posted({})],
  ["a command that is a number", posted({ command: 7 })],
  ["a body that is a text", posted("list-commands")],
  ["a command that there is not", ask("nothing")],
  ["the service of the control agent", posted({ command: "list-commands", service: ["dhcp4"] })],
  ["two services", posted({ command: "list-commands", service: ["dhcp4", "dhcp6"] })],
  ["another method", { method: "GET", path: "/" }],
  ["the commands", ask("list-commands")],
  ["the configuration", ask("config-get")],
  ["it is written", ask("config-write")],

  ["a subnet that there is not, by its prefix", ask("subnet4-get", { subnet: prefix })],
  ["a subnet that there is not, by its id", ask("subnet4-get", { id: 7 })],
  ["a subnet without a name", ask("subnet4-get")],
  ["a subnet", ask("subnet4-add", subnets(subnet))],
  ["it again", ask("subnet4-add", subnets(subnet))],
  ["its prefix with another id", add({ id: 8 })],
  ["its id with another prefix", add({ subnet: "10.0.4.0/26", pools: [], "option-data": [] })],
  ["a prefix around it", add({ id: 8, subnet: "10.0.0.0/16" })],
  ["a pool outside the prefix", add({ id: 8, subnet: "10.0.4.0/26" })],
  ["a pool that is a word", add({ id: 8, subnet: "10.0.5.0/26", pools: [{ pool: "word" }] })],
  ["a prefix that is a word", add({ id: 9, subnet: "word" })],
  ["an id that is too large", add({ id: 4_294_967_295, subnet: "10.0.6.0/26", pools: [] })],
  ["a member that there is not", add({ id: 9, subnet: "10.0.7.0/26", pools: [], hello: 1 })],
  ["no prefix", ask("subnet4-add", subnets(without("subnet")))],
  ["no subnets", ask("subnet4-add", subnets())],
  ["two subnets", ask("subnet4-add", subnets(subnet, subnet))],
  ["no arguments", ask("subnet4-add")],
  ["the subnet by its prefix", ask("subnet4-get", { subnet: prefix })],
  ["the subnet by its id", ask("subnet4-get", { id: 7 })],
  ["the configuration with it", ask("config-get")],
  ["the subnet changed", update({ pools: [{ pool: "10.0.3.10 - 10.0.3.40" }] })],
  ["a change of a subnet that there is not", update({ id: 99 })],
  ["a change to a prefix that is taken", update({ id: 8 })],
  ["a change with a pool outside", update({ pools: [{ pool: "10.0.9.1 - 10.0.9.2" }] })],

  ["reservations where there are none", ask("reservation-get-all", { "subnet-id": 7, ...memory })],
  ["of a subnet that there is not", ask("reservation-get-all", { "subnet-id": 8, ...memory })],
  ["of no subnet", ask("reservation-get-all", memory)],
  ["a reservation in the database", reserve({}, {})],
  ["a reservation", reserve({})],
  ["the reservation again", reserve({})],
  ["its address for another NIC", reserve({ "hw-address": "52:54:00:00:00:02" })],
  ["an address outside", reserve({ "hw-address": "52:54:00:00:00:03", "ip-address": "10.0.9.1" })],
  ["in a subnet that there is not", reserve({ "subnet-id": 8 })],
  ["an address that is a word", reserve({ "ip-address": "word" })],
  ["a NIC that is a word", reserve({ "hw-address": "word" })],
  ["a reservation with another member", reserve({ hello: 1 })],
  ["no reservation", ask("reservation-add", memory)],
  ["the reservations", ask("reservation-get-all", { "subnet-id": 7, ...memory })],
  ["the reservation changed", change({ "ip-address": "10.0.3.21" })],
  ["a change of what is not reserved", change({ "hw-address": "52:54:00:00:00:04" })],
  ["a change in a subnet that there is not", change({ "subnet-id": 8 })],
  ["a reservation goes from the database", ask("reservation-del", named)],
  ["the reservation goes", ask("reservation-del", { ...named, ...memory })],
  ["a reservation goes that is gone", ask("reservation-del", { ...named, ...memory })],
  [
    "a reservation goes of a subnet that there is not",
    ask("reservation-del", { ...named, ...memory, "subnet-id": 8 }),
  ],
  ["a reservation goes without a name", ask("reservation-del", { "subnet-id": 7, ...memory })],

  ["leases where there are none", ask("lease4-get-all", { subnets: [7] })],
  ["leases of a subnet that there is not", ask("lease4-get-all", { subnets: [8] })],
  ["leases of subnets that are a number", ask("lease4-get-all", { subnets: 7 })],
  ["a lease goes that there is not", ask("lease4-del", { "ip-address": "10.0.3.10" })],
  ["a lease goes of an address that is a word", ask("lease4-del", { "ip-address": "word" })],
  ["a lease goes without an address", ask("lease4-del")],

  ["the subnet goes", ask("subnet4-del", { id: 7 })],
  ["the other subnet goes", ask("subnet4-del", { id: 8 })],
  ["a subnet goes that is gone", ask("subnet4-del", { id: 7 })],
  ["a subnet goes without an id", ask("subnet4-del")],
];

export const keaRows: Row[] = rows.map(([what, raw, differs]) => ({
  what,
  ask: raw,
  ...(differs !== undefined && { differs }),
}));

export const [addSubnet, getLeases] = [add({}), ask("lease4-get-all", { subnets: [7] })];

/** Kea's lists of one answer, its result and its words as type, and its arguments beside them. */
export const firstAnswer =
  (side: Side): Side =>
  async (request) => {
    const whole = await side(request);
    const { body } = whole;
    const [answer] = Array.isArray(body) ? body : [body];
    const { arguments: found, ...rest } = answer ?? {};
    const words = String(rest.text ?? "")
      .replace(/\/\S+\.conf/, "<file>")
      // Where in the text Kea's parser has found it.
      .replace(/ \((<string>)?:\d+:\d+\)$/, "");
    const code = `${Array.isArray(body) ? "a list: " : ""}${rest.result} ${words}`;
    return { ...whole, body: { ...rest, ...(Array.isArray(found) ? {} : found), code } };
  };
