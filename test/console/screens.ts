import { night } from "../support/bad-night.ts";
import { nobody } from "../support/console.ts";
import type { Full } from "./worlds.ts";

/**
 * The screens of the console, and the states that each can be in, with where that is to be seen. What is looked at is
 * derived from this table alone: each state of each screen in each theme and width.
 */

/** `offline`: the network goes away while it is open. `refused`: the API refuses what it reads. */
const states = ["full", "empty", "busy", "failed", "stuck", "offline", "refused"] as const;
type State = (typeof states)[number];

const people = [nobody, "admin", "tenant-a-user"] as const;

export interface Screen {
  of: (typeof people)[number];
  /** The page; a state that is not here cannot be. */
  at: Partial<Record<State, (world: Full) => string>>;
  /** What the API answers there in a state that no world has at once, by what its URL ends with. */
  answers?: Partial<Record<State, Record<string, object>>>;
  /** What tells a person that it is in this state, and why. */
  says?: Partial<Record<State, readonly string[]>>;
  /** Keys that open a dialog there. */
  keys?: readonly string[];
}

const order = (plural: string, id: string): string => `/orders/${plural}/${id}`;

/** A page that is the same whatever is in the world: everything is on it at once. */
const at = <S extends State>(path: string, ...of: S[]) =>
  Object.fromEntries(of.map((state) => [state, () => path])) as Record<S, () => string>;

/** What is read can be refused, and the network can go away. */
const broken = ["offline", "refused"] as const;

/** A server looks the same to its tenant and to its provider, but for where it stands. */
const serverAt: Screen["at"] = {
  full: ({ runningServer }) => order("baremetal_instances", runningServer),
  busy: ({ waitingServer }) => order("baremetal_instances", waitingServer),
  failed: ({ failedServer }) => order("baremetal_instances", failedServer),
  stuck: ({ stuckServer }) => order("baremetal_instances", stuckServer),
  offline: ({ waitingServer }) => order("baremetal_instances", waitingServer),
};

const fabricIsAway = "the fabric is unavailable now (503)";
const fabricRefuses = "the fabric refuses: injected fault: the fabric answers 400";
const forPerson = "operator action required: remove the cause, then resume the operation";

const saidOfServer: Screen["says"] = {
  full: ["Running", "Reinstall …", "Delete …"],
  busy: [fabricIsAway],
  failed: ["Failed", fabricRefuses],
  stuck: [forPerson, fabricRefuses],
};
const saidOfCluster: Screen["says"] = {
  full: ["Ready", "Upgrade to 4.18.1 …", "Delete …"],
  busy: [fabricIsAway],
  failed: ["Failed"],
  stuck: [forPerson, "the DNS server of zone example.com refuses"],
};

