import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { Clock } from "../core/clock.ts";
import { timeouts } from "../core/ports/aws/timeouts.ts";
import { hubReports } from "../core/ports/bus/eventbridge.ts";
import type { Send } from "./outbox.ts";

/**
 * Reports to the event bus of hubs in AWS. The SDK finds the credentials: a web identity token (IRSA), or a
 * helper of IAM Roles Anywhere beside the agent. The role's policy permits only this hub's event source.
 */
export function homeByBus(options: {
  bus: string;
  hub: string;
  wall: Clock;
  random: () => number;
}): Send {
  const { bus, hub, wall, random } = options;
  const client = new EventBridgeClient({
    region: regionOf(bus),
    requestHandler: timeouts(5000, 15_000),
    // The outbox retries, with longer pauses.
    maxAttempts: 2,
  });
  const reports = hubReports({ client, bus, wall, random });
  return (message) => reports.take({ ...message, hub });
}

/** `arn:aws:events:<region>:…`; the settings' schema has checked it. */
const regionOf = (arn: string): string => arn.split(":")[3] ?? "";
