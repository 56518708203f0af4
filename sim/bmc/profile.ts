import type { ErasureMethod } from "../../core/ports/bare-metal/erasure.ts";

/**
 * The particular behaviour of a vendor's controllers, from captures of real ones (compared in
 * `test/sim/bmc/as-captured.test.ts`) and from reports of their users.
 */
export interface Profile {
  manufacturer: string;
  model: string;
  /** The ids of the controller's only system and manager. */
  system: string;
  manager: string;
  /** The resource that has the virtual drives, and the media types of each. */
  media: { under: "Systems" | "Managers"; slots: Record<string, readonly string[]> };
  /** How media are inserted: by an action, or by a PATCH of the drive. */
  insertBy: "action" | "change";
  /** The types of reset, and where they are listed: in the action itself, or in its ActionInfo. */
  resets: readonly string[];
  resetsIn: "action" | "action_info";
  bootTargets: readonly string[];
  /** The allowable boot targets in the pending settings, where the system lists some too. */
  pendingTargets?: readonly string[];
  /** Members that this vendor's resources lack. */
  omits: readonly string[];
  /** Whether an empty virtual drive shows the eject action. */
  ejects: "always" | "inserted";
  /** The resource that accepts changes of `Boot`, if it is not the system. */
  settings?: string;
  /** How a change of settings is made: with the answer, or by a task. */
  settingsBy: "answer" | "task";
  /** Whether links end with a slash. */
  slash: boolean;
  /**
   * ETags in changes: `none` ignores them, `required` needs one, `strong` accepts its own weak tag only in the strong
   * form.
   */
  tags: "none" | "required" | "strong";
  /** Whether the body shows a tag too, in the strong form. */
  tagsIn: "header" | "both";
  /** The answer to a request for the current power state. */
  already: { status: number; id: string; message: string };
  /** The prefix of the vendor's own message ids. */
  registry: string;
  /** Whether a read that does not accept compression is answered with 406. */
  compresses: boolean;
  /** Whether `Boot` can be changed while the firmware's self-test runs. */
  changesBootInPost: boolean;
  /** Simulated milliseconds from power-on to the end of the self-test, and of a forced power-off. */
  post: number;
  off: number;
  /** How long an ejected image is still shown, during which insertions fail. */
  lingers: number;
  /** How drives are erased, and which resource has them. */
  erasure: {
    /** Where the methods of erasure are listed: in the action, in its ActionInfo, in Dell's OEM member, or nowhere. */
    announced: "action" | "action_info" | "oem" | "nowhere";
    /** The methods that the controller knows. */
    methods: readonly ErasureMethod[];
    /** When an erasure begins: with the request (the server must be on), or at the server's next start. */
    begins: "now" | "at_start";
    /** How an accepted erasure is answered; without a task, the drive itself shows the progress. */
    answered: "task" | "job" | "nothing";
    /** Whether a drive shows that it is being erased. */
    shown: boolean;
    drivesUnder: "Storage" | "Chassis" | "nowhere";
  };
  /** How firmware is updated. */
  update: {
    answered: "task" | "job" | "nothing";
    /** Whether a BIOS update is staged for the server's next start. */
    isStaged: boolean;
    /** Whether a request for an update names the targets of the image. */
    targets: "required" | "refused" | "optional";
    /** The transfer protocols that it lists, if any. */
    protocols?: readonly string[];
  };
  /** The limit of sessions, and the idle time after which one ends (real time). */
  sessions: { most: number; idle: number };
}
