import { readParameters } from "../parameters.ts";
import { watchSlots } from "../reserves.ts";
import { checkAccount } from "./account.ts";
import { alarms, alarmTopic, stuckOperations } from "./alarms.ts";
import { api } from "./api.ts";
import { bundles } from "./bundles.ts";
import { destinations, haltedRule, hubsBus, integratorsBus, observers } from "./buses.ts";
import { consoleSite } from "./console.ts";
import { dashboard } from "./dashboard.ts";
import { recheckQueue } from "./due.ts";
import { type Shared, secretsPrefix } from "./functions.ts";
import { sagaNames } from "./machine-names.ts";
import { network } from "./network.ts";
import { relay } from "./relay.ts";
import { scheduled } from "./schedules.ts";
import { measuredSignals, shown, signals } from "./signals.ts";
import { siteController } from "./site-controller.ts";
import { openStage } from "./stage.ts";
import { stateMachines } from "./state-machines.ts";
import { storeTable } from "./table.ts";
import { consoleProof } from "./viewers.ts";
import { webhookQueue } from "./webhooks.ts";
import { workers } from "./workers.ts";

/** Deploys a whole stage. */
export async function deploy() {
  const parameters = readParameters($app.stage);
  await checkAccount(parameters);
  bundles();
  const stage = openStage(parameters);
  const sending = webhookQueue(stage);
  const rechecks = recheckQueue(stage);
  const events = integratorsBus(stage);
  const reports = hubsBus(stage);
  const shared: Shared = {
    stage,
    table: storeTable(stage),
    bus: events.bus,
    hubsBus: reports.bus,
    webhookQueue: sending.queue,
    webhookFailures: sending.failures,
    recheckQueue: rechecks,
    consoleProof: consoleProof(stage),
  };
  // A live development stage runs its functions on a developer's computer, so its network would be empty.
  const reach = $dev ? undefined : network(stage);
  const zones = workers(shared, reach);
  const machines = stateMachines(stage, zones);
  const relaying = relay(shared);
  const observing = observers(shared);
  const halted = haltedRule(shared);
  const { due, sweep, sender, failures } = scheduled(shared);
  const front = api(shared, reach);
  const site = consoleSite(stage, front.gateway, shared.consoleProof);
  const forMachines = siteController(shared, reach);
  const unreached = destinations(stage, shared.bus);

  const asked = [front.api, front.watch, ...(forMachines ? [forMachines.controller] : [])];
  const own = front.authorizer ? [front.authorizer] : [];
  const unlimited = [relaying, observing, halted, zones.core, ...own];
  const patient = [zones.hub, zones.site, due, sweep, sender];
  const called = [
    ...[relaying, observing, halted, due, sweep, sender],
    ...[zones.core, zones.hub, zones.site],
  ];
  const watched = signals({
    functions: [
      ...unlimited,
      ...patient.map(({ name }) => ({ name, beyond: "wait" as const })),
      ...asked.map(({ name }) => ({ name, beyond: "are refused" as const })),
    ],
    watch: { name: front.watch.name, slots: watchSlots(stage.parameters) },
    relay: relaying.name,
    clockwork: { due: due.name, sweep: sweep.name },
    rechecks: rechecks.name,
    table: shared.table.name,
    machines: sagaNames().map((name, n) => ({ name, arn: machines[n]?.arn ?? "" })),
    queues: [
      ...called.flatMap(({ name, failures }) => (failures ? [{ name, queue: failures }] : [])),
      ...unreached,
      ...events.failures,
      ...reports.failures,
      { name: "schedules", queue: failures },
    ],
    gateway: front.gateway.nodes.api.id,
  });
  const all = [...watched, ...measuredSignals(stage)];
  const topic = alarmTopic(stage);
  alarms(stage, all, topic);
  stuckOperations(stage, shared.bus, topic);
  dashboard(stage, [...all, ...shown(stage)]);

  return {
    api: front.gateway.url,
    console: site?.url ?? "",
    bus: shared.bus.arn,
    hubsBus: shared.hubsBus.arn,
    secrets: secretsPrefix(),
    hubs: reach?.names ?? {},
    machines: forMachines?.url ?? "",
  };
}
