/** The port of Lambda: functions of ours that other functions ask. */

/** Hands calls over that nobody waits for. */
export interface Handover {
  /** Lambda keeps the call until it is done. Throws Unavailable. */
  later(worker: string, call: object): Promise<void>;
}

/** Calls and waits. */
export interface Caller {
  /** What the function answered. Throws Unavailable, or FunctionFailed with what the function threw. */
  now(worker: string, call: object): Promise<unknown>;
}

/** The function threw; `type` is the name of its error. */
export class FunctionFailed extends Error {
  readonly type: string;
  constructor(type: string) {
    super(`the function threw ${type}`);
    this.type = type;
  }
}
