/**
 * Files of tests that take more than ten seconds each, the longest first. `npm test` runs a third of them with each
 * commit; who names files, and `npm run test:whole`, runs them all.
 */
export const longFiles = [
  "console/consent",
  "local/faults",
  "local/reference",
  "docs/first-cluster",
  "statemachines/special-servers",
  "core/kernel/saga/park",
  "functions/api/rounds-of-reads",
  "statemachines/instance-boots",
  "local/kill-random",
  "statemachines/site",
  "local/kill",
  "statemachines/clusters-in-subnets",
  "functions/api/dry-run",
  "statemachines/netbox-numbers",
  "statemachines/queue",
  "core/kernel/store/dynamodb-contract",
  "core/resources/new-kind",
  "statemachines/maintenance",
  "simulate/hot-pool/run",
  "statemachines/faults",
  "core/placement/nobody-waits",
  "statemachines/dhcp-server",
  "agent/process",
  "local/step-functions",
  "simulate/servers/judge",
  "core/kernel/saga/waits",
  "statemachines/hosted-cluster-away",
  "statemachines/hot-pool",
  "cli/hubs",
  "statemachines/instance-batches",
  "statemachines/repair-with-consent",
  "statemachines/firmware",
  "statemachines/firmware-with-consent",
  "statemachines/orphans",
  "local/growth",
  "docs/hub-commands",
  "simulate/servers/lives",
  "statemachines/isolation",
  "statemachines/hosts-with-dpus",
  "statemachines/node-sets",
  "statemachines/instances-on-dpus",
  "statemachines/instances-race",
  "statemachines/dpu-isolation",
  "local/webhooks",
  "statemachines/hub-away",
  "statemachines/meetings",
  "statemachines/automatic-external-ips",
  "statemachines/upgrade",
  "statemachines/host-health",
  "local/full-disk",
  "core/ports/hub/clusters/hypershift/contract",
  "core/ports/fabric/neutron/neutron",
  "statemachines/hosts-by-metal3",
  "statemachines/netbox-disagrees",
  "statemachines/hosts-of-ironic",
  "statemachines/scale-unwinds",
  "statemachines/lost-news",
  "core/ports/ipam/written/written",
  "statemachines/external-ips",
  "statemachines/what-is-waited-for",
  "functions/api/hostile",
  "statemachines/nat-gateways",
  "simulate/simulation",
].map((name) => `test/${name}.test.ts`);

/** How many commits it takes until each of them has run. */
const turns = 3;

/** The long files that do not run beside all others; `share` is that of the matrix. */
export function restingFiles(share: string): string[] {
  if (share === "whole") return [];
  const turn = Number.parseInt(share, 16) % turns;
  return longFiles.filter((_, place) => place % turns !== turn);
}
