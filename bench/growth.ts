import { type Measured, measure } from "./growth/measure.ts";
import type { Size } from "./growth/servers.ts";
import { fewestHubs, largestSlope, slopeOf } from "./growth/slopes.ts";

/** The multiples of the smallest world, which has 10 hubs, 1,000 hosts and 1,000 clusters. */
const scales = [1, 10, 100, 1000];

/** The costs of an order or a request in each world, by the number of hubs. */
type Results = Record<string, Record<number, Measured>>;

/**
 * `npm run bench -- growth [scale]`: the cost of an order and of each request in worlds of 10 to 10,000 hubs, 1,000 to
 * 1,000,000 hosts and as many clusters, or to `scale` times the smallest; for one tenant, and for a thousand. Fails
 * when a count grows beyond 100 hubs. The largest two take some minutes and 15 GB of disk.
 */
export async function bench(): Promise<void> {
  const most = Number(process.argv[3] ?? scales.at(-1));
  const all: Record<string, Results> = {};
  for (const tenants of [1, 1000]) {
    const results: Results = {};
    for (const scale of scales.filter((each) => each <= most)) {
      const size = { hubs: 10 * scale, hosts: 1000 * scale, clusters: 1000 * scale, tenants };
      console.error(`a world of ${said(size)}`);
      for (const [name, measured] of Object.entries(await measure(size)))
        results[name] = { ...results[name], [size.hubs]: measured };
    }
    all[tenants] = results;
    print(tenants, results);
  }
  const grows = Object.entries(all).flatMap(([tenants, results]) =>
    growing(results).map((what) => `${tenants} tenants: ${what}`),
  );
  for (const what of grows) console.error(what);
  if (grows.length > 0) process.exitCode = 1;
  console.log(JSON.stringify({ node: process.version, largest_slope: largestSlope, results: all }));
}

const said = ({ hubs, hosts, clusters, tenants }: Size): string =>
  `${hubs} hubs, ${hosts} hosts, ${clusters} clusters and ${tenants} tenants`;

const namesOf = (worlds: Record<number, Measured>): (keyof Measured)[] =>
  Object.keys(Object.values(worlds)[0] ?? {}) as (keyof Measured)[];

const slopeIn = (worlds: Record<number, Measured>, name: keyof Measured): number =>
  slopeOf(
    Object.entries(worlds)
      .map(([hubs, measured]) => ({ size: Number(hubs), count: measured[name] }))
      .filter(({ size }) => size >= fewestHubs),
  );

function growing(results: Results): string[] {
  return Object.entries(results).flatMap(([what, worlds]) =>
    namesOf(worlds)
      .filter((name) => name !== "CPU ms" && slopeIn(worlds, name) > largestSlope)
      .map((name) => {
        const counts = Object.values(worlds).map((measured) => measured[name]);
        return `${what}: ${name} grow: ${counts.join(", ")}`;
      }),
  );
}

/** Prints each count in each world, and its slope. */
function print(tenants: number, results: Results): void {
  console.log(`\n${tenants} tenants; worlds by their hubs, each with 100 hosts and 100 clusters`);
  const rows: Record<string, Record<string, number>> = {};
  for (const [what, worlds] of Object.entries(results))
    for (const name of namesOf(worlds)) {
      const counts = Object.entries(worlds).map(([hubs, measured]) => [
        `${hubs} hubs`,
        measured[name],
      ]);
      rows[`${what}: ${name}`] = {
        ...Object.fromEntries(counts),
        slope: Number(slopeIn(worlds, name).toFixed(3)),
      };
    }
  console.table(rows);
}
