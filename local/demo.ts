import { setTimeout as pause } from "node:timers/promises";
import { ProviderApi, TenantApi } from "./demo/api.ts";
import { leftOnServers, nodesOf, owned, serverOf } from "./demo/look.ts";
import { say, styled } from "./demo/screen.ts";
import { Servers } from "./demo/servers.ts";
import { sayHeading, teller } from "./demo/telling.ts";
import { startWorld } from "./demo/world.ts";
import { whenParentIsGone } from "./parent.ts";
import { simSpeed } from "./settings.ts";

/**
 * `npm run demo`: shows the main job as it happens. In a world of its own, whose servers are off: their
 * discovery, one order from POST to READY, its kubeconfig, a scale, an upgrade, a deletion, the erasure
 * of what it used, and a look at what is left.
 */

/** The real milliseconds after which a wait counts as failed. */
const patience = 300_000;

const began = Date.now();
const world = startWorld();
let isEnding = false;
// Handled more than once: the terminal signals the whole group, and npm passes the signal on too.
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.on(signal, () => end(code, "stopped"));
// The reader of the output has closed it.
process.stdout.once("error", () => end(1));
whenParentIsGone(() => end(1));

try {
  await Promise.race([story(), world.died, tooLong()]);
  end(0);
} catch (error) {
  end(1, `the demo failed: ${await reasonOf(error)}`);
}

/** Ends the demo. The first call decides the message and the exit code. */
function end(code: number, why?: string): void {
  if (isEnding) return;
  isEnding = true;
  if (why !== undefined) console.error(why);
  void world.end().then(() => process.exit(code));
}

async function story(): Promise<void> {
  const dev = await world.ready;
  const api = new TenantApi(dev.api, dev.tokens["tenant-a"]);
  const provider = new ProviderApi(dev.api, dev.tokens.admin);
  const servers = new Servers(provider);
  say(`Slipway at ${dev.api}, with ${dev.hubs.length} simulated hubs.`);
  say(`Times are simulated: a second here is ${simSpeed()} of theirs.`);

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
  const took = Math.round((Date.now() - began) / 1000);
  say(
    "Try it yourself: npm run dev, then open http://127.0.0.1:4400/. docs/local.md has the commands.",
  );
  say(
    `nothing left: hosts are erased and free, and nothing is on any hub, fabric, DNS or storage (${took} s)`,
  );
}

/** The counts as lines of text: `2 hosts, 1 network, …`. */
function countsOf(things: Map<string, string[]>): string[] {
  const counts = Array.from(
    things,
    ([kind, ids]) => `${ids.length} ${ids.length === 1 ? kind : pluralOf(kind)}`,
  );
  const lines = Math.ceil(counts.length / 6);
  return Array.from({ length: lines }, (_, n) => counts.slice(n * 6, n * 6 + 6).join(", "));
}

function pluralOf(kind: string): string {
  return `${kind}${kind.endsWith("s") ? "es" : "s"}`;
}

async function sayNodes(kubeconfig: string): Promise<void> {
  say(`      nodes at ${serverOf(kubeconfig)}`);
  for (const node of await nodesOf(kubeconfig)) say(`      ${node}`);
}

/**
 * The reason of a failure. When Slipway has ended, that is the reason, and not the request that failed
 * because of it.
 */
async function reasonOf(thrown: unknown): Promise<string> {
  const error = await Promise.race([world.died, pause(500)]).then(
    () => thrown,
    (death: unknown) => death,
  );
  return error instanceof Error ? error.message : String(error);
}

function tooLong(): Promise<never> {
  return pause(patience, undefined, { ref: false }).then(() => {
    throw new Error(`it is not done after ${patience / 1000} s`);
  });
}
