import { systemClock } from "../core/clock.ts";
import { type CliCall, provider } from "./call.ts";
import { fileText } from "./generic/body.ts";
import { registerIn, show } from "./register.ts";
import { check, siteIn } from "./site-file.ts";

/** `slipway site check FILE` and `slipway site register FILE`. */

/** Checks whether this computer can use each system of a site. */
export async function checkSiteFile({ around, words: [file = ""] }: CliCall): Promise<undefined> {
  show(await check(siteIn(fileText(around, file)), systemClock), around);
  return undefined;
}

/** Checks the systems of a site as above, then registers or changes the site of that name. */
export async function registerSite(call: CliCall): Promise<undefined> {
  const { around, words } = call;
  const [file = ""] = words;
  const site = siteIn(fileText(around, file));
  show(await check(site, systemClock), around);
  const { id, metadata, spec } = site;
  const registered = await registerIn("sites", { name: metadata.name, id, spec }, provider(call));
  around.err.write(`${registered.outcome.padEnd(8)} ${metadata.name} (${registered.id})\n`);
  return undefined;
}
