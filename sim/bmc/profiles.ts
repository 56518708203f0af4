import { minutes, seconds } from "../../core/clock.ts";
import type { ErasureMethod } from "../../core/ports/bare-metal/erasure.ts";

/** What the controllers of a vendor do in a way of their own, by what their users report. */
export interface Profile {
  manufacturer: string;
  model: string;
  /** The ids of the only system and of its manager. */
  system: string;
  manager: string;
  /** Where the virtual drives are, each with what it can hold. */
  media: { under: "Systems" | "Managers"; slots: Record<string, readonly string[]> };
  /** How media are inserted: by an action, or by a change of the drive. */
  insertBy: "action" | "change";
  /** The types of reset, and whether the action itself lists them or a resource beside it. */
  resets: readonly string[];
  resetsIn: "action" | "action_info";
  bootTargets: readonly string[];
  /** The resource that takes changes of `Boot` instead of the system. */
  settings?: string;
  /** How a change of settings is answered. */
  settingsBy: "answer" | "task";
  /** Whether links end with a slash. */
  slash: boolean;
  /** Of a change: `none` ignores tags, `required` wants one, `strong` takes its own weak one only as a strong one. */
  tags: "none" | "required" | "strong";
  /** What is answered to a request for the power that there is. */
  already: { status: number; id: string; message: string };
  /** The prefix of the message ids that are the vendor's own. */
  registry: string;
  /** Whether a read that refuses compression is answered 406. */
  compresses: boolean;
  /** Whether `Boot` can be changed while the firmware's self-test runs. */
  changesBootInPost: boolean;
  /** Simulated milliseconds: from power on to the end of the self-test, and until a forced power off is done. */
  post: number;
  off: number;
  /** For how long an ejected image is still shown, while an insertion fails. */
  lingers: number;
  /** How drives are erased, and where they are. */
  erasure: {
    /** Where a drive says how it can be erased: its action does, a resource beside it, Dell's own member, or nothing. */
    announced: "action" | "action_info" | "oem" | "nowhere";
    /** The methods that the controller knows. */
    methods: readonly ErasureMethod[];
    /** When it begins: with the request, which needs a server that is on, or with the server's next start. */
    begins: "now" | "at_start";
    /** What the request is answered with; without a task the drive itself shows how far it is. */
    answered: "task" | "job" | "nothing";
    /** Whether a drive that is being erased says so. */
    shown: boolean;
    drivesUnder: "Storage" | "Chassis";
  };
  /** How firmware is updated. */
  update: {
    answered: "task" | "job" | "nothing";
    /** Whether what is written for the BIOS waits for the server's next start. */
    isStaged: boolean;
    /** Whether a request says what the image is for. */
    targets: "required" | "refused" | "optional";
    /** By what it says that it fetches images, if it says that. */
    protocols?: readonly string[];
  };
  /** How many sessions there may be, and when an idle one ends (real time). */
  sessions: { most: number; idle: number };
}

const usual = ["None", "Pxe", "Cd", "Hdd", "UefiHttp", "BiosSetup"];

