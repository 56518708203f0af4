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
