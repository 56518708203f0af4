import * as z from "zod";
import { RedfishError } from "./error.ts";
import { restartedController, updateTask, versionsOf } from "./firmware.ts";
import { bodyOf, notInList } from "./request.ts";
import type { Served } from "./served.ts";
import { begun } from "./tasks.ts";

/** Serves the firmware inventory and updates. */
export function serveFirmware(served: Served): void {
  const { app, get, now, put, profile, paths, clock, newId, firmwareFault } = served;
  const { update, registry } = profile;
  const inventory = { bmc: `${paths.inventory}/BMC`, bios: `${paths.inventory}/BIOS` };

  get(paths.updates, (of) => ({
    ...of.link(paths.updates),
    "@odata.type": "#UpdateService.v1_11_0.UpdateService",
    Id: "UpdateService",
    Name: "Update Service",
    ServiceEnabled: true,
    FirmwareInventory: of.link(paths.inventory),
    Actions: {
      "#UpdateService.SimpleUpdate": {
        target: of.link(paths.simpleUpdate)["@odata.id"],
        ...(update.protocols && {
          "TransferProtocol@Redfish.AllowableValues": update.protocols,
        }),
      },
    },
  }));
  get(paths.inventory, (of) =>
    of.collection(paths.inventory, "SoftwareInventory", Object.values(inventory)),
  );
  for (const component of ["bmc", "bios"] as const)
    get(inventory[component], (of) => ({
      ...of.link(inventory[component]),
      "@odata.type": "#SoftwareInventory.v1_10_0.SoftwareInventory",
      Id: component.toUpperCase(),
      Name: component.toUpperCase(),
      Version: versionsOf(now())[component],
      Updateable: true,
      RelatedItem: [of.link(component === "bmc" ? paths.manager : paths.system)],
      Status: { State: "Enabled", Health: "OK" },
    }));

  const refusal = (id: string, message: string, about: string) =>
    new RedfishError(400, id, message, [`#/${about}`]);
  app.post(paths.simpleUpdate, async (c) => {
    const sent = await bodyOf(c.req.raw, requestSchema);
    const { ImageURI, TransferProtocol, Targets } = sent;
    if (Targets && update.targets === "refused")
      throw refusal(
        `${registry}.SYS403`,
        "Unable to complete the operation because the parameter Targets is not supported.",
        "Targets",
      );
    if (!Targets && update.targets === "required")
      throw refusal(
        "Base.1.12.ActionParameterMissing",
        "The action UpdateService.SimpleUpdate requires the parameter Targets to be present in the request body.",
        "Targets",
      );
    if (TransferProtocol && update.protocols && !update.protocols.includes(TransferProtocol))
      throw notInList(TransferProtocol, "TransferProtocol");
    const before = now();
    if (before.tasks.some(({ writes, gone }) => writes && gone === undefined))
      throw new RedfishError(
        503,
        "Base.1.12.ServiceTemporarilyUnavailable",
        "An update of the firmware is in progress.",
      );
    const id = update.answered === "job" ? `JID_${newId()}` : newId();
    const task = updateTask(id, ImageURI, clock.now(), firmwareFault(before));
    const payload = { path: c.req.path, body: sent };
    const isStaged = update.isStaged && task.writes?.component === "bios";
    const made = update.answered === "task" ? { ...task, payload } : task;
    put({ ...before, tasks: [...before.tasks, isStaged ? made : begun(made, clock.now())] });
    if (update.answered === "nothing") return c.json({});
    const location = `${update.answered === "job" ? paths.jobs : paths.monitors}/${id}`;
    return c.body(null, 202, { location });
  });

  app.post(paths.managerReset, async (c) => {
    const { ResetType } = await bodyOf(c.req.raw, z.strictObject({ ResetType: z.string() }));
    if (ResetType !== "GracefulRestart") throw notInList(ResetType, "ResetType");
    put(restartedController(now(), clock.now()));
    return c.body(null, 204);
  });
}

const requestSchema = z.strictObject({
  ImageURI: z.string(),
  TransferProtocol: z.string().optional(),
  Targets: z.array(z.string()).optional(),
});
