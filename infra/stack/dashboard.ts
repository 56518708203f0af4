import { dimension, namespace } from "../../functions/runtime/embedded-metrics.ts";
import {
  operationDimensions,
  operationSeconds,
} from "../../functions/runtime/operation-metrics.ts";
import type { Graph, Signal } from "./signals.ts";
import type { Stage } from "./stage.ts";

const width = 8;
const height = 6;
const perRow = 3;

const placeOf = (n: number) => ({
  x: (n % perRow) * width,
  y: Math.floor(n / perRow) * height,
  width,
  height,
});

/** The duration and outcome of operations, by saga: the values that service levels are measured by. */
const operationWidgets = ({ prefix, region }: Stage) =>
  [
    { title: "operations that succeeded: seconds of nine in ten", of: "SUCCEEDED", stat: "p90" },
    { title: "operations that succeeded", of: "SUCCEEDED", stat: "SampleCount" },
    { title: "operations that failed", of: "FAILED", stat: "SampleCount" },
  ].map(({ title, of, stat }) => {
    const metric = `{${namespace},${operationDimensions.join(",")}} MetricName="${operationSeconds}"`;
    const search = `${metric} ${dimension}="${prefix}" Outcome="${of}"`;
    const expression = `SEARCH('${search}', '${stat}', 3600)`;
    const metrics = [[{ expression, id: "e1", region }]];
    return { type: "metric", properties: { title, region, view: "timeSeries", metrics } };
  });

const thresholdOf = (graph: Graph | Signal): number[] =>
  "threshold" in graph ? [graph.threshold] : [];

/** A dashboard with a graph for each signal's metric and threshold; metrics of one kind share a graph. */
export function dashboard(stage: Stage, graphs: (Graph | Signal)[]): void {
  const groups = Map.groupBy(graphs, ({ namespace, metric }) => `${namespace} ${metric}`);
  const widgets = Array.from(groups, ([title, group], n) => ({
    type: "metric",
    ...placeOf(n),
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
  const ofOperations = operationWidgets(stage).map((widget, n) => ({
    ...widget,
    ...placeOf(widgets.length + n),
  }));
  new aws.cloudwatch.Dashboard("Dashboard", {
    dashboardName: stage.prefix,
    dashboardBody: $jsonStringify({ widgets: [...widgets, ...ofOperations] }),
  });
}
