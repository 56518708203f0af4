import type * as z from "zod";
import type { SystemsOptions } from "../core/at-site/adapters.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import { readYaml } from "../core/kernel/input/yaml.ts";
import { sites } from "../core/resources/site/api.ts";
import { checkSite } from "../core/resources/site/check.ts";

/** A site in an administrator's file: the API's input, with its secrets. */
export type SiteFile = z.output<typeof sites.schema>;

/** Reads YAML or JSON. Throws Invalid with every wrong member. */
export function siteIn(text: string): SiteFile {
  const parsed = sites.schema.safeParse(readYaml(text));
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.map(({ path, message }) => ({
    field: path.join("."),
    message,
  }));
  throw new AppError("Invalid", "the file does not describe a site", { violations });
}

/** Checks whether this computer can use the systems that the site names. */
export function check(
  { spec: { secrets = {}, ...spec } }: SiteFile,
  wall: Clock,
  options: Omit<SystemsOptions, "wall"> = {},
) {
  const given = Object.entries(secrets).filter(([, value]) => value !== undefined);
  return checkSite(spec, Object.fromEntries(given), { wall, ...options });
}
