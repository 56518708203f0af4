import { days, minutes } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { hostId } from "../../sim/host.ts";
import { addServerWithDpus, dpuName } from "./dpus.ts";
import { orderServer, withServers } from "./instances.ts";
import { addServer, hostOf, withMetal } from "./managed-hosts.ts";
import { atRest, networkWithSubnet } from "./networks.ts";
import { withOverlay } from "./overlay.ts";
import { siteAfter } from "./save-site.ts";
import { openSite, type Site, type Wire } from "./site.ts";

/** The ten faults that an operator meets at night, and what makes each good again. */

/** What the list is to say of a fault. */
interface Told {
  reason: string;
  kind: string;
  id: string;
  name: string;
  tenant: string;
  /** What is not well, and why. */
  message: RegExp;
  /** What to do, or where to look. */
  command: RegExp;
}

/** A fault that has begun. */
export interface Begun {
  site: Site;
  /** Whether it can be known by now. */
  isKnowable(): Promise<boolean>;
  told: Told;
  /** Where the object says it too, and whether this does. */
  object: { path: string; says(status: Wire, told: Wire): boolean };
  /** What an operator does, after which all is well. */
  mend(): Promise<void>;
}

const accepted = ({ status, body }: { status: number; body: Wire }): Wire => {
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
};

/** A condition that says the same as the list: why, and since when. */
const conditionOf =
  (reason: string) =>
  ({ conditions }: Wire, { since }: Wire) =>
    conditions.some((each: Wire) => each.reason === reason && each.last_transition_time === since);

const inEurope = { placement: { region: "eu-west" } };
const waitOf = async (site: Site, id: string): Promise<Wire> =>
  (await site.cluster(id)).status.waiting?.[0] ?? {};
const isStalled = async (site: Site, id: string): Promise<boolean> =>
  (await site.cluster(id)).status.stalled !== undefined;
/** A step is late since three times its usual time, at least ten minutes, are over. */
const saysStalled = ({ stalled }: Wire) => stalled !== undefined && stalled.beyond_seconds <= 60;

const cluster = (id: string, name: string) => ({ kind: "cluster", id, name, tenant: "tenant-a" });
const path = (id: string) => `clusters/${id}`;

async function stuckDeletion(): Promise<Begun> {
  const site = await openSite();
  const id = await site.order("shop", inEurope);
  await site.settled(id);
  site.world.faults.add({ target: "dns", fault: "error", status: 400, count: 0 });
  accepted(await site.api("DELETE", path(id)));
  const { operation } = (await site.cluster(id)).status;
  const state = async () => (await site.admin("GET", `operations/${operation}`)).body.status.state;
  return {
    site,
    isKnowable: async () => (await state()) === "OPERATION_STATE_STUCK",
    told: {
      ...{ reason: "OperationStuck", ...cluster(id, "shop") },
      message:
        /^Undo CreateDnsRecords: the DNS server of zone example\.com refuses: .*shop\.tenant-a/,
      command: new RegExp(`^slipway operation resume ${operation}$`),
    },
    object: {
      path: path(id),
      says: ({ failure }, told) => told.message.includes(failure?.message ?? "?"),
    },
    mend: async () => {
      site.world.faults.clear();
      accepted(await site.admin("POST", `operations/${operation}/resume`));
    },
  };
}

async function hubAway(): Promise<Begun> {
  const site = await openSite();
  await site.laptop.pass(minutes(6));
  const id = await site.order("shop", inEurope);
  const placed = async () => (await site.admin("GET", path(id))).body.status.hub;
  await site.laptop.until(async () => (await placed()) === "hub-a", "it is placed");
  site.world.faults.add({ target: "hub:hub-a", fault: "timeout", count: 0 });
  return {
    site,
    // A call of it was not answered.
    isKnowable: async () => /^the hub d/.test((await waitOf(site, id)).message ?? ""),
    told: {
      ...{ reason: "HubUnreachable", kind: "hub", id: "hub-a", name: "hub-a", tenant: "shared" },
      message: /^Slipway has not reached it since .*: the hub does not answer$/,
      command: /^slipway hub get hub-a/,
    },
    object: {
      path: "hubs/hub-a",
      says: (status, told) =>
        status.state === "HUB_STATE_UNREACHABLE" && conditionOf("NotReached")(status, told),
    },
    mend: async () => site.world.faults.clear(),
  };
}

