import type { Command } from "commander";
import type { VerifyOptions } from "./audit.ts";
import type { SearchOptions } from "./audit-search.ts";
import type { Act } from "./call.ts";
import type { SetOptions } from "./context.ts";
import type { EventOptions } from "./events.ts";
import { groupOf } from "./groups.ts";
import type { RegisterOptions, RightsOptions } from "./hubs.ts";
import type { LoginOptions } from "./login.ts";
import type { ApiOptions } from "./raw.ts";

/** The commands that are written by hand. */
export function addOwnCommands(program: Command, act: Act): void {
  const form = ["-o, --output <form>", "table, wide, json, yaml or name"] as const;

  act<{ output?: string }>(
    program
      .command("status")
      .description("What needs a person, what waits for what, the hubs, what runs out next")
      .option(...form),
    async () => (await import("./status.ts")).status,
  );
  act<{ output?: string; site?: string; network?: string }>(
    program
      .command("who")
      .description("Who has a VLAN, an address, a prefix, a name, a MAC address or a host")
      .argument("<kind>", "vlan, ip, prefix, dns, mac, host or infra_id")
      .argument("<value>", "which one of it")
      .option("--site <id>", "only at this site")
      .option("--network <id>", "only in this network of a tenant")
      .option(...form),
    async () => (await import("./who.ts")).who,
  );
  act<{ timeout?: string }>(
    groupOf(program, "operation")
      .command("watch")
      .description("Follow an operation step by step, to its end")
      .argument("<id>", "the id of the operation")
      .option("--timeout <time>", "how long, such as 30m"),
    async () => (await import("./operations.ts")).watchOperation,
  );
  act<SearchOptions>(
    groupOf(program, "audit")
      .command("search")
      .description("Who did what, newest first")
      .option("--object <object>", "about this object: an id, or such as cluster/demo")
      .option("--actor <user>", "by this user")
      .option("--tenant <name>", "for this tenant")
      .option("--since <time>", "such as 2h, or 2026-11-26T03:00:00Z")
      .option("--filter <condition>", 'such as: this.verb == "delete"')
      .option("--limit <number>", "how many at most", "100")
      .option(...form),
    async () => (await import("./audit-search.ts")).searchAudit,
  );
  act<EventOptions>(
    groupOf(program, "event")
      .command("watch")
      .description("Each event as a line of JSON, until Ctrl-C")
      .option("--filter <condition>", 'such as: event.type == "slipway.cluster.ready.v1"')
      .option("--tenant <name>", "of this tenant")
      .option("--after <id>", "those after this event"),
    async () => (await import("./events.ts")).watchEvents,
  );
  act<ApiOptions>(
    program
      .command("api")
      .description("Any request of the API, with the answer as it is")
      .argument("<method-or-path>", "GET unless it is a method")
      .argument("[path]", "such as /api/private/v1/hosts")
      .option("--paginate", "read all pages")
      .option("--from <file>", "the body, in YAML or JSON; - reads standard input"),
    async () => (await import("./raw.ts")).rawRequest,
  );
  addContexts(program, act);
  addProviders(program, act);
}

/** Commands with which a provider sets Slipway up. */
function addProviders(program: Command, act: Act): void {
  const hub = groupOf(program, "hub");
  act<RightsOptions>(
    hub
      .command("rights")
      .description("Print the objects that give Slipway its rights on a hub, for kubectl apply")
      .option("--name <name>", "of Slipway's service account there")
      .option("--namespace <name>", "of that account"),
    async () => (await import("./hubs.ts")).printRights,
  );
  act<RegisterOptions>(
    hub
      .command("register")
      .description(
        "Check that a hub can be used, register it, and print values for its agent's chart",
      )
      .requiredOption("--name <name>", "the hub's name")
      .requiredOption("--kubeconfig <file>", "how Slipway reaches it")
      .requiredOption("--region <region>", "where it is")
      .option(
        "--capacity <number>",
        "how many hosted control planes it can carry; needed for a new hub",
      )
      .option("--base-domain <domain>", "of its clusters' names; needed for a new hub")
      .option("--token-file <file>", "the agent's token, where your identity provider issues it"),
    async () => (await import("./hubs.ts")).registerHub,
  );
  const site = groupOf(program, "site");
  const file = [
    "<file>",
    "the site as the API takes it, with its secrets (docs/sites.md)",
  ] as const;
  act(
    site
      .command("check")
      .description("Check whether this machine can use each system of a site")
      .argument(...file),
    async () => (await import("./sites.ts")).checkSiteFile,
  );
  act(
    site
      .command("register")
      .description("Check a site, and register it or change the one of its name")
      .argument(...file),
    async () => (await import("./sites.ts")).registerSite,
  );
  act(
    groupOf(program, "host")
      .command("import")
      .description("Bring the hosts of a file into the inventory, or change those that are there")
      .argument("<file>", "hosts in YAML (docs/inventory.md)"),
    async () => (await import("./inventory.ts")).importHosts,
  );
  const template = groupOf(program, "cluster-template");
  const folders = ["<folder...>", "one template each (templates/README.md)"] as const;
  act(
    template
      .command("validate")
      .description("Say everything that is wrong in folders of templates")
      .argument(...folders),
    async () => (await import("./templates.ts")).validateTemplates,
  );
  act(
    template
      .command("publish")
      .description("Make the stored templates what their folders say")
      .argument(...folders),
    async () => (await import("./templates.ts")).publishTemplates,
  );
  act<VerifyOptions>(
    groupOf(program, "audit")
      .command("verify")
      .description(
        "Find entries that were changed, removed or inserted; prints the ends of the chains",
      )
      .requiredOption("--tenant <name>", "the tenant whose audit it is")
      .option("--since <file>", "what an earlier run has printed"),
    async () => (await import("./audit.ts")).verify,
  );
}

function addContexts(program: Command, act: Act): void {
  const group = groupOf(program, "context");
  act(
    group.command("list").description("All of them, and which is in use"),
    async () => (await import("./context.ts")).listContexts,
  );
  act(
    group.command("use").description("Use one from now on").argument("<name>", "its name"),
    async () => (await import("./context.ts")).useContext,
  );
  act<SetOptions>(
    group
      .command("set")
      .description("Add one, or change it: the Slipway of --url")
      .argument("<name>", "its name")
      .option("--token-file <file>", "a file with the token; - reads standard input"),
    async () => (await import("./context.ts")).setContext,
  );
  act(
    group.command("remove").description("Forget one").argument("<name>", "its name"),
    async () => (await import("./context.ts")).removeContext,
  );
  act<LoginOptions>(
    program
      .command("login")
      .description("Log in at the issuer that a Slipway trusts, with a browser anywhere")
      .option("--name <name>", "the context to keep it in; the one in use unless given")
      .option("--issuer <url>", "where to log in; by the Slipway of --url unless given")
      .option("--client <id>", "the application that the issuer knows", "slipway-cli")
      .option("--scope <scopes>", "what to ask the issuer for", "openid offline_access"),
    async () => (await import("./login.ts")).login,
  );
  act(
    program.command("logout").description("Forget the context in use, or that of --context"),
    async () => (await import("./login.ts")).logout,
  );
  act(
    program.command("whoami").description("Whom your token names, and which Slipway is asked"),
    async () => (await import("./context.ts")).whoAmI,
  );
}
