import { systemClock } from "../../../core/clock.ts";
import {
  type RedfishOptions,
  RedfishServer,
} from "../../../core/ports/bare-metal/redfish/redfish.ts";
import { SimulatedBmcs } from "../../../sim/bmc/bmcs.ts";
import type { Machine } from "../../../sim/bmc/machine.ts";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";
import { VirtualClock } from "../virtual-clock.ts";
import { type Capture, type CaptureName, readCapture, within, wordsIn } from "./capture.ts";
import { CapturedController, isSlot, type Quirks } from "./controller.ts";
import { drivesIn, macsIn } from "./machine.ts";
import { makers } from "./makers.ts";
import { serve } from "./serve.ts";

export interface CapturedOptions {
  /** Changes what was captured. */
  patch?: (capture: Capture) => Capture;
  quirks?: Quirks;
}

/** The machine of a capture as it was when that was made: on, with its override. */
export function asCaptured(machine: Machine, capture: Capture, system: string): Machine {
  const { BootSourceOverrideTarget: target = "None", BootSourceOverrideEnabled: enabled } = within(
    capture.get(system)?.Boot,
  );
  const inserted = [...capture].filter(
    ([, each]) =>
      isSlot(each) && each.Inserted === true && wordsIn(each.MediaTypes)?.includes("CD"),
  );
  return {
    ...machine,
    drives: drivesIn(capture),
    images: Object.fromEntries(inserted.map(([path, { Image }]) => [path, String(Image)])),
    power: "On",
    booted: { from: "disk" },
    boot: {
      enabled: enabled === "Once" || enabled === "Continuous" ? enabled : "Disabled",
      target: String(target),
      mode: "UEFI",
    },
  };
}

/** The controller of a capture behind real HTTP, in front of a machine of its own, and the adapter on it. */
export async function captured(
  name: CaptureName,
  { patch = (capture) => capture, quirks = {} }: CapturedOptions = {},
) {
  const capture = patch(readCapture(name));
  const maker = makers[name];
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const bmcs = new SimulatedBmcs({ database, clock, wall: clock, faults: new Faults(database) });
  const { machines, credential } = bmcs;
  const id = "captured";
  bmcs.add({ id, controller: "captured", vendor: maker.machine, serial: "", macs: [] });
  const machine = () => {
    const now = machines.get(id);
    if (now) return now;
    throw new Error("there is no machine");
  };
  machines.put(asCaptured(machine(), capture, maker.system));
  const at = { capture, maker, quirks, machines, id, clock, credential };
  const controller = new CapturedController(at);
  const host = await serve((request) => controller.handle(request), quirks.delay);
  const adapter = (options: Partial<RedfishOptions> = {}) =>
    new RedfishServer({
      address: `redfish+http://${host}${maker.system}`,
      credential: async () => credential,
      authentication: "basic",
      wall: systemClock,
      timeout: 10_000,
      ...options,
    });
  return {
    ...{ capture, clock, controller, host, machine, adapter, server: adapter() },
    macs: macsIn(capture, maker.system),
    drives: drivesIn(capture),
  };
}
