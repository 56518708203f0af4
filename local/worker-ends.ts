import { AsyncLocalStorage } from "node:async_hooks";

/** The ways in which a worker's run ends without an answer, by Step Functions' names. */

export class WorkerDied extends Error {
  override name = "Lambda.Unknown";
}

export class WorkerTimedOut extends Error {
  override name = "Sandbox.Timedout";
}

/** A run of a worker. */
interface Life {
  /** Whether Step Functions called the worker, and is notified when the worker dies. */
  isTask: boolean;
  isOver: boolean;
  end: PromiseWithResolvers<never>;
}

const living = new AsyncLocalStorage<Life>();
const never = new Promise<never>(() => {});

/**
 * Runs a worker until it is done, or `die` ends it. The code of a dead worker continues in this process; `whileAlive`
 * stops its effects.
 */
export function mortal<T>(work: () => Promise<T>, { isTask }: Pick<Life, "isTask">): Promise<T> {
  const life: Life = { isTask, isOver: false, end: Promise.withResolvers<never>() };
  const working = living.run(life, work);
  working.catch(() => {});
  return Promise.race([working, life.end.promise]);
}

/**
 * Ends the current run. Resolves for a task, whose worker may still have effects after Step Functions gave it up;
 * otherwise never resolves.
 */
export async function die(end: Error): Promise<void> {
  const life = living.getStore();
  if (!life) return;
  life.isOver = true;
  life.end.reject(end);
  if (!life.isTask) await never;
}

/**
 * Runs work with effects, such as a write, only in a run that has not died. Listeners of the effect
 * run outside of the worker's run. After Step Functions has given up a run, its worker may still do
 * the work.
 */
export function whileAlive<T>(work: () => Promise<T>): Promise<T> {
  const life = living.getStore();
  return life?.isOver && !life.isTask ? never : living.exit(work);
}
