/** The hardware that an agent has found in its server; unreported members are absent. */
export interface ReportedHardware {
  cpus?: number;
  /** Physical memory in bytes. */
  memory?: number;
  /** The MAC addresses of its NICs. */
  macs: string[];
  serial?: string;
  disks: ReportedDisk[];
  /** The name of each GPU. */
  gpus: string[];
  /** The agent's validations by the assisted service. */
  validations?: ReportedValidation[];
}

export interface ReportedDisk {
  /** The device name, such as `nvme0n1`. */
  name: string;
  /** For a SAS drive usually its World Wide Name. */
  serial?: string;
  /** Its World Wide Name, normalized by `wwnIn`. */
  wwn?: string;
  bytes: number;
  /** Whether the drive has something that a server can boot. */
  isBootable: boolean;
}

export interface ReportedValidation {
  id: string;
  result: "passed" | "failed" | "pending";
  /** The observation, in words. */
  message: string;
}
