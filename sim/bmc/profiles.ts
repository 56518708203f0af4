import { minutes, seconds } from "../../core/clock.ts";
import type { ErasureMethod } from "../../core/ports/bare-metal/erasure.ts";

/**
 * What the controllers of a vendor do in a way of their own, by what real ones have shown (`test/sim/bmc/as-captured.test.ts`
 * compares) and their users report.
 */
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
  /** What the pending settings announce beside, where the system itself announces too. */
  pendingTargets?: readonly string[];
  /** Members that it shows of no resource. */
  omits: readonly string[];
  /** Whether an empty virtual drive tells how to eject. */
  ejects: "always" | "inserted";
  /** The resource that takes changes of `Boot` instead of the system. */
  settings?: string;
  /** How a change of settings is answered. */
  settingsBy: "answer" | "task";
  /** Whether links end with a slash. */
  slash: boolean;
  /** Of a change: `none` ignores tags, `required` wants one, `strong` takes its own weak one only as a strong one. */
  tags: "none" | "required" | "strong";
  /** Whether a tag is shown in the body too, where it is strong. */
  tagsIn: "header" | "both";
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
    drivesUnder: "Storage" | "Chassis" | "nowhere";
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

/** What a virtual drive takes that is none of its own kind. */
const anything = ["CD", "DVD", "Floppy", "USBStick"] as const;

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
    bootTargets: [
      "None",
      "Pxe",
      "Floppy",
      "Cd",
      "Hdd",
      "BiosSetup",
      "Utilities",
      "UefiTarget",
      "SDCard",
      "UefiHttp",
    ],
    omits: [],
    ejects: "always",
    settings: "/redfish/v1/Systems/System.Embedded.1/Settings",
    settingsBy: "task",
    slash: false,
    tags: "none",
    tagsIn: "header",
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
    bootTargets: [
      "None",
      "Cd",
      "Hdd",
      "Usb",
      "SDCard",
      "Utilities",
      "Diags",
      "BiosSetup",
      "Pxe",
      "UefiShell",
      "UefiHttp",
      "UefiTarget",
    ],
    omits: ["CoreCount", "ImageName"],
    ejects: "always",
    settingsBy: "answer",
    slash: true,
    tags: "none",
    tagsIn: "both",
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
    media: {
      under: "Managers",
      slots: { VirtualMedia1: anything, VirtualMedia2: anything, VirtualMedia3: anything },
    },
    insertBy: "action",
    resets: [
      "On",
      "ForceOff",
      "GracefulShutdown",
      "GracefulRestart",
      "ForceRestart",
      "Nmi",
      "ForceOn",
      "PowerCycle",
    ],
    resetsIn: "action_info",
    bootTargets: [
      "None",
      "Pxe",
      "Floppy",
      "Cd",
      "Usb",
      "Hdd",
      "BiosSetup",
      "UsbCd",
      "UefiBootNext",
      "UefiHttp",
    ],
    omits: [
      "Vendor",
      "CoreCount",
      "Protocol",
      "MediaType",
      "EncryptionAbility",
      "EncryptionStatus",
    ],
    ejects: "inserted",
    settingsBy: "answer",
    slash: false,
    tags: "required",
    tagsIn: "both",
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
    media: { under: "Managers", slots: { EXT1: anything, EXT2: anything } },
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
    bootTargets: [
      "None",
      "Pxe",
      "Cd",
      "Usb",
      "Hdd",
      "BiosSetup",
      "Diags",
      "UefiTarget",
      "UefiHttp",
    ],
    omits: ["CoreCount"],
    ejects: "always",
    settings: "/redfish/v1/Systems/1/Pending",
    settingsBy: "answer",
    slash: false,
    tags: "strong",
    tagsIn: "both",
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

/** The controller of a DPU, which is a computer of its own in a server: its settings are apart, and it shows no drives, real or virtual. */
export const bluefield: Profile = {
  ...profiles.lenovo,
  manufacturer: "https://www.mellanox.com",
  model: "BlueField-3 SmartNIC Main Card",
  system: "Bluefield",
  manager: "Bluefield_BMC",
  media: { under: "Managers", slots: {} },
  insertBy: "action",
  resets: [
    "ForceOff",
    "PowerCycle",
    "Nmi",
    "GracefulShutdown",
    "On",
    "ForceOn",
    "GracefulRestart",
    "ForceRestart",
  ],
  resetsIn: "action_info",
  bootTargets: ["None", "Pxe", "UefiHttp", "UefiShell", "UefiTarget", "UefiBootNext"],
  // Those of all that OpenBMC runs on, and not of the DPU.
  pendingTargets: ["None", "Pxe", "Hdd", "Cd", "Diags", "BiosSetup", "Usb"],
  omits: ["UUID", "BiosVersion", "CoreCount", "Health", "ResetType@Redfish.AllowableValues"],
  settings: "/redfish/v1/Systems/Bluefield/Settings",
  tags: "none",
  tagsIn: "header",
  already: { status: 204, id: "", message: "" },
  post: seconds(60),
  erasure: {
    ...profiles.lenovo.erasure,
    ...{ announced: "nowhere", methods: [], drivesUnder: "nowhere" },
  },
};

/** Whose ways a controller has: those of a vendor of servers, or of a DPU. */
export type Ways = VendorName | "bluefield";
