import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { Clock } from "../core/clock.ts";
import { timeouts } from "../core/ports/aws/timeouts.ts";
import { hubReports } from "../core/ports/bus/eventbridge.ts";
import type { Send } from "./outbox.ts";

/**
 * Reports to the bus of hubs in AWS. The SDK finds the credentials: a web identity token (IRSA), or
 * a helper of IAM Roles Anywhere beside the agent. The role's policy fixes the event source to this
 * hub's.
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
    // The outbox tries again, with longer pauses.
    maxAttempts: 2,
  });
  const reports = hubReports({ client, bus, wall, random });
  return (message) => reports.take({ ...message, hub });
}

/** `arn:aws:events:<region>:…`; the settings' schema has checked it. */
const regionOf = (arn: string): string => arn.split(":")[3] ?? "";
