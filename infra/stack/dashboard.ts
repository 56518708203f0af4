import type { Graph, Signal } from "./signals.ts";
import type { Stage } from "./stage.ts";

const width = 8;
const height = 6;
const perRow = 3;

const thresholdOf = (graph: Graph | Signal): number[] =>
  "threshold" in graph ? [graph.threshold] : [];

/**
 * A dashboard with one graph for each metric of the signals and its threshold; metrics of one kind share a
 * graph.
 */
export function dashboard(stage: Stage, graphs: (Graph | Signal)[]): void {
  const groups = Map.groupBy(graphs, ({ namespace, metric }) => `${namespace} ${metric}`);
  const widgets = Array.from(groups, ([title, group], n) => ({
    type: "metric",
    x: (n % perRow) * width,
    y: Math.floor(n / perRow) * height,
    width,
    height,
    properties: {
      title,
      region: stage.region,
      view: "timeSeries",
      period: 60,
      metrics: group.map(({ namespace, metric, dimensions, statistic }) => [
        namespace,
        metric,
        ...Object.entries(dimensions).flat(),
        { stat: statistic },
      ]),
      annotations: {
        horizontal: [...new Set(group.flatMap(thresholdOf))].map((value) => ({
          label: "alarm",
          value,
        })),
      },
    },
  }));
  new aws.cloudwatch.Dashboard("Dashboard", {
    dashboardName: stage.prefix,
    dashboardBody: $jsonStringify({ widgets }),
  });
}
