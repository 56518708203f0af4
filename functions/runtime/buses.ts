import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { systemClock } from "../../core/clock.ts";
import type { Bus } from "../../core/kernel/events/events.ts";
import { eventBridge, hubReports } from "../../core/ports/bus/eventbridge.ts";
import type { Reports } from "../../core/ports/hub/news.ts";
import { client } from "./client.ts";

/** Adapters of the buses, for functions on AWS. */

const onBus = (bus: string) => ({
  client: new EventBridgeClient(client),
  bus,
  wall: systemClock,
  random: Math.random,
});

export const integratorsBus = (env: { BUS: string }): Bus => eventBridge(onBus(env.BUS));

export const hubsBus = (env: { HUBS_BUS: string }): Reports => hubReports(onBus(env.HUBS_BUS));
