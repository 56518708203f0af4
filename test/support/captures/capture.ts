import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { bare } from "../../../core/ports/bare-metal/redfish/link.ts";
import { folderOf } from "../folder-of.ts";

/** What a real controller has answered to GET: its resources by their paths, without the slash at the end. */
export type Capture = ReadonlyMap<string, Resource>;
export type Resource = Readonly<Record<string, unknown>>;

export const captureNames = [
  "dell",
  "dell-multi-dpu",
  "dmtf-rackmount",
  "forbidden",
  "hpe",
  "lenovo",
  "nvidia-dpu",
  "nvidia-gb200",
  "nvidia-gbswitch",
  "nvidia-gh200",
  "nvidia-viking",
  "supermicro",
] as const;
export type CaptureName = (typeof captureNames)[number];

/** Whether captures can be had. Says so, once a file of tests, where they cannot. */
export function haveCaptures(): boolean {
  const folder = folderOf("CAPTURES_DIR");
  if (folder === undefined) console.log("skipped: CAPTURES_DIR is not set");
  return folder !== undefined;
}

/** The capture of this name. Throws where there is none. */
export function readCapture(name: CaptureName): Capture {
  const file = join(folderOf("CAPTURES_DIR") ?? "", "redfish", `${name}.json`);
  const found = z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .parse(JSON.parse(readFileSync(file, "utf8")));
  return new Map(Object.entries(found).map(([path, resource]) => [bare(path), resource]));
}

/** A member that is an object, or one without members. */
export const within = (value: unknown): Resource =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};

/** A member that is a list of words; undefined for any other. */
export const wordsIn = (value: unknown): string[] | undefined =>
  z.array(z.string()).safeParse(value).data;

/** The paths of the resources that a member links to, one or several. */
export const linksIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each) => {
    const path = within(each)["@odata.id"];
    return typeof path === "string" ? [bare(path)] : [];
  });

/** A capture with other resources in place of some. */
export const patched = (
  capture: Capture,
  change: (resource: Resource, path: string) => Resource,
): Capture => new Map([...capture].map(([path, resource]) => [path, change(resource, path)]));

export const isDrive = (resource: Resource): boolean =>
  String(resource["@odata.type"]).startsWith("#Drive.");

/** What an action takes for a parameter, by what it or the resource beside it announces. */
export function allowedIn(capture: Capture, action: Resource, name: string): string[] | undefined {
  const here = wordsIn(action[`${name}@Redfish.AllowableValues`]);
  const info = action["@Redfish.ActionInfo"];
  if (here || typeof info !== "string") return here;
  const parameters = capture.get(bare(info))?.Parameters;
  const found = (Array.isArray(parameters) ? parameters : [])
    .map(within)
    .find(({ Name }) => Name === name);
  return wordsIn(found?.AllowableValues);
}
