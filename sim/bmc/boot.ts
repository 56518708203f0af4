import * as z from "zod";
import { RedfishError } from "./error.ts";
import type { Override } from "./machine.ts";
import { bodyOf, notInList, strongOf, tagOf } from "./request.ts";
import type { Resources } from "./resources.ts";
import type { Served } from "./served.ts";
import { settingsTask } from "./tasks.ts";

const bootSchema = z.strictObject({
  Boot: z.strictObject({
    BootSourceOverrideTarget: z.string().optional(),
    BootSourceOverrideEnabled: z.enum(["Disabled", "Once", "Continuous"]).optional(),
    BootSourceOverrideMode: z.enum(["UEFI", "Legacy"]).optional(),
    HttpBootUri: z.string().optional(),
  }),
});

/** Serves changes of a machine's boot source. */
export function serveBoot(served: Served): void {
  const { app, get, now, put, profile, paths, resources, clock, newId, failure } = served;
  const requireTag = (request: Request, resource: object) => {
    const given = request.headers.get("if-match") ?? undefined;
    const tag = tagOf(resource);
    if (profile.tags === "none") return;
    if (given === undefined) {
      if (profile.tags !== "required") return;
      throw new RedfishError(
        428,
        "Base.1.12.PreconditionRequired",
        "A precondition header or annotation is required to change this resource.",
      );
    }
    const isStrong = profile.tags === "strong" || profile.tagsIn !== "header";
    const taken = isStrong ? strongOf(tag) : tag;
    if (given !== taken)
      throw new RedfishError(
        412,
        "Base.1.12.PreconditionFailed",
        "The ETag supplied did not match the ETag required to change this resource.",
      );
  };

  const changeBoot = async (request: Request, path: string, read: (of: Resources) => object) => {
    requireTag(request, read(resources()));
    const { Boot } = await bodyOf(request, bootSchema);
    const before = now();
    if (!profile.changesBootInPost && before.power === "PoweringOn")
      throw new RedfishError(
        400,
        `${profile.registry}.UnableToModifyDuringSystemPOST`,
        "The operation cannot be performed while the system is in POST.",
      );
    const target = Boot.BootSourceOverrideTarget ?? before.boot.target;
    if (![...profile.bootTargets, ...(profile.pendingTargets ?? [])].includes(target))
      throw notInList(target, "BootSourceOverrideTarget");
    const boot: Override = {
      enabled: Boot.BootSourceOverrideEnabled ?? overrideAfter(before.boot),
      target,
      mode: Boot.BootSourceOverrideMode ?? before.boot.mode,
      ...((Boot.HttpBootUri ?? before.boot.uri) && { uri: Boot.HttpBootUri ?? before.boot.uri }),
    };
    if (profile.settingsBy === "answer" || path !== profile.settings) {
      put({ ...before, boot });
      return new Response(null, { status: 204 });
    }
    const id = newId();
    const task = settingsTask(id, boot, clock.now(), failure(before));
    put({ ...before, tasks: [...before.tasks, task] });
    return new Response(null, { status: 202, headers: { location: `${paths.monitors}/${id}` } });
  };
  /** Supermicro's controllers disable the override if a request has only a target. */
  const overrideAfter = ({ enabled }: Override): Override["enabled"] =>
    profile.manufacturer === "Supermicro" ? "Disabled" : enabled;
  const { settings } = profile as { settings?: string };
  if (settings !== undefined) {
    get(settings, (of) => of.settings(settings));
    app.patch(settings, (c) => changeBoot(c.req.raw, settings, (of) => of.settings(settings)));
    app.patch(paths.system, () => {
      throw new RedfishError(
        400,
        "Base.1.12.PropertyNotWriteable",
        "The property Boot is a read only property and cannot be assigned a value.",
        ["#/Boot"],
      );
    });
  } else app.patch(paths.system, (c) => changeBoot(c.req.raw, paths.system, (of) => of.system()));
}