export const profiles = {
  dell: {
    manufacturer: "Dell Inc.",
    model: "PowerEdge R760",
    system: "System.Embedded.1",
    manager: "iDRAC.Embedded.1",
    media: {
      under: "Systems",
      slots: { "1": ["CD", "DVD", "USBStick"], "2": ["CD", "DVD", "USBStick"] },
    },
    insertBy: "action",
    resets: [
      "On",
      "ForceOff",
      "ForceRestart",
      "GracefulRestart",
      "GracefulShutdown",
      "PushPowerButton",
      "Nmi",
      "PowerCycle",
    ],
    resetsIn: "action",
    bootTargets: usual,
    settings: "/redfish/v1/Systems/System.Embedded.1/Settings",
    settingsBy: "task",
    slash: false,
    tags: "none",
    already: { status: 409, id: "IDRAC.1.6.PSU501", message: "Server is already powered ON." },
    registry: "IDRAC.2.8",
    compresses: false,
    changesBootInPost: true,
    post: seconds(90),
    off: seconds(6),
    lingers: seconds(3),
    erasure: {
      announced: "oem",
      methods: ["cryptographic"],
      begins: "at_start",
      answered: "job",
      shown: false,
      drivesUnder: "Storage",
    },
    update: {
      answered: "job",
      isStaged: true,
      targets: "refused",
      protocols: ["HTTP", "NFS", "CIFS", "TFTP", "HTTPS"],
    },
    sessions: { most: 8, idle: minutes(30) },
  },
  hpe: {
    manufacturer: "HPE",
    model: "ProLiant DL380 Gen11",
    system: "1",
    manager: "1",
    media: { under: "Managers", slots: { "1": ["Floppy", "USBStick"], "2": ["CD", "DVD"] } },
    insertBy: "action",
    resets: [
      "On",
      "ForceOff",
      "GracefulShutdown",
      "ForceRestart",
      "Nmi",
      "PushPowerButton",
      "GracefulRestart",
    ],
    resetsIn: "action",
    bootTargets: usual,
    settingsBy: "answer",
    slash: true,
    tags: "none",
    already: {
      status: 400,
      id: "iLO.2.19.InvalidOperationForSystemState",
      message:
        "The operation was not successful due to the current power state (for example, attempting to turn the power off when it is already off).",
    },
    registry: "iLO.2.19",
    compresses: true,
    changesBootInPost: false,
    post: seconds(120),
    off: seconds(10),
    lingers: 0,
    erasure: {
      announced: "nowhere",
      methods: ["cryptographic", "block", "overwrite"],
      begins: "now",
      answered: "nothing",
      shown: true,
      drivesUnder: "Chassis",
    },
    update: { answered: "nothing", isStaged: false, targets: "optional" },
    sessions: { most: 12, idle: minutes(30) },
  },
  supermicro: {
    manufacturer: "Supermicro",
    model: "SYS-621C-TN12R",
    system: "1",
    manager: "1",
    media: { under: "Managers", slots: { CD1: ["CD", "DVD"] } },
    insertBy: "action",
    resets: [
      "On",
      "ForceOff",
      "GracefulShutdown",
      "GracefulRestart",
      "ForceRestart",
      "Nmi",
      "ForceOn",
    ],
    resetsIn: "action_info",
    bootTargets: ["None", "Pxe", "UsbCd", "Cd", "Hdd", "UefiHttp", "BiosSetup"],
    settingsBy: "answer",
    slash: false,
    tags: "required",
    already: { status: 204, id: "", message: "" },
    registry: "SMC.1.0",
    compresses: false,
    changesBootInPost: true,
    post: seconds(150),
    off: seconds(4),
    lingers: 0,
    erasure: {
      announced: "action_info",
      methods: ["cryptographic", "block", "overwrite"],
      begins: "now",
      answered: "task",
      shown: true,
      drivesUnder: "Chassis",
    },
    update: { answered: "task", isStaged: false, targets: "required" },
    sessions: { most: 16, idle: minutes(5) },
  },
  lenovo: {
    manufacturer: "Lenovo",
    model: "ThinkEdge SE450",
    system: "1",
    manager: "1",
    media: { under: "Managers", slots: { EXT1: ["CD", "DVD"] } },
    insertBy: "change",
    resets: [
      "On",
      "Nmi",
      "GracefulShutdown",
      "GracefulRestart",
      "ForceOn",
      "ForceOff",
      "ForceRestart",
    ],
    resetsIn: "action",
    bootTargets: usual,
    settings: "/redfish/v1/Systems/1/Pending",
    settingsBy: "answer",
    slash: false,
    tags: "strong",
    already: { status: 204, id: "", message: "" },
    registry: "ExtendedError.1.2",
    compresses: false,
    changesBootInPost: true,
    post: seconds(100),
    off: seconds(5),
    lingers: 0,
    erasure: {
      announced: "action",
      methods: ["cryptographic", "block"],
      begins: "now",
      answered: "task",
      shown: false,
      drivesUnder: "Storage",
    },
    update: { answered: "task", isStaged: false, targets: "optional" },
    sessions: { most: 4, idle: minutes(30) },
  },
} as const satisfies Record<string, Profile>;

export type VendorName = keyof typeof profiles;
export const vendorNames = Object.keys(profiles) as VendorName[];

/** The controller of a DPU, which is a computer of its own in a server: its settings are apart, and it shows few drives. */
export const bluefield: Profile = {
  ...profiles.lenovo,
  manufacturer: "Nvidia",
  model: "BlueField-3 DPU",
  system: "Bluefield",
  manager: "Bluefield_BMC",
  resets: ["On", "ForceOff", "ForceOn", "ForceRestart", "GracefulRestart", "GracefulShutdown"],
  settings: "/redfish/v1/Systems/Bluefield/Settings",
  tags: "none",
  already: { status: 204, id: "", message: "" },
  post: seconds(60),
};

/** Whose ways a controller has: those of a vendor of servers, or of a DPU. */
export type Ways = VendorName | "bluefield";
