import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { allocationRaces } from "../support/races/allocations.ts";
import { capacityRaces } from "../support/races/capacity.ts";
import { hostRaces } from "../support/races/hosts.ts";
import { numberRaces } from "../support/races/numbers.ts";
import { played } from "../support/races/race.ts";

/**
 * Conditional writes of placement, allocations, hosts, numbers and external IPs, each with others that are faster. The
 * tables in `test/support/races` say who acts and who else; the books say what is wrong afterwards.
 */

const races = { ...capacityRaces, ...allocationRaces, ...hostRaces, ...numberRaces };

/** What became of each condition: it held, it failed, and something went wrong where it was not asked. */
const seen = new Map<string, { held: boolean; failed: boolean; missed: boolean }>();

it.each(Object.entries(races))("%s, and others are faster", async (_, race) => {
  const { conditions, meetings } = await played(race);
  for (const [shape, { held, failed, missed }] of conditions) {
    const known = seen.get(shape) ?? { held: false, failed: false, missed: false };
    known.held ||= held > 0;
    known.failed ||= failed > 0;
    known.missed ||= missed;
    seen.set(shape, known);
  }
  const wrong = meetings.flatMap(({ other, at, wrong }) =>
    wrong.map((what) => `${other} before call ${at}: ${what}`),
  );
  expect(wrong).toEqual([]);
});

const ofRecord = "the record of whoever has it has a condition of its own, and is written with it";
const ofPool = "the watermark of the pool moves with it";
/** Conditions that never fail, or whose lack nothing shows, each with the reason. */
const named: Record<string, string> = {
  "check allocation if absent": "ids are not used again",
  "check pool if state eq out": "whoever lets a host in writes its record",
  "delete allocation-hosts if lacks total or total le …":
    "nobody keeps or claims hosts of an allocation that is gone",
  "update allocation-hosts if exists": "the relay forgets the counters of what is gone",
  "update hosts if lacks kept or kept eq …":
    "nobody keeps or claims hosts of an allocation that is gone",
  "delete external_ip if revision eq …": "its name and its address go with it, each once",
  "delete number if exists and owner eq …": ofRecord,
  "delete outside if exists": "its number goes with it",
  "put external_ip if absent": "its id is new",
  "put number if absent": ofPool,
  "update numbers if exists": "a pool that has given out a number has counters",
  "update numbers if next eq … and redefined eq …": "the pool's record is checked with it",
  "put pool if owner eq …": ofRecord,
  "delete standby if as eq …": ofRecord,
  "put standby if absent": ofRecord,
  "put standby if as eq …": ofRecord,
};

/** What the kernel writes with each object; its own tests have their races. */
const ofKernel = ["account", "name", "operation", "tenant", "used-by", "uses"];

it("each condition holds, fails, and is missed where it is not asked, or is named here", () => {
  const unseen = [...seen].flatMap(([shape, { held, failed, missed }]) => {
    if (ofKernel.includes(shape.split(" ")[1] ?? "")) return [];
    return held && failed && missed ? [] : [shape];
  });
  expect(unseen.toSorted()).toEqual(Object.keys(named).toSorted());
});

const root = new URL("../../", import.meta.url).pathname;
const folders = [
  ...["core/placement", "core/ports/ipam/own", "core/resources/allocation"],
  ...["core/resources/external-ip", "core/resources/nat-gateway"],
];

it("each attribute that a condition of these folders names is in one that was seen", () => {
  const shapes = [...seen.keys()].join("\n");
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => readFileSync(join(root, folder, path), "utf8")),
  );
  const asked = sources.flatMap((text) => [
    ...Array.from(text.matchAll(/\beq\("(\w+)"/g), ([, name]) => `${name} eq `),
    ...Array.from(text.matchAll(/\b(lacks|has)\("(\w+)"/g), ([, test, name]) => `${test} ${name}`),
    ...Array.from(
      text.matchAll(/\bcompare\("(\w+)", "(\w+)"/g),
      ([, name, test]) => `${name} ${test} `,
    ),
  ]);
  expect(asked.length).toBeGreaterThan(20);
  expect([...new Set(asked)].filter((each) => !shapes.includes(each))).toEqual([]);
});