async function hostsRunOut(): Promise<Begun> {
  const site = await openSite();
  const five = { node_sets: { workers: { size: 5 } }, ...inEurope };
  await site.settled(await site.order("first", five));
  const id = await site.order("second", { ...five, node_sets: { workers: { size: 3 } } });
  await site.order("third", five);
  return {
    site,
    isKnowable: () => isStalled(site, id),
    told: {
      ...{ reason: "CapacityShort", kind: "host_type", id: "fc430", name: "fc430" },
      tenant: "shared",
      message:
        /^2 orders wait, the first in the queue for 3 hosts of type fc430 \(.*\); 2 more at hub hub-a would be enough$/,
      command: /^slipway host create NAME --host-type fc430 --hub hub-a$/,
    },
    object: { path: path(id), says: saysStalled },
    mend: async () => {
      // The second needs two more, the third four more after it.
      for (let number = 41; number < 48; number++) await addFreeHost(site, number);
    },
  };
}

async function addFreeHost(site: Site, number: number): Promise<void> {
  const name = `fc430-a-${number}`;
  const spec = {
    ...{ host_type: "fc430", hub: "hub-a" },
    bmc: { address: `redfish-virtualmedia://192.168.1.${number}/redfish/v1/Systems/1` },
    nics: [
      {
        ...{ name: "eno1", mac: `52:54:00:aa:bb:${number}` },
        ...{ switch: "leaf-a1", port: `Ethernet1/${number}` },
      },
    ],
  };
  accepted(await site.admin("POST", "hosts", { metadata: { name }, spec }));
  site.world.addHost({ name, ...spec, discovered: true });
}

async function vlansRunOut(): Promise<Begun> {
  const site = await openSite({ network: { vlans: { first: 100, last: 100 } } });
  await site.settled(await site.order("first", inEurope));
  const id = await site.order("second", inEurope);
  await site.order("third", inEurope);
  return {
    site,
    isKnowable: () => isStalled(site, id),
    told: {
      ...{ reason: "CapacityShort", kind: "site", id: "site-1", name: "site-1", tenant: "shared" },
      message:
        /^2 orders wait, the first in the queue for VLAN ids .*of site site-1: 1 of 1 in use/,
      command: /^slipway site extend site-1 --vlans FIRST-LAST$/,
    },
    object: { path: path(id), says: saysStalled },
    mend: async () => {
      const spec = { network: { vlans: { first: 100, last: 109 } } };
      accepted(await site.admin("PATCH", "sites/site-1", { spec }));
    },
  };
}

/** A server whose controller does one thing wrong while it is made ready for the pool. */
const controllerThat = (operation: string, message: RegExp) => async (): Promise<Begun> => {
  const { site } = await siteAfter(withMetalOnly);
  site.world.faults.add({ target: "bmc:server-1", fault: "hold", operation, count: 0 });
  const id = await addServer(site, 1);
  // Somebody used it before.
  site.world.bmcs.machines.write(hostId("server-1"), "a stranger");
  const { name } = (await hostOf(site, id)).metadata;
  return {
    site,
    isKnowable: async () => (await hostOf(site, id)).status.state === "HOST_STATE_QUARANTINED",
    told: {
      ...{ reason: "HostQuarantined", kind: "host", id, name, tenant: "shared" },
      ...{ message, command: new RegExp(`^slipway host retry ${name}$`) },
    },
    object: { path: `hosts/${id}`, says: conditionOf("Quarantined") },
    mend: async () => {
      site.world.faults.clear();
      accepted(await site.admin("POST", `hosts/${id}/retry`));
    },
  };
};

const withMetalOnly = async (site: Site): Promise<void> => withMetal(site);

async function silentDpu(): Promise<Begun> {
  const { site, brought } = await siteAfter(withServerOnDpus);
  const { dpu } = brought;
  const name = dpuName(1, 1);
  const target = `bmc:${name}`;
  site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  const host = `hosts/${brought.host}`;
  const lastHeard = async (): Promise<number> => {
    const { sources } = (await site.admin("GET", host)).body.status.health;
    const own = sources.find(({ source }: Wire) => source === `dpu ${name}`);
    return Date.parse(own.observed_at);
  };
  return {
    site,
    // It promises a report every ten minutes; it is late when it has missed four.
    isKnowable: async () => site.laptop.clock.now() >= (await lastHeard()) + minutes(40),
    told: {
      ...{ reason: "DpuSilent", kind: "dpu", id: dpu, name, tenant: "shared" },
      message: /^expected a report every 10 minutes; .*; it is a DPU of host server-1$/,
      command: /^slipway host health server-1$/,
    },
    object: { path: `dpus/${dpu}`, says: conditionOf("Silent") },
    mend: async () => site.world.faults.clear(),
  };
}

