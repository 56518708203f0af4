import { cut } from "../../bounds.ts";
import { reportBytes } from "../../machine/health-report.ts";

/** The alerts of a source as a host stores them, cut to the limit of each source. Pure. */

/** Classifications with an effect; any others only inform people. */
export const preventsAllocation = "prevents_allocation";
export const suppressesAlarms = "suppresses_alarms";

export interface Probe {
  id: string;
  target?: string;
}

export interface Alert extends Probe {
  since: string;
  message: string;
  tenant_message?: string;
  classifications: string[];
}

export type Said = { alerts: Alert[]; successes?: Probe[] };

/**
 * The limits, in bytes, for texts of reports that exceed the limit of a source: Slipway's own reports, and
 * those from before the limit existed.
 */
const targetBytes = 100;
const messageBytes = 240;

/** Reserved for a last alert, which says that some were dropped. */
const lastBytes = 256;

/** A source's report, cut to its limit: alerts that prevent allocation are kept first. */
export function fitted<T extends Said>(said: T): T {
  if (storedBytes(said.alerts) + storedBytes(said.successes ?? []) <= reportBytes) return said;
  const inOrder = said.alerts.toSorted((a, b) => Number(prevents(b)) - Number(prevents(a)));
  const alerts: Alert[] = [];
  let room = reportBytes - lastBytes;
  for (const alert of inOrder.map(shortened)) {
    room -= storedBytes(alert);
    if (room < 0) break;
    alerts.push(alert);
  }
  const left = inOrder.slice(alerts.length);
  const [first] = left;
  if (first)
    alerts.push({
      id: "more-alerts",
      since: first.since,
      message: `${left.length} more alerts were reported, for which there is no room`,
      classifications: left.some(prevents) ? [preventsAllocation] : [],
    });
  return { ...said, alerts, ...(said.successes && { successes: [] }) };
}

const storedBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));

const prevents = ({ classifications }: Alert): boolean =>
  classifications.includes(preventsAllocation);

const shortened = ({
  id,
  target,
  since,
  message,
  tenant_message,
  classifications,
}: Alert): Alert => ({
  id: cut(id, targetBytes),
  ...(target !== undefined && { target: cut(target, targetBytes) }),
  ...{ since, message: cut(message, messageBytes) },
  ...(tenant_message !== undefined && { tenant_message: cut(tenant_message, messageBytes) }),
  // Keeps the classifications with an effect; the others only inform people.
  classifications: classifications.filter(
    (each) => each === preventsAllocation || each === suppressesAlarms,
  ),
});

/** Whether an alert has this target, which may be stored in a shortened form. */
export const isTarget = (kept: Alert, target: string | undefined): boolean =>
  kept.target === target || (target !== undefined && kept.target === cut(target, targetBytes));
