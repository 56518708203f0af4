import { expect } from "vitest";
import { failed, stuck, waiting } from "../support/console-orders.ts";
import { type DevProcess, operationIn } from "../support/dev-process.ts";
import { fillNetworks, type Networks, noNetworks } from "./networks.ts";
import { failedServer, noServers, running, type Servers, waitingServer } from "./servers.ts";
import {
  brokenHost,
  fabricMissed,
  hubAway,
  keptByFabric,
  leaveOrphan,
  waitingHost,
} from "./troubles.ts";

/** What is in the world in which screens are looked at: everything at once. Ids of objects. */
export interface Full extends Networks, Servers {
  ready: string;
  waiting: string;
  failed: string;
  stuck: string;
  host: string;
  /** Its controller refuses what it is asked. */
  brokenHost: string;
  /** It is being discovered, and waits for its controller. */
  waitingHost: string;
  /** It waits for the fabric. */
  slowNetwork: string;
  /** The fabric refuses to let it go. */
  stuckNetwork: string;
  /** Secrets that Slipway has of everybody, as texts that are found anywhere. */
  canaries: string[];
}

/** In an empty world, where no page asks for any. */
export const nothing: Full = {
  ...{ ready: "", waiting: "", failed: "", stuck: "", host: "", brokenHost: "" },
  ...{ ...noNetworks, ...noServers, slowNetwork: "", stuckNetwork: "", waitingHost: "" },
  canaries: [],
};

const canary = (of: string): string => `canary-of-the-${of}`;
const inBase64 = (text: string): string => Buffer.from(text).toString("base64");

/** Makes it. The orders that wait do so until the world's faults are taken away. */
export async function fill(process: DevProcess): Promise<Full> {
  const { api, admin, succeeded, dev } = process;
  const answered = async (answer: ReturnType<typeof api>) => {
    const { status, body, headers } = await answer;
    expect(status, JSON.stringify(body)).toBe(200);
    return { id: String(body.id), operation: operationIn(headers) };
  };
  const pullSecret = JSON.stringify({
    auths: { "quay.io": { auth: inBase64(`user:${canary("pull-secret")}`) } },
  });
  const cordon = (cordoned: boolean) =>
    answered(admin("PATCH", "hubs/hub-b", { spec: { cordoned } }));
  // It stands on the hub that stays.
  await cordon(true);
  const ready = await process.order("seen-ready", { pull_secret: pullSecret });
  await succeeded(ready.operation);
  await cordon(false);
  const networks = await fillNetworks(process, ready.id);
  const user_data = `#cloud-config\n# ${canary("user-data")}\n`;
  const runningServer = await running(process, "seen-running", { user_data });
  const stuckServer = await running(process, "seen-stuck", {});
  const webhook = `whsec_${inBase64(canary("webhook-of-tenant-a"))}`;
  await answered(
    api("POST", "webhooks", {
      metadata: { name: "seen" },
      spec: { url: "https://hooks.example.com/", event_types: ["slipway.*"], secret: webhook },
    }),
  );
  const kept = inBase64(canary("secret-of-tenant-a"));
  await answered(api("POST", "secrets", { metadata: { name: "seen" }, data: { password: kept } }));
  await answered(
    admin("POST", "sites", {
      metadata: { name: "seen" },
      spec: {
        dns: {
          ...{ provider: "powerdns", url: "https://dns.example.com" },
          ...{ zone: "example.net", servers: ["192.0.2.53"] },
        },
        secrets: { dns: canary("site") },
      },
    }),
  );
  await fillTenant(admin, answered);
  await answered(
    admin("POST", "cluster_catalog_items", {
      ...{ metadata: { name: "seen" }, title: "A small cluster", published: true },
      template: { id: "ocp_4_17_small" },
    }),
  );
  const isBroken = await brokenHost(process, "seen-broken", canary("controller"));
  const ofCluster = `this.status.owner.id == '${ready.id}'`;
  const [{ id: host }] = (await admin("GET", `hosts?filter=${ofCluster}`)).body.items;
  const { body: password } = await api("GET", `clusters/${ready.id}/password`);
  const { body: kubeconfig } = await api("GET", `clusters/${ready.id}/kubeconfig`);
  const isFailed = await failed(process, "seen-failed");
  const isFailedServer = await failedServer(process, "seen-failed");
  await leaveOrphan(process);
  const isStuck = await stuck(process, "seen-stuck");
  const stuckNetwork = await keptByFabric(process, stuckServer);
  const isWaiting = await waiting(process, "seen-waiting");
  await fabricMissed(process);
  const isWaitingServer = await waitingServer(process, "seen-waiting");
  const slow = { metadata: { name: "seen-slow" }, spec: { ipv4_cidr: "10.40.0.0/16" } };
  const { id: slowNetwork } = await answered(api("POST", "virtual_networks", slow));
  await cordon(true);
  await hubAway(process, "hub-b");
  return {
    ...{ ready: ready.id, waiting: isWaiting, failed: isFailed, stuck: isStuck },
    ...{ ...networks, runningServer, stuckServer },
    ...{ failedServer: isFailedServer, waitingServer: isWaitingServer },
    ...{ slowNetwork, stuckNetwork, host, brokenHost: isBroken },
    waitingHost: await waitingHost(process, "seen-discovered"),
    canaries: [
      ...["pull-secret", "user-data", "site", "controller", "identity-provider"].map(canary),
      String(password),
      ...[inBase64(`user:${canary("pull-secret")}`)],
      ...[webhook, kept],
      ...[tokenIn(JSON.stringify(kubeconfig)), ...Object.values(dev.tokens)],
    ],
  };
}

/** People of a tenant, what they may do, and how much. */
async function fillTenant(
  admin: DevProcess["admin"],
  answered: (answer: ReturnType<DevProcess["admin"]>) => Promise<{ id: string }>,
): Promise<void> {
  const theirs = { name: "seen", tenant: "tenant-a" };
  const limits = { control_planes: 20, hosts: { fc430: 40 }, virtual_networks: 4 };
  await answered(admin("POST", "quotas", { metadata: theirs, spec: { limits } }));
  await answered(admin("POST", "projects", { metadata: theirs, spec: { title: "What is seen" } }));
  const spec = { username: "seen-ann", email: "ann@tenant-a.example" };
  const user = await answered(admin("POST", "users", { metadata: theirs, spec }));
  const oidc = {
    ...{ issuer: "https://login.tenant-a.example", client_id: "slipway" },
    client_secret: canary("identity-provider"),
  };
  await answered(
    admin("POST", "identity_providers", { metadata: theirs, spec: { title: "Seen", oidc } }),
  );
  const { body: roles } = await admin("GET", "roles");
  const role = { id: roles.items[0].id };
  await answered(
    admin("POST", "role_bindings", {
      metadata: { ...theirs, project: "seen" },
      spec: { role, users: [{ id: user.id }], groups: ["seen-group"] },
    }),
  );
}

function tokenIn(kubeconfig: string): string {
  const [, token] = /token: *(?:\\")?([\w.-]{8,})/.exec(kubeconfig) ?? [];
  if (token === undefined) throw new Error(`no token in ${kubeconfig.slice(0, 300)}`);
  return token;
}
