import type { Ways } from "../../../sim/bmc/profiles.ts";
import type { CaptureName } from "./capture.ts";

/**
 * How makers act where GET does not tell it: by their manuals, their scripts and what their users report. The rest is read
 * from the capture.
 */
export interface Maker {
  /** The path of the system that is the server. */
  system: string;
  /** The simulated machine that it moves: how long a start takes, and what an ejected image leaves. */
  machine: Ways;
  /**
   * Whether a change of a resource wants the tag that it shows: AMI's, Lenovo's and Supermicro's do. AMI's is read from the
   * body (NVIDIA/libredfish); the others tell it in the header too, where sushy reads it.
   */
  tags: "none" | "body" | "both";
  erasure: {
    /** With the request, which needs a server that is on, or with the server's next start. */
    begins: "now" | "at_start";
    /** Dell's answer a job, and others the monitor of a task. */
    answered: "job" | "monitor";
  };
  /** Whether InsertMedia insists on how the image is transferred. */
  wantsTransferProtocol?: true;
}

const byMonitor = { begins: "now", answered: "monitor" } as const;
const dell: Maker = {
  system: "/redfish/v1/Systems/System.Embedded.1",
  machine: "dell",
  tags: "none",
  erasure: { begins: "at_start", answered: "job" },
};
const nvidia = {
  ...{ system: "/redfish/v1/Systems/System_0", machine: "lenovo", tags: "none" },
  erasure: byMonitor,
} as const satisfies Maker;
const first = { ...nvidia, system: "/redfish/v1/Systems/1" };

export const makers: Record<CaptureName, Maker> = {
  dell,
  forbidden: dell,
  "dell-multi-dpu": dell,
  "dmtf-rackmount": { ...nvidia, system: "/redfish/v1/Systems/437XR1138R2" },
  hpe: { ...first, machine: "hpe" },
  lenovo: { ...first, tags: "both" },
  supermicro: { ...first, machine: "supermicro", tags: "both" },
  "nvidia-dpu": {
    ...nvidia,
    ...{ system: "/redfish/v1/Systems/Bluefield", machine: "bluefield" },
  },
  "nvidia-gb200": { ...nvidia, wantsTransferProtocol: true },
  "nvidia-gbswitch": nvidia,
  "nvidia-gh200": { ...nvidia, wantsTransferProtocol: true },
  "nvidia-viking": { ...nvidia, system: "/redfish/v1/Systems/DGX", tags: "body" },
};
