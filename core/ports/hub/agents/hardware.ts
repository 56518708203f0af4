/** What an agent has found in its server. A member that the agent has not reported is absent. */
export interface ReportedHardware {
  cpus?: number;
  /** Physical memory in bytes. */
  memory?: number;
  /** The MAC addresses of its NICs. */
  macs: string[];
  serial?: string;
  disks: ReportedDisk[];
  /** The names of the GPUs, one for each. */
  gpus: string[];
  /** The tests that the agent's service has made of it. */
  validations?: ReportedValidation[];
}

export interface ReportedDisk {
  /** The name that people know, such as `nvme0n1`. */
  name: string;
  /** Of a SAS drive its World Wide Name, as a rule. */
  serial?: string;
  /** Its World Wide Name, as `wwnIn` has it. */
  wwn?: string;
  bytes: number;
  /** Whether somebody has left something on it that a server can boot. */
  isBootable: boolean;
}

export interface ReportedValidation {
  id: string;
  result: "passed" | "failed" | "pending";
  /** What was seen, in words. */
  message: string;
}
