import { cut } from "../../bounds.ts";
import { reportBytes } from "../../machine/health-report.ts";

/** The alerts of a source as a host keeps them, cut to the room that each source has. Pure. */

/** Classifications that mean something to Slipway; others are words for whoever reads the alert. */
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

/** What is kept of a report that is larger than a source may have, in bytes: of Slipway's own, or from before the limit. */
const targetBytes = 100;
const messageBytes = 240;

/** The room of the alert that says that there were more. */
const lastBytes = 256;

/** What a source says, cut to the room that it has: what keeps a host from orders is kept first. */
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
  // Those that mean something to Slipway; the others are words for whoever reads it.
  classifications: classifications.filter(
    (each) => each === preventsAllocation || each === suppressesAlarms,
  ),
});

/** What is kept of a target may be its beginning. */
export const isTarget = (kept: Alert, target: string | undefined): boolean =>
  kept.target === target || (target !== undefined && kept.target === cut(target, targetBytes));