async function withServerOnDpus(site: Site): Promise<{ host: string; dpu: string }> {
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const { host, dpus } = await addServerWithDpus(site, 1);
  const isFree = async () => (await hostOf(site, host)).status.state === "HOST_STATE_AVAILABLE";
  await site.laptop.until(isFree, "it is free");
  await atRest(site, "baremetal_instances", await orderServer(site, "db-1"));
  return { host, dpu: dpus[1] ?? "" };
}

async function hangingUpgrade(): Promise<Begun> {
  const site = await openSite();
  const id = await site.order("shop", inEurope);
  await site.settled(id);
  site.world.faults.add({ target: "hub:hub-a", fault: "timeout", operation: "PATCH", count: 0 });
  accepted(await site.api("PATCH", path(id), { spec: { version: "4-18-1" } }));
  return {
    site,
    isKnowable: () => isStalled(site, id),
    told: {
      ...{ reason: "OperationStalled", ...cluster(id, "shop") },
      message: /^\w+ takes longer than it should: hub-a did not answer PATCH \S+.*attempts, last/,
      command: /^slipway operation watch \S+$/,
    },
    object: {
      path: path(id),
      says: (status) => saysStalled(status) && status.waiting[0].call.startsWith("PATCH "),
    },
    mend: async () => site.world.faults.clear(),
  };
}

async function failingWebhook(): Promise<Begun> {
  const receiver = { up: false };
  const site = await openSite({
    webhooks: {
      refusal: async () => undefined,
      post: async () => {
        if (!receiver.up) throw new AppError("Unavailable", "cannot be reached (ECONNREFUSED)");
        return { status: 204, text: "" };
      },
    },
  });
  const hook = { metadata: { name: "hook" }, spec: { url: "https://events.example.com/x" } };
  const { id } = accepted(await site.api("POST", "webhooks", hook));
  await site.order("shop");
  const begun = site.laptop.clock.now();
  return {
    site,
    // The second try in vain.
    isKnowable: async () => site.laptop.clock.now() - begun > minutes(1),
    told: {
      ...{ reason: "WebhookFailing", kind: "webhook", id, name: "hook", tenant: "tenant-a" },
      message:
        /^events\.example\.com has not accepted an event in \d+ tries; last: cannot be reached/,
      command: new RegExp(`^slipway webhook get ${id}$`),
    },
    object: { path: `webhooks/${id}`, says: conditionOf("NotDelivered") },
    mend: async () => {
      receiver.up = true;
    },
  };
}

async function endedCertificate(): Promise<Begun> {
  const site = await openSite();
  const { deps, clock } = site.laptop;
  const ends = (at: number) =>
    changeObject(deps, "hub", "hub-a", (hub) => ({
      ...hub,
      spec: { ...hub.spec, credentials_end: new Date(at).toISOString() },
    }));
  const end = clock.now() + minutes(2);
  await ends(end);
  return {
    site,
    isKnowable: async () => clock.now() > end,
    told: {
      ...{ reason: "CertificateEnded", kind: "hub", id: "hub-a", name: "hub-a", tenant: "shared" },
      message: /^what Slipway logs in with there has ended at /,
      command: /^slipway hub register --name hub-a --kubeconfig FILE$/,
    },
    object: { path: "hubs/hub-a", says: conditionOf("Ended") },
    mend: async () => void (await ends(clock.now() + days(300))),
  };
}

export const nightFaults: readonly [string, () => Promise<Begun>][] = [
  ["a deletion that is refused", stuckDeletion],
  ["a hub that does not answer", hubAway],
  ["hosts that have run out", hostsRunOut],
  ["a pool of VLAN ids that is full", vlansRunOut],
  [
    "a controller that lies about erasing",
    controllerThat("wipe lies", /expected disk \w+ erased; the agent reports/),
  ],
  [
    "a controller that ignores power",
    controllerThat("power", /^BootDiscoveryImage: expected the server to be on within 10 minutes/),
  ],
  ["a silent DPU under a server", silentDpu],
  ["an upgrade that hangs", hangingUpgrade],
  ["a webhook whose receiver takes nothing", failingWebhook],
  ["credentials of a hub that have ended", endedCertificate],
];