export const screens = {
  "signing in": { of: nobody, at: at("/", "full", "empty") },
  now: {
    of: "admin",
    at: at("/", "full", "empty", "busy", ...broken),
    answers: { busy: { "/private/v1/status": night } },
    keys: ["Shift+?", "Control+k"],
  },
  orders: {
    of: "admin",
    at: {
      ...at("/orders", "full", "empty", ...broken),
      ...at("/orders?show=Waiting", "busy"),
      ...at("/orders?show=Failed", "failed"),
      ...at("/orders?show=Stuck", "stuck"),
    },
  },
  "an order": {
    of: "admin",
    at: {
      full: ({ ready }) => order("clusters", ready),
      busy: ({ waiting }) => order("clusters", waiting),
      failed: ({ failed }) => order("clusters", failed),
      stuck: ({ stuck }) => order("clusters", stuck),
      offline: ({ ready }) => order("clusters", ready),
      refused: ({ stuck }) => order("clusters", stuck),
    },
    says: saidOfCluster,
  },
  "a host": {
    of: "admin",
    at: {
      full: ({ host }) => order("hosts", host),
      busy: ({ waitingHost }) => order("hosts", waitingHost),
      failed: ({ brokenHost }) => order("hosts", brokenHost),
      offline: ({ host }) => order("hosts", host),
    },
    says: {
      full: ["Reserved", "Replace …"],
      failed: ["Quarantined", "Retire …"],
      busy: ["Discovering", "controller cannot do this now (503)"],
    },
  },
  "a tenant's server, to its provider": {
    of: "admin",
    at: serverAt,
    says: saidOfServer,
  },
  hubs: {
    of: "admin",
    at: at("/hubs", "failed", "empty", ...broken),
    says: { failed: ["Unreachable", "Slipway has not reached it since", "Cordoned"] },
  },
  "a hub that is drained": {
    of: "admin",
    at: {
      ...at("/hubs/hub-a/drain", "full", ...broken),
      ...at("/hubs/hub-b/drain", "failed"),
    },
    says: { failed: ["Unreachable", "Slipway has not reached it since"] },
  },
  hosts: { of: "admin", at: at("/hosts", "full", "empty", ...broken) },
  "hosts as tables": { of: "admin", at: at("/hosts?view=table", "full") },
  "hosts that are sought": { of: "admin", at: at("/hosts?find=nowhere", "full") },
  sites: {
    of: "admin",
    at: at("/sites", "failed", "empty", ...broken),
    says: { failed: ["Unavailable", "the fabric is unavailable now (503)", "seen-orphan"] },
  },
  "a pool of numbers": { of: "admin", at: at("/sites/site-1/vlans", "full", ...broken) },
  "a pool of prefixes": { of: "admin", at: at("/sites/site-1/prefixes", "full") },
  tenants: { of: "admin", at: at("/tenants", "full", "empty", ...broken) },
  "a tenant": { of: "admin", at: at("/tenants/tenant-a", "full", ...broken) },
  "a tenant's orders": { of: "admin", at: at("/orders?tenant=tenant-a", "full") },
  "whose a number is": {
    of: "admin",
    at: {
      ...at("/sites?kind=host&value=seen-broken", "full", ...broken),
      ...at("/sites?kind=vlan&value=3999", "empty"),
    },
  },
  "the provider's catalog": { of: "admin", at: at("/catalog", "full", "empty", ...broken) },
  audit: {
    of: "admin",
    at: { ...at("/audit", "empty"), ...at("/audit?actor=setup", "full", ...broken) },
  },
  "no page": { of: "admin", at: at("/nowhere", "full") },
  clusters: {
    of: "tenant-a-user",
    at: {
      ...at("/orders", "full", "empty", ...broken),
      ...at("/orders?show=Waiting", "busy"),
      ...at("/orders?show=Failed", "failed"),
      ...at("/orders?show=Stuck", "stuck"),
    },
  },
  "a cluster": {
    of: "tenant-a-user",
    at: {
      full: ({ ready }) => order("clusters", ready),
      busy: ({ waiting }) => order("clusters", waiting),
      failed: ({ failed }) => order("clusters", failed),
      stuck: ({ stuck }) => order("clusters", stuck),
      offline: ({ waiting }) => order("clusters", waiting),
    },
    says: saidOfCluster,
  },
  "a new cluster": { of: "tenant-a-user", at: at("/new", "full", "empty", ...broken) },
  servers: { of: "tenant-a-user", at: at("/servers", "full", "empty", ...broken) },
  "a server": {
    of: "tenant-a-user",
    at: serverAt,
    says: saidOfServer,
  },
  "a new server": { of: "tenant-a-user", at: at("/servers/new", "full", "empty", ...broken) },
  networks: { of: "tenant-a-user", at: at("/networks", "full", "empty", ...broken) },
  "a new network": {
    of: "tenant-a-user",
    at: at("/networks/new", "full", "empty", ...broken),
    says: {
      full: ["Enter a name to check this order."],
      empty: ["No network is offered yet."],
    },
  },
  "a new subnet": {
    of: "tenant-a-user",
    at: {
      ...at("/networks/new-subnet", "empty", ...broken),
      full: ({ network }) => `/networks/new-subnet?network=${network}`,
    },
    says: { full: ["A part of 10.20.0.0/16."], empty: ["You have no network yet"] },
  },
  "a new security group": {
    of: "tenant-a-user",
    at: at("/networks/new-group", "full", "empty", ...broken),
    says: { full: ["Rule 1"], empty: ["You have no network yet"] },
  },
  "a network": {
    of: "tenant-a-user",
    at: {
      full: ({ network }) => order("virtual_networks", network),
      busy: ({ slowNetwork }) => order("virtual_networks", slowNetwork),
      failed: ({ failedNetwork }) => order("virtual_networks", failedNetwork),
      stuck: ({ stuckNetwork }) => order("virtual_networks", stuckNetwork),
      offline: ({ network }) => order("virtual_networks", network),
    },
    says: {
      busy: [fabricIsAway],
      failed: [fabricRefuses],
      stuck: [fabricRefuses, forPerson],
    },
  },
  "a security group": {
    of: "tenant-a-user",
    at: { full: ({ group }) => order("security_groups", group) },
  },
  "a NAT gateway": {
    of: "tenant-a-user",
    at: { full: ({ gateway }) => order("nat_gateways", gateway) },
  },
  "an attachment of an external IP": {
    of: "admin",
    at: { full: ({ attachment }) => order("external_ip_attachments", attachment) },
  },
  "a subnet": { of: "tenant-a-user", at: { full: ({ subnet }) => order("subnets", subnet) } },
  "the tenant's catalog": {
    of: "tenant-a-user",
    at: at("/catalog", "full", "empty", ...broken),
  },
  webhooks: {
    of: "tenant-a-user",
    at: at("/webhooks", "failed", "empty", ...broken),
    says: { failed: ["cannot be reached: ENOTFOUND"] },
  },
  "a new webhook": { of: "tenant-a-user", at: at("/webhooks/new", "full") },
} satisfies Record<string, Screen>;

const themes = ["light", "dark"] as const;
/** In pixels: a desk, and a telephone. */
const widths = [1440, 390] as const;

export interface Look {
  screen: string;
  of: Screen["of"];
  state: State;
  path(world: Full): string;
  answers?: Record<string, object> | undefined;
  says?: readonly string[] | undefined;
  keys?: readonly string[] | undefined;
  theme: (typeof themes)[number];
  width: (typeof widths)[number];
}

/** A state of a screen in each theme and width. */
export const everyWay = (seen: Omit<Look, "theme" | "width">): Look[] =>
  themes.flatMap((theme) => widths.map((width) => ({ ...seen, theme, width })));

/** What is looked at: all, or of each screen one state in each theme, in a width each. Which, moves with the seed. */
export function looks(isWhole: boolean, seed: number): Look[] {
  const all: [string, Screen][] = Object.entries(screens);
  return all.flatMap(([screen, { of, at: places, answers = {}, says = {}, keys }], place) => {
    const found = states.flatMap((state) => {
      const path = places[state];
      return path
        ? [{ screen, of, state, path, answers: answers[state], says: says[state], keys }]
        : [];
    });
    if (isWhole) return found.flatMap(everyWay);
    const turn = seed + place;
    return themes.flatMap((theme, n) => {
      const each = found[(turn + n) % found.length];
      const width = widths[(Math.floor(turn / found.length) + n) % widths.length];
      return each && width ? [{ ...each, theme, width }] : [];
    });
  });
}
