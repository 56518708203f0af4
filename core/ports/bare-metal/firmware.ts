import type { TaskId } from "./server.ts";

/** The programs of a server that this port updates: that of its controller, and that which starts the server. */
export const firmwareComponents = ["bmc", "bios"] as const;
export type FirmwareComponent = (typeof firmwareComponents)[number];

/** The version of each component, in the controller's words; one that it does not tell is absent. */
export type FirmwareVersions = Partial<Record<FirmwareComponent, string>>;

/** The firmware of one server. */
export interface ServerFirmware {
  versions(): Promise<FirmwareVersions>;
  /**
   * Has the controller fetch this image and write it; `observe` tells of the task. No task where the controller tells
   * of none: then only `versions` shows that it has come about. Asked again while that continues, it answers the same
   * task where the controller tells what its tasks are for.
   *
   * A staged task begins when the server starts next. What is written counts for the server from its next start
   * on, and for the controller once that has restarted, during which it does not answer.
   */
  update(component: FirmwareComponent, image: string): Promise<TaskId | undefined>;
  /** Restarts the controller, and not the server. */
  restartController(): Promise<void>;
}
