import type { Command } from "commander";
import type { Act } from "./call.ts";
import type { ClusterEventsOptions } from "./cluster-events.ts";
import type { DescribeOptions } from "./describe.ts";
import type { ChangeOptions } from "./generic/change.ts";
import { commandGroupOf } from "./groups.ts";
import type { OpenOptions } from "./open-cluster.ts";
import type { MaintenanceOptions } from "./servers.ts";

/** The most common commands for clusters and servers, in few words. */

const form = ["-o, --output <form>", "table, wide, json, yaml or name"] as const;

/** A command about one object of a kind. */
const about = (program: Command, kind: string, name: string, description: string): Command =>
  commandGroupOf(program, kind)
    .command(name)
    .description(description)
    .argument("<name>", `the name or the id of the ${kind}`)
    .option("--tenant <name>", "the object's tenant, if several objects have the name")
    .option("--project <path>", "the object's project, if several objects have the name");

/** A command that changes one object of a kind. */
const changing = (program: Command, kind: string, name: string, description: string): Command =>
  about(program, kind, name, description)
    .option(...form)
    .option("--dry-run", "check the request by every rule, and change nothing")
    .option("--wait", "follow the operation to its end")
    .option("--timeout <time>", "how long to follow it, such as 30m");

export function addClusterCommands(program: Command, act: Act): void {
  act<DescribeOptions>(
    about(
      program,
      "cluster",
      "describe",
      "A cluster on one page: its state, why, what it has, and what works on it",
    ),
    async () => (await import("./describe.ts")).describeCluster,
  );
  act<ClusterEventsOptions>(
    about(program, "cluster", "events", "Events of a cluster, oldest first")
      .option(...form)
      .option("-w, --watch", "keep running, and show new events"),
    async () => (await import("./cluster-events.ts")).clusterEvents,
  );
  act<OpenOptions>(
    about(
      program,
      "cluster",
      "open",
      "Print the address of its console; on a terminal, show it in a browser",
    ).option("--order", "its page in Slipway's own console"),
    async () => (await import("./open-cluster.ts")).openCluster,
  );
  act<ChangeOptions>(
    changing(program, "cluster", "scale", "Change how many nodes it has").argument(
      "<set=size...>",
      "such as workers=3",
    ),
    async () => (await import("./cluster-changes.ts")).scale,
  );
  act<ChangeOptions>(
    changing(
      program,
      "cluster",
      "upgrade",
      "Change its version (slipway cluster upgrades says to which it can)",
    ).argument("<version>", "the name or the id of the version"),
    async () => (await import("./cluster-changes.ts")).upgrade,
  );
}

export function addServerCommands(program: Command, act: Act): void {
  const server = (name: string, description: string) =>
    changing(program, "baremetal-instance", name, description);
  act<ChangeOptions>(
    server("restart", "Shut the system down and start it again"),
    async () => (await import("./servers.ts")).restart,
  );
  act<ChangeOptions>(
    server("stop", "Shut the system down, and keep the server"),
    async () => (await import("./servers.ts")).stop,
  );
  act<ChangeOptions>(
    server("start", "Start a server that was stopped"),
    async () => (await import("./servers.ts")).start,
  );
  act<MaintenanceOptions>(
    about(
      program,
      "baremetal-instance",
      "maintenance",
      "What the provider asks to do to a server, and when that may begin",
    )
      .option("--consent <when>", "now, on_restart, window, or none to take it back")
      .option("--from <time>", "of a window, such as 2026-12-01T22:00:00Z")
      .option("--until <time>", "of a window")
      .option(...form)
      .option("--wait", "follow the operation to its end")
      .option("--timeout <time>", "how long to follow it, such as 30m"),
    async () => (await import("./servers.ts")).maintenance,
  );
}
