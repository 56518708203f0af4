import { alertsIn, type Health } from "./health.ts";
import type { Host } from "./model.ts";

/**
 * The alerts of a host follow from what its sources have reported, which is stored: they are not stored again. The list
 * is kept empty, so that an earlier version of Slipway that reads it finds one.
 */

/** The members that are stored of a host. */
export const packed = (host: Host): object => withAlerts(host, () => []);

/** The stored host with its alerts; one that was stored with them has the same. */
export const unpacked = (stored: Host): Host => withAlerts(stored, alertsIn);

function withAlerts(
  host: Host,
  alertsOf: (health: NonNullable<Host["health"]>) => Health["alerts"],
): Host {
  const { health: record, status } = host;
  if (!record || !status.health) return host;
  return { ...host, status: { ...status, health: { ...status.health, alerts: alertsOf(record) } } };
}
