import { visible } from "./output/unsafe.ts";

/** The exit codes of commands. */
export const exits = {
  done: 0,
  /** Slipway refused, or a check found faults. */
  refused: 1,
  /** The command line was wrong; nothing was sent. */
  usage: 2,
  /** The operation FAILED or was CANCELLED. */
  failed: 3,
  /** The operation is STUCK: operator action is required. */
  stuck: 4,
  /** The operation continues: `--timeout` has passed, or Ctrl-C was pressed. */
  running: 5,
  /** The token is missing, or was refused. */
  loggedOut: 6,
  unreachable: 7,
} as const;

export type Exit = (typeof exits)[keyof typeof exits];

/** The meaning of each code, for help and documents. */
export const exitMeanings: Record<keyof typeof exits, string> = {
  done: "done",
  refused: "Slipway refused, or a check found a fault",
  usage: "wrong options or arguments; nothing was sent",
  failed: "the operation FAILED or was CANCELLED",
  stuck: "the operation is STUCK and needs an operator",
  running: "the operation still runs: --timeout has passed, or Ctrl-C was pressed",
  loggedOut: "not logged in: no token, or one that is not accepted",
  unreachable: "Slipway is unreachable",
};

interface FailureOptions {
  details?: readonly string[];
  mayPass?: boolean;
  mayBeDone?: boolean;
}

/** Ends a command with a sentence, its details, and the exit code. */
export class CliFailure extends Error {
  readonly exit: Exit;
  readonly details: readonly string[];
  /** Whether the same request may succeed later. */
  readonly mayPass: boolean;
  /** Whether the change may have been accepted, because no answer came. */
  readonly mayBeDone: boolean;

  constructor(
    exit: Exit,
    message: string,
    { details = [], mayPass = false, mayBeDone = false }: FailureOptions = {},
  ) {
    super(visible(message));
    this.exit = exit;
    this.details = details.map(visible);
    this.mayPass = mayPass;
    this.mayBeDone = mayBeDone;
  }
}

export const wrongCall = (message: string, ...details: string[]): CliFailure =>
  new CliFailure(exits.usage, message, { details });
