import type { Command } from "commander";
import type { SearchOptions } from "./audit-search.ts";
import type { Act } from "./call.ts";
import type { EventOptions } from "./events.ts";
import type { FaultOptions } from "./fault.ts";
import { commandGroupOf } from "./groups.ts";
import type { LoginOptions } from "./login.ts";
import { addClusterCommands, addServerCommands } from "./own-orders.ts";
import type { RawApiOptions } from "./raw.ts";

/** The commands that are written by hand. */
export function addOwnCommands(program: Command, act: Act): void {
  const form = ["-o, --output <form>", "table, wide, json, yaml or name"] as const;

  act<{ output?: string }>(
    program
      .command("status")
      .description("What needs an operator, what waits for what, the hubs, what runs out next")
      .option(...form),
    async () => (await import("./status.ts")).status,
  );
  act<{ output?: string; site?: string; network?: string }>(
    program
      .command("who")
      .description("Which object has a VLAN, address, prefix, DNS name, MAC address or host")
      .argument("<kind>", "vlan, ip, prefix, dns, mac, host or infra_id")
      .argument("<value>", "the value")
      .option("--site <id>", "only at this site")
      .option("--network <id>", "only in this network of a tenant")
      .option(...form),
    async () => (await import("./who.ts")).who,
  );
  act<{ timeout?: string }>(
    commandGroupOf(program, "operation")
      .command("watch")
      .description("Follow an operation step by step, to its end")
      .argument("<id>", "the id of the operation")
      .option("--timeout <time>", "how long, such as 30m"),
    async () => (await import("./operations.ts")).watchOperation,
  );
  act<SearchOptions>(
    commandGroupOf(program, "audit")
      .command("search")
      .description("Who did what, newest first")
      .option("--object <object>", "about this object: an id, or KIND/NAME such as cluster/demo")
      .option("--actor <user>", "by this user")
      .option("--tenant <name>", "for this tenant")
      .option("--since <time>", "such as 2h, or 2026-11-26T03:00:00Z")
      .option("--filter <condition>", 'such as: this.verb == "delete"')
      .option("--limit <number>", "the largest number of entries", "100")
      .option(...form),
    async () => (await import("./audit-search.ts")).searchAudit,
  );
  act<EventOptions>(
    commandGroupOf(program, "event")
      .command("watch")
      .description("Each event as a line of JSON, until Ctrl-C")
      .option("--filter <condition>", 'such as: event.type == "slipway.cluster.ready.v1"')
      .option("--tenant <name>", "of this tenant")
      .option("--after <id>", "those after this event"),
    async () => (await import("./events.ts")).watchEvents,
  );
  act<RawApiOptions>(
    program
      .command("api")
      .description("Send any request to the API, and print its answer")
      .argument("<method-or-path>", "GET unless it is a method")
      .argument("[path]", "such as /api/private/v1/intake")
      .option("--paginate", "read all pages")
      .option("--from <file>", "the body, in YAML or JSON; - reads standard input")
      .option("--yes", "ask nothing; needed without a terminal"),
    async () => (await import("./raw.ts")).rawRequest,
  );
  act(
    program
      .command("explain")
      .description("What a kind or a member of it means, such as cluster.spec.node_sets")
      .argument("<path>", "a kind, and its members behind dots"),
    async () => (await import("./explain.ts")).explain,
  );
  act(
    program.command("doctor").description("Check whether this machine can use this Slipway"),
    async () => (await import("./doctor.ts")).doctor,
  );
  act(
    program
      .command("completion")
      .description("Print the completion script for bash, zsh or fish")
      .argument("<shell>", "such as: source <(slipway completion bash)"),
    async () => (await import("./completion.ts")).completion,
  );
  act(
    program
      .command("complete", { hidden: true })
      .description("Completions of the last word, for completion scripts")
      .argument("[words...]"),
    async () => {
      const { complete } = await import("./completion.ts");
      return (call) => complete(program, call);
    },
  );
  addClusterCommands(program, act);
  addServerCommands(program, act);
  addContexts(program, act);
  addFaults(program, act);
}

/** Commands that break the simulated world of a laptop. */
function addFaults(program: Command, act: Act): void {
  const group = commandGroupOf(program, "fault").description(
    "break the laptop's simulated world: add, list, clear",
  );
  act<FaultOptions>(
    group
      .command("add")
      .description("Break something in the laptop's simulated world; prints the fault's id")
      .argument(
        "<target>",
        "dns, fabric, storage, dhcp, hub, hub:<id>, bmc:<host>, inventory or worker",
      )
      .argument(
        "<fault>",
        "error, timeout, slow, conflict, crash_before, crash_after, ignore or hold",
      )
      .option("--operation <operation>", "only there, such as: PATCH /apis/")
      .option("--count <number>", "number of times; 0 means every time")
      .option("--status <number>", "what an error answers"),
    async () => (await import("./fault.ts")).addFault,
  );
  act(
    group.command("list").description("What is broken, and how often it was met"),
    async () => (await import("./fault.ts")).listFaults,
  );
  act(
    group.command("clear").description("Clear all faults"),
    async () => (await import("./fault.ts")).clearFaults,
  );
}

function addContexts(program: Command, act: Act): void {
  const group = commandGroupOf(program, "context");
  act(
    group.command("list").description("All of them, and which is in use"),
    async () => (await import("./context.ts")).listContexts,
  );
  act(
    group.command("use").description("Use one from now on").argument("<name>", "its name"),
    async () => (await import("./context.ts")).useContext,
  );
  act(
    group
      .command("set")
      .description("Add one, or change it: the Slipway of --url, with the token of --token-file")
      .argument("<name>", "its name"),
    async () => (await import("./context.ts")).setContext,
  );
  act(
    group.command("remove").description("Forget one").argument("<name>", "its name"),
    async () => (await import("./context.ts")).removeContext,
  );
  act<LoginOptions>(
    program
      .command("login")
      .description("Log in to a Slipway with any browser, at its identity provider")
      .option("--name <name>", "the context that stores it; by default the one in use")
      .option("--issuer <url>", "the issuer to log in at; by default that of --url")
      .option("--client <id>", "the client id at the issuer", "slipway-cli")
      .option("--scope <scopes>", "the scopes to request from the issuer", "openid offline_access"),
    async () => (await import("./login.ts")).login,
  );
  act(
    program
      .command("logout")
      .description("Remove the token of a context, and revoke it at the identity provider"),
    async () => (await import("./login.ts")).logout,
  );
  act(
    program.command("whoami").description("Your user, and the Slipway in use"),
    async () => (await import("./context.ts")).whoAmI,
  );
}
