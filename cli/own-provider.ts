import type { Command } from "commander";
import type { VerifyOptions } from "./audit.ts";
import type { Act } from "./call.ts";
import type { DrainOptions } from "./drain.ts";
import type { ExtendOptions } from "./extend-site.ts";
import { commandGroupOf } from "./groups.ts";
import type { RegisterOptions, RightsOptions } from "./hubs.ts";
import type { ReplaceOptions } from "./replace-host.ts";
import type { NumberOptions } from "./site-numbers.ts";
import type { PoolOptions } from "./site-pools.ts";
import type { InitOptions } from "./template-skeleton.ts";

/** The commands by which a provider sets up Slipway. */
export function addProviderCommands(program: Command, act: Act): void {
  const hub = commandGroupOf(program, "hub");
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
      .option(
        "--agent-token-file <file>",
        "the agent's token, where your identity provider issues it",
      ),
    async () => (await import("./hubs.ts")).registerHub,
  );
  act<DrainOptions>(
    hub
      .command("drain")
      .description("Cordon a hub, list what runs on it and where there is room for that")
      .argument("<name>", "the name or the id of the hub")
      .option("--plan", "only say it")
      .option("--wait", "wait until nothing runs on it")
      .option("--timeout <time>", "how long to wait, such as 8h"),
    async () => (await import("./drain.ts")).drain,
  );
  const site = commandGroupOf(program, "site");
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
    commandGroupOf(program, "host")
      .command("import")
      .description("Bring the hosts of a file into the inventory, or change those that are there")
      .argument("<file>", "hosts in YAML (docs/inventory.md)"),
    async () => (await import("./inventory.ts")).importHosts,
  );
  act<PoolOptions>(
    site
      .command("pools")
      .description("VLAN ids, prefixes and addresses of sites: used, at rest, free, and waited for")
      .argument("[name]", "the name or the id of a site; all of them without it")
      .option("-o, --output <form>", "table, wide, json, yaml or name"),
    async () => (await import("./site-pools.ts")).sitePools,
  );
  act<ExtendOptions>(
    site
      .command("extend")
      .description("Add numbers to the pools of a site; everything is checked first")
      .argument("<name>", "the name or the id of the site")
      .option("--vlans <range>", "such as 4000-4050")
      .option("--floating-ips <range>", "such as 203.0.113.251-203.0.113.254")
      .option("--dry-run", "check the request by every rule, and change nothing"),
    async () => (await import("./extend-site.ts")).extendSite,
  );
  act<{ output?: string }>(
    commandGroupOf(program, "host")
      .command("health")
      .description("Who reports on a host, and what is wrong with it")
      .argument("<name>", "the name or the id of the host")
      .option("-o, --output <form>", "table, wide, json, yaml or name"),
    async () => (await import("./host-health.ts")).hostHealth,
  );
  act<NumberOptions>(
    site
      .command("numbers")
      .description("Each number of a site's pool: who has it, whether it rests, or that it is free")
      .argument("<name>", "the name or the id of the site")
      .requiredOption("--pool <pool>", "vlans, prefixes or floating_ips")
      .option("--from <number>", "the number to begin with, such as 107; the first without it")
      .option("--limit <number>", "the largest number of entries", "1000")
      .option("-o, --output <form>", "table, wide, json, yaml or name"),
    async () => (await import("./site-numbers.ts")).siteNumbers,
  );
  act<ReplaceOptions>(
    commandGroupOf(program, "host")
      .command("replace")
      .description(
        "Take a host out of service: its cluster gets another one first. Call it again to continue",
      )
      .argument("<name>", "the name or the id of the host")
      .option("--timeout <time>", "how long to follow it, such as 2h"),
    async () => (await import("./replace-host.ts")).replaceHost,
  );
  const template = commandGroupOf(program, "cluster-template");
  const folders = ["<folder...>", "one template each (templates/README.md)"] as const;
  act<InitOptions>(
    template
      .command("init")
      .description("Write a template to begin with, which validates as it is")
      .argument("<folder>", "where to; its name is the template's id")
      .requiredOption("--host-type <name>", "of its nodes (slipway host-type list)"),
    async () => (await import("./template-skeleton.ts")).initTemplate,
  );
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
    commandGroupOf(program, "audit")
      .command("verify")
      .description(
        "Find entries that were changed, removed or inserted; prints the ends of the chains",
      )
      .requiredOption("--tenant <name>", "the tenant whose audit it is")
      .option("--since <file>", "what an earlier run has printed, or lines of Slipway's log"),
    async () => (await import("./audit.ts")).verify,
  );
}
