import { alertsIn, type Health } from "./health.ts";
import type { Host } from "./model.ts";

/**
 * The stored form of a host. Its alerts follow from the stored reports, so they are not stored again. The list
 * is stored empty, because an earlier version of Slipway expects it.
 */

/** The stored form of a host. */
export const packed = (host: Host): object => withAlerts(host, () => []);

/** The host with its alerts, from its stored form. A host that was stored with alerts gets the same ones. */
export const unpacked = (stored: Host): Host => withAlerts(stored, alertsIn);

function withAlerts(
  host: Host,
  alertsOf: (health: NonNullable<Host["health"]>) => Health["alerts"],
): Host {
  const { health: record, status } = host;
  if (!record || !status.health) return host;
  return { ...host, status: { ...status, health: { ...status.health, alerts: alertsOf(record) } } };
}
