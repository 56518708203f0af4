import { parseArgs } from "node:util";
import type { Bounds } from "./worlds.ts";

export const mixes = ["orders", "sizes"] as const;
/** `orders`: clusters come and go. `sizes`: clusters live longer, and their sizes change often. */
export type Mix = (typeof mixes)[number];

/** The settings of a simulation. */
export interface Settings {
  /** The seed of all random draws. */
  seed: number;
  orders: number;
  /** The probability that a call, a delivery or a run of a worker fails: from 0 to 0.5. */
  faults: number;
  /** The hours of virtual time in which the orders arrive. */
  hours: number;
  /** What tenants do with their clusters. */
  mix: Mix;
  /** In a world of servers that are off: the number of free hosts of each type that each hub keeps discovered. */
  hotPool?: Bounds;
  /** The share of these servers with a defect: from 0 to 0.5. */
  failingServers?: number;
  /** All orders are of whole servers; `deadDpus` is the share of their DPUs that die: from 0 to 0.5. */
  bareMetal?: { deadDpus: number };
}

export const usage = `usage: npm run simulate -- --seed N --orders N --faults RATE [--hours H] [--mix ${mixes.join("|")}]
       npm run simulate -- --seed N --orders N --hot-pool MIN..MAX [--failing-servers RATE] [--faults RATE] [--hours H] [--mix …]
       npm run simulate -- --bare-metal --seed N --lives N [--dead-dpus RATE] [--faults RATE] [--hours H]`;

/** The orders in an hour, unless the hours are given. */
const ordersInAnHour = 24;
const livesInAnHour = 30;

/** Parses the command line's options. Throws an error that names the invalid option. */
export function settingsOf(args: readonly string[]): Settings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      orders: { type: "string" },
      faults: { type: "string" },
      hours: { type: "string" },
      mix: { type: "string", default: "orders" },
      "hot-pool": { type: "string" },
      "failing-servers": { type: "string" },
      "bare-metal": { type: "boolean", default: false },
      lives: { type: "string" },
      "dead-dpus": { type: "string" },
    },
  });
  const isBareMetal = values["bare-metal"];
  const dead = values["dead-dpus"];
  for (const name of ["lives", "dead-dpus"] as const)
    if (values[name] !== undefined && !isBareMetal) throw new Error(`--${name} needs --bare-metal`);
  const orders = isBareMetal
    ? whole("lives", values.lives, 1, 1_000_000)
    : whole("orders", values.orders, 1, 1_000_000);
  const pool = values["hot-pool"];
  const failing = values["failing-servers"];
  if (failing !== undefined && pool === undefined)
    throw new Error(
      "--failing-servers needs --hot-pool: other worlds have no servers that are off",
    );
  const hotPool = pool === undefined ? undefined : bounds("hot-pool", pool);
  if (isBareMetal && (hotPool || values.orders !== undefined))
    throw new Error(
      "--bare-metal goes with --lives, and neither with --orders nor with --hot-pool",
    );
  return {
    seed: whole("seed", values.seed, 0, 2 ** 32 - 1),
    orders,
    faults: between("faults", values.faults ?? (hotPool || isBareMetal ? "0" : undefined), 0, 0.5),
    hours:
      values.hours === undefined
        ? orders / (isBareMetal ? livesInAnHour : ordersInAnHour)
        : between("hours", values.hours, 0.01, 100_000),
    mix: oneOf("mix", values.mix, mixes),
    ...(isBareMetal && { bareMetal: { deadDpus: between("dead-dpus", dead ?? "0", 0, 0.5) } }),
    ...(hotPool && {
      hotPool,
      failingServers: between("failing-servers", failing ?? "0", 0, 0.5),
    }),
  };
}

/** The command that repeats the first orders of a simulation, at the same times. */
export function commandFor(settings: Settings, first = settings.orders): string {
  const { seed, orders, faults, hours, mix, hotPool, failingServers = 0, bareMetal } = settings;
  const many = bareMetal ? `--bare-metal --lives ${first}` : `--orders ${first}`;
  const options = [`--seed ${seed} ${many} --faults ${faults}`];
  if (bareMetal?.deadDpus) options.push(`--dead-dpus ${bareMetal.deadDpus}`);
  if (hours !== orders / (bareMetal ? livesInAnHour : ordersInAnHour))
    options.push(`--hours ${Number(((hours * first) / orders).toPrecision(12))}`);
  if (mix !== "orders") options.push(`--mix ${mix}`);
  if (hotPool) options.push(`--hot-pool ${hotPool.min}..${hotPool.max}`);
  if (failingServers > 0) options.push(`--failing-servers ${failingServers}`);
  return `npm run simulate -- ${options.join(" ")}`;
}

function between(name: string, given: string | undefined, least: number, most: number): number {
  const value = given?.trim() ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw wrong(name, `a number from ${least} to ${most}`, given);
}

function whole(name: string, given: string | undefined, least: number, most: number): number {
  const value = given?.trim() ? Number(given) : Number.NaN;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw wrong(name, `a whole number from ${least} to ${most}`, given);
}

function bounds(name: string, given: string): Bounds {
  const [, min, max] = /^(\d{1,4})\.\.(\d{1,4})$/.exec(given) ?? [];
  const read = { min: Number(min), max: Number(max) };
  if (read.min <= read.max) return read;
  throw wrong(name, "two whole numbers, such as 5..20", given);
}

function oneOf<T extends string>(name: string, given: string, names: readonly T[]): T {
  const found = names.find((one) => one === given);
  if (found === undefined) throw wrong(name, `one of ${names.join(", ")}`, given);
  return found;
}

const wrong = (name: string, wanted: string, given: string | undefined): Error =>
  new Error(
    given === undefined
      ? `--${name} is missing: it must be ${wanted}`
      : `--${name} must be ${wanted}, not '${given}'`,
  );
