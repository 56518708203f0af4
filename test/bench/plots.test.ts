import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, it } from "vitest";
import { costPlot } from "../../bench/plots/cost.ts";
import { apart, growthPlot, type Worlds } from "../../bench/plots/growth.ts";
import { simulationPlot } from "../../bench/plots/simulation.ts";
import { reportOf } from "../../simulate/report.ts";

const read = (svg: string) => {
  expect(XMLValidator.validate(svg)).toBe(true);
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" }).parse(svg).svg;
};

const measured = (count: number) => ({
  ...{ "store calls": count, "items read": count, "read units": count },
  ...{ "write units": count, "calls outside": count, "CPU ms": count },
});

it("a plot of growth has a level line for what does not grow, and a rising one for what does", () => {
  const worlds: Worlds = {
    "get a cluster": { 10: measured(5), 100: measured(5) },
    "create a cluster": { 10: measured(10), 100: measured(100) },
  };
  const [units] = read(growthPlot(worlds)).g;
  const heights: string[][] = units.polyline.map(({ points }: { points: string }) =>
    points.split(" ").map((point) => point.split(",")[1] ?? ""),
  );
  const [create, , , , , , get] = heights;
  expect(get?.[0]).toBe(get?.[1]);
  // Upwards is less.
  expect(Number(create?.[1])).toBeLessThan(Number(create?.[0]));
});

it.each([
  [
    [10, 100, 200],
    [10, 100, 200],
  ],
  [
    [100, 100, 100],
    [100, 115, 130],
  ],
  [
    [300, 100, 300],
    [285, 100, 300],
  ],
])("labels at %j are placed at %j", (heights, expected) => {
  expect(apart(heights)).toEqual(expected);
});

it("a plot of costs has a bar for each change, as long as its parts together", () => {
  const svg = read(
    costPlot({
      create: { writes: 1, "reads & more": 0.5, together: 1.5 },
      delete: { writes: 0.5, "reads & more": 0.25, together: 0.75 },
    }),
  );
  const bars: number[] = svg.rect
    .filter(({ height }: { height: string }) => height === "26")
    .map(({ width }: { width: string }) => Number(width));
  expect(bars).toEqual([460, 230, 230, 115]);
  expect(svg.text.map((each: { "#text": string }) => each["#text"])).toContain("reads & more");
});

it("a plot of a simulation has what went wrong by where, and how each saga's operations ended", () => {
  const none = { lost: [], leaked: [], late: [], broken: [], cpuSeconds: 1, trace: "" };
  const report = reportOf({
    ...{ ...none, orders: 3, accepted: {}, refused: {}, failures: {}, outages: {}, waits: {} },
    ...{ stuck: {}, unexpected: {} },
    ended: {
      "cluster-create SUCCEEDED": 2,
      "cluster-create FAILED": 1,
      "cluster-delete SUCCEEDED": 3,
    },
    faults: {
      "a call of a hub: is answered 503": 40,
      "a call of a hub: takes long": 20,
      "a worker: dies": 30,
    },
  });
  const svg = read(simulationPlot(`npm run simulate -- --seed 7\n${report}`));
  const bars: number[] = svg.rect
    .filter(({ height }: { height: string }) => height === "18")
    .map(({ width }: { width: string }) => Number(width));
  expect(bars).toEqual([210, 105, 260, 0, 173.3, 86.7]);
  const texts = svg.text.map((each: { "#text": string }) => String(each["#text"]));
  expect(texts).toContain("npm run simulate -- --seed 7");
  expect(texts.find((each: string) => each.startsWith("orders 3"))).toContain("lost 0, leaked 0");
  expect(() => simulationPlot("nothing")).toThrow("faults by kind");
});
