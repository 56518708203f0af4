import { ProviderApi, TenantApi } from "./api.ts";
import { countsOf, leftOnServers, nodesOf, owned, serverOf } from "./look.ts";
import { say, styled } from "./screen.ts";
import { Servers } from "./servers.ts";
import { sayHeading, teller } from "./telling.ts";
import type { Walk } from "./walk.ts";
import type { Dev } from "./world.ts";

/**
 * The main scenario, in a world whose servers are powered off: their discovery, one order from POST to READY, its
 * kubeconfig, a scale, an upgrade, a deletion, the erasure of its hosts, and a check for leftovers.
 */
export const clusterWalk: Walk = { servers: "off", show };

async function show(dev: Dev): Promise<string> {
  const api = new TenantApi(dev.api, dev.tokens["tenant-a"]);
  const provider = new ProviderApi(dev.api, dev.tokens.admin);
  const servers = new Servers(provider);

  const hosts = await provider.hosts();
  const [first] = hosts.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
  if (!first) throw new Error("there are no hosts");
  sayHeading(`${hosts.length} servers are off, and are discovered; ${first.metadata.name}:`);
  await servers.follow(first.id);
  const free = await servers.untilFree();
  say(`      ${free.size} hosts are free`);

  sayHeading("POST /clusters  {template: ocp_4_17_small, node_sets: {workers: {size: 2}}}");
  const order = await api.change("POST", "clusters", {
    metadata: { name: "demo" },
    spec: { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 2 } } },
  });
  await api.follow(order.operation, teller());
  const { status } = await api.cluster(order.id);
  say(`   ${styled(["bold", "green"], "READY")}`);
  say(`      API      ${status.api_url}`);
  say(`      console  ${status.console_url}`);
  say("      It owns");
  for (const line of countsOf(await owned(dev.sim))) say(`      ${line}`);

  sayHeading("GET /clusters/{id}/kubeconfig");
  const kubeconfig = await api.kubeconfig(order.id);
  await sayNodes(kubeconfig);

  sayHeading("PATCH /clusters/{id}  {node_sets: {workers: {size: 3}}}");
  const change = { spec: { node_sets: { workers: { size: 3 } } } };
  const scale = await api.change("PATCH", `clusters/${order.id}`, change);
  await api.follow(scale.operation, teller());
  await sayNodes(kubeconfig);

  sayHeading("PATCH /clusters/{id}  {version: 4-18-1}");
  const newer = { spec: { version: "4-18-1" } };
  const upgrade = await api.change("PATCH", `clusters/${order.id}`, newer);
  await api.follow(upgrade.operation, teller());
  say(`      version  ${(await api.cluster(order.id)).status.version}`);

  const used = (await owned(dev.sim)).get("host") ?? [];
  const [last] = hosts.filter(({ id }) => used.includes(id));
  if (!last) throw new Error("the cluster has no hosts");
  await servers.skip(last.id);

  sayHeading("DELETE /clusters/{id}");
  const deletion = await api.change("DELETE", `clusters/${order.id}`);
  await api.follow(deletion.operation, teller());

  sayHeading(`${used.length} servers were used, and are erased; ${last.metadata.name}:`);
  await servers.follow(last.id);
  sayHeading(`They are discovered again; ${last.metadata.name}:`);
  await servers.follow(last.id);
  const freeAgain = await servers.untilFree();
  say(`      ${freeAgain.size} hosts are free`);

  say();
  const left = [
    ...countsOf(await owned(dev.sim)),
    ...countsOf(await leftOnServers(dev.sim, freeAgain)),
  ];
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
  say(
    "Try it yourself: npm run dev, then open http://127.0.0.1:4400/. docs/local.md has the commands.",
  );
  return "nothing left: hosts are erased and free, and nothing is on any hub, fabric, DNS or storage";
}

async function sayNodes(kubeconfig: string): Promise<void> {
  say(`      nodes at ${serverOf(kubeconfig)}`);
  for (const node of await nodesOf(kubeconfig)) say(`      ${node}`);
}
