import { readFileSync } from "node:fs";
import { systemClock } from "../core/clock.ts";
import { command, WrongCall } from "./command.ts";
import { endpointUsage } from "./endpoint.ts";
import { registerIn, show } from "./register.ts";
import { check, siteIn } from "./site-file.ts";

/**
 * `npm run sites -- check FILE` checks whether this machine can use each system of a site. `npm run
 * sites -- register FILE` does the same, then registers the site, or changes the one of its name.
 */

const usage = `usage: npm run sites -- check FILE
       npm run sites -- register FILE [--url URL] [--token TOKEN]
FILE is the site as the API takes it (docs/sites.md), in JSON or YAML, with its secrets
${endpointUsage}`;

await command(usage, [], async ({ words: [verb, file, ...rest], api }) => {
  if ((verb !== "check" && verb !== "register") || file === undefined || rest.length > 0)
    throw new WrongCall("check FILE or register FILE is needed");
  const site = siteIn(readFileSync(file, "utf8"));
  show(await check(site, systemClock));
  if (verb === "check") return true;
  const { id, metadata, spec } = site;
  const registered = await registerIn("sites", { name: metadata.name, id, spec }, api());
  console.error(`${registered.outcome.padEnd(8)} ${metadata.name} (${registered.id})`);
  return true;
});
