import { expect, it, onTestFinished } from "vitest";
import { minutes } from "../../core/clock.ts";
import { asOperationId } from "../../core/id.ts";
import { secretUses } from "../../core/ports/secrets/rights.ts";
import { secretReference } from "../../core/ports/secrets/secrets.ts";
import { mintToken } from "../../core/resources/machine/tokens.ts";
import { secretRights } from "../../functions/runtime/secret-rights.ts";
import { heldSecrets, runningAs, type UsedSecret, usedSecrets } from "../../local/as-deployed.ts";
import { makeAuthority } from "../../sim/kubernetes/certificates.ts";
import { pullSecret } from "../support/api.ts";
import { askForServer, orderServer, siteWithServers } from "../support/instances.ts";
import { addServer, bootFromNetwork, untilHost, withMetal } from "../support/managed-hosts.ts";
import { memorySecrets } from "../support/memory-secrets.ts";
import { addServerByMetal3 } from "../support/metal3-hosts.ts";
import { atRest } from "../support/networks.ts";
import { type Answer, openSite, type Site } from "../support/site.ts";

/** What each function does with secrets, found by running it. */

const accepted = ({ status, body }: Answer) => {
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

/** Lives of everything that has secrets, from the first to the last. */
const lives: Record<string, (site: Site) => Promise<void>> = {
  async "clusters with pull secrets of their own, of the tenant and of the provider"(site) {
    const { certificate, key } = await makeAuthority("the site's", site.laptop.clock.now());
    const spec = { certificates: { authority: certificate }, secrets: { certificates: key } };
    accepted(await site.admin("PATCH", "sites/site-1", { spec }));
    const data = {
      ".dockerconfigjson": Buffer.from(pullSecret("of the tenant")).toString("base64"),
    };
    const secret = accepted(await site.api("POST", "secrets", { metadata: { name: "s" }, data }));
    for (const from of [
      { pull_secret: pullSecret("own") },
      { pull_secret_secret: { name: "s" } },
      {},
    ]) {
      const id = await site.order("c1", from);
      expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
      if (from.pull_secret !== undefined)
        accepted(
          await site.api("PATCH", `clusters/${id}`, { spec: { pull_secret: pullSecret("new") } }),
        );
      await site.settled(id);
      accepted(await site.api("DELETE", `clusters/${id}`));
      await site.settled(id);
    }
    const other = { data: { ...data, more: "AAAA" } };
    accepted(await site.api("PATCH", `secrets/${secret.id}`, other));
    accepted(await site.api("DELETE", `secrets/${secret.id}`));
  },

  async "servers of tenants"(site) {
    const { hosts } = await siteWithServers(site, 1);
    const [host = ""] = hosts;
    const id = await orderServer(site, "db-1", { user_data: "#cloud-config\n{}\n" });
    const { status } = await atRest(site, "baremetal_instances", id);
    expect(status.state, JSON.stringify(status)).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
    accepted(await site.api("DELETE", `baremetal_instances/${id}`));
    await atRest(site, "baremetal_instances", id);
    await untilHost(site, host, "AVAILABLE");
    // Two orders of one name at once: what came with the one that is refused goes.
    const asked = { user_data: "#cloud-config\n{}\n" };
    const both = await Promise.all(["db-2", "db-2"].map((name) => askForServer(site, name, asked)));
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
  },

  async "hosts that boot from the network, that Metal3 has, and that go"(site) {
    await withMetal(site);
    await bootFromNetwork(site);
    const id = await addServer(site, 1);
    await untilHost(site, id, "AVAILABLE");
    // One that does not come up is started again, with the image that the hub has by then.
    site.world.faults.add({ target: "bmc:server-3", operation: "boot", fault: "error" });
    await untilHost(site, await addServer(site, 3), "AVAILABLE");
    const operation = asOperationId("an-operation-that-was-cut-off");
    const machine = { kind: "host", id } as const;
    const use = { machine, serves: machine, operation, site: "site-1" };
    await mintToken(site.laptop.deps, use, { guard: async () => {}, fence: () => [] });
    accepted(await site.admin("DELETE", `hosts/${id}`));
    await untilHost(site, await addServerByMetal3(site, 2), "AVAILABLE");
  },

  async "what is registered, and goes"(site) {
    const metadata = { name: "w" };
    const spec = { url: "https://receiver.example.com/events" };
    const hook = accepted(await site.api("POST", "webhooks", { metadata, spec }));
    accepted(await site.api("POST", `webhooks/${hook.id}/rotate_secret`));
    await site.laptop.pass(minutes(1));
    accepted(await site.api("DELETE", `webhooks/${hook.id}`));
    const oidc = { issuer: "https://login.example.com", client_id: "c", client_secret: "s" };
    const login = { metadata, spec: { title: "Login", oidc } };
    const { id } = accepted(await site.api("POST", "identity_providers", login));
    accepted(await site.api("DELETE", `identity_providers/${id}`));
    const hub = accepted(await site.admin("GET", "hubs")).items.find(
      ({ id }: { id: string }) => id === "hub-b",
    );
    const { kubeconfig } = site.world.hub("hub-b");
    accepted(await site.admin("PATCH", `hubs/${hub.id}`, { spec: { kubeconfig } }));
    for (const { id } of accepted(await site.admin("GET", "hosts?limit=1000")).items)
      accepted(await site.admin("DELETE", `hosts/${id}`));
    accepted(await site.admin("DELETE", `hubs/${hub.id}`));
  },
};

it("each function does with secrets what it says, and says nothing that it does not do", async () => {
  const used = new Set<string>();
  const told = ({ by, use, family }: UsedSecret) => used.add(`${by} ${use} ${family}`);
  const listen = (message: unknown) => void told(message as UsedSecret);
  usedSecrets.subscribe(listen);
  onTestFinished(() => void usedSecrets.unsubscribe(listen));
  for (const live of Object.values(lives)) {
    const site = await openSite({
      webhooks: { refusal: async () => undefined, post: async () => ({ status: 200, text: "" }) },
    });
    await live(site);
  }
  const declared = Object.entries(secretRights).flatMap(([by, rights]) =>
    secretUses.flatMap((use) => rights[use].map((family) => `${by} ${use} ${family}`)),
  );
  expect([...used].sort()).toEqual(declared.sort());
});

it("a function is refused what it has not said, before the store is asked", async () => {
  const asked: string[] = [];
  const secrets = heldSecrets({
    ...memorySecrets(),
    get: async (reference) => void asked.push(reference) as undefined,
  });
  const read = (reference: string) => runningAs("site-controller", () => secrets.get(reference));
  await read(secretReference.discoveryImage("h-1"));
  for (const reference of [
    `${secretReference.bmcCredentials("h-1")}/1`,
    secretReference.machineToken("host", "h-1", "1"),
    `${secretReference.discoveryImage("h-1")}/../bmc`,
    "h-1",
  ])
    await expect(read(reference)).rejects.toMatchObject({ kind: "Internal" });
  expect(asked).toEqual([secretReference.discoveryImage("h-1")]);
});
