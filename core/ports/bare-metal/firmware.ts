import type { TaskId } from "./server.ts";

/** The firmware that this port updates: the controller's, and the server's BIOS or UEFI. */
export const firmwareComponents = ["bmc", "bios"] as const;
export type FirmwareComponent = (typeof firmwareComponents)[number];

/** The version of each component, in the controller's words; absent if not reported. */
export type FirmwareVersions = Partial<Record<FirmwareComponent, string>>;

export interface ServerFirmware {
  versions(): Promise<FirmwareVersions>;
  /**
   * Makes the controller download this image and write it; `observe` reports the task. Answers no task if the
   * controller names none: then only `versions` shows the result. A repeated call during the update answers
   * the same task if the controller tells what its tasks are for.
   *
   * A staged task begins when the server starts next. The new BIOS is in effect from the server's next start,
   * and the new controller firmware once the controller has restarted, during which it does not answer.
   */
  update(component: FirmwareComponent, image: string): Promise<TaskId | undefined>;
  /** Restarts the controller, not the server. */
  restartController(): Promise<void>;
}
