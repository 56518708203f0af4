/** The port of Lambda: calls of Slipway's own functions. */

/** Makes calls without waiting for them. */
export interface Handover {
  /** Lambda keeps the call until it is done. Throws Unavailable. */
  later(worker: string, call: object): Promise<void>;
}

/** Calls and waits. */
export interface LambdaCaller {
  /** The function's answer. Throws Unavailable, or FunctionFailed with the function's error. */
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
