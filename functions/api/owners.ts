import ipaddr from "ipaddr.js";
import * as z from "zod";
import { addressIn } from "../../core/kernel/input/address.ts";
import { isPlausibleId } from "../../core/kernel/request/caller.ts";
import { macIn } from "../../core/mac.ts";
import {
  addressHolders,
  prefixHolders,
  vlanHolders,
} from "../../core/reconcile/owners/at-sites.ts";
import {
  hostHolders,
  infraHolders,
  macHolders,
  nameHolders,
} from "../../core/reconcile/owners/by-name.ts";
import {
  type Holding,
  holdingSchema,
  type OwnedKind,
  ownedKinds,
} from "../../core/reconcile/owners/schema.ts";
import type { Call } from "./call.ts";
import { badParameter } from "./parameters.ts";
import { prefixes, type Route, route } from "./route.ts";

/**
 * The holders of numbers, addresses, names and hosts, over all tenants. Each holder is read by the
 * key of its claim, without a search.
 */

interface Asked {
  /** The form of a value, for people. */
  form: string;
  /** The value as it is stored; undefined for an invalid text. */
  read(text: string): string | undefined;
  find(call: Call, value: string): Promise<Holding[]>;
}

const where = (call: Call) => ({ site: call.query("site"), network: call.query("network") });

const name = (text: string): string | undefined =>
  isPlausibleId(text) && !text.includes("#") ? text : undefined;

const kinds: Record<OwnedKind, Asked> = {
  vlan: {
    form: "a VLAN id, such as 107",
    read: (text) => (/^[1-9]\d{0,3}$/.test(text) && Number(text) < 4095 ? text : undefined),
    find: (call, value) => vlanHolders(call.deps, Number(value), where(call)),
  },
  ip: {
    form: "an IP address, such as 203.0.113.9",
    read: addressIn,
    find: (call, value) => addressHolders(call.deps, value, where(call)),
  },
  prefix: {
    form: "a prefix, such as 10.64.7.0/24",
    read: prefixIn,
    find: (call, value) => prefixHolders(call.deps, value, where(call)),
  },
  dns: {
    form: "a name in DNS, such as api.demo.acme.example.com",
    read: (text) => {
      const lower = text.toLowerCase().replace(/\.$/, "");
      return /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(lower) && lower.length <= 253
        ? lower
        : undefined;
    },
    find: ({ deps }, value) => nameHolders(deps, value),
  },
  mac: {
    form: "a MAC address, such as 52:54:00:12:34:56",
    read: macIn,
    find: ({ deps }, value) => macHolders(deps, value),
  },
  host: {
    form: "the id or the name of a host",
    read: name,
    find: ({ deps }, value) => hostHolders(deps, value),
  },
  infra_id: {
    form: "the name that an object has on hubs and fabrics, such as its network there carries",
    read: name,
    find: ({ deps }, value) => infraHolders(deps, value),
  },
};

function prefixIn(text: string): string | undefined {
  const [address = "", length = "", ...more] = text.split("/");
  if (more.length > 0 || addressIn(address) === undefined || !/^\d{1,3}$/.test(length))
    return undefined;
  if (!ipaddr.isValidCIDR(text)) return undefined;
  const family = address.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
  const first = family.networkAddressFromCIDR(text).toString();
  return first === ipaddr.parse(address).toString() ? `${first}/${Number(length)}` : undefined;
}

/** A value of this kind as it is stored, from the parameter that has it. Throws Invalid. */
export function ownedValue(kind: OwnedKind, parameter: "value" | "from", text: string): string {
  const { form, read } = kinds[kind];
  const value = read(text.trim());
  if (value === undefined) throw badParameter(parameter, `must be ${form}`);
  return value;
}

async function ownersAnswer(call: Call): Promise<Response> {
  const asked = ownedKinds.find((each) => each === call.query("kind"));
  if (!asked) throw badParameter("kind", `must be one of: ${ownedKinds.join(", ")}`);
  const value = ownedValue(asked, "value", call.query("value") ?? "");
  for (const place of ["site", "network"] as const)
    if (call.query(place) !== undefined && name(call.query(place) ?? "") === undefined)
      throw badParameter(place, `must be the id of a ${place}`);
  const items = await kinds[asked].find(call, value);
  return call.c.json({ size: items.length, total: items.length, items });
}

export const ownerRoutes: Route[] = [
  route({
    area: "private",
    subject: "owner",
    verb: "list",
    method: "GET",
    path: `${prefixes.private}/owners`,
    summary: "List owners",
    description:
      "Who has a VLAN id, an address, a prefix, a name, a MAC address or a host, over all tenants and by the key of its claim. There is an item for each place that can have it: each site, a pool, or with `network` a subnet of this network of a tenant, since addresses in two networks may be the same. There is none where nobody could have it.",
    query: ["kind", "value", "site", "network"],
    response: () =>
      z.object({
        size: z.int().describe("How many there are."),
        total: z.int().describe("How many there are."),
        items: z.array(holdingSchema).describe("Who has it, at each place."),
      }),
    handle: ownersAnswer,
  }),
];
