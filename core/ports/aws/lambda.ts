/** The Lambda port: calls of Slipway's own functions. */

/** Asynchronous calls. */
export interface Handover {
  /** Lambda queues the call and retries it. Throws Unavailable. */
  later(worker: string, call: object): Promise<void>;
}

/** Synchronous calls. */
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
