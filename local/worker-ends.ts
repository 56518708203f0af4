import { AsyncLocalStorage } from "node:async_hooks";

/** The ends of a worker's run without an answer, by the names that Step Functions gives them. */

export class WorkerDied extends Error {
  override name = "Lambda.Unknown";
}

export class WorkerTimedOut extends Error {
  override name = "Sandbox.Timedout";
}

/** A run of a worker. */
interface Life {
  /** Whether Step Functions has called it, and so hears of its death. */
  isTask: boolean;
  isOver: boolean;
  end: PromiseWithResolvers<never>;
}

const living = new AsyncLocalStorage<Life>();
const never = new Promise<never>(() => {});

/** Runs a worker until it is done, or `die` ends it. The code of a dead worker runs on in this process. */
export function mortal<T>(work: () => Promise<T>, { isTask }: Pick<Life, "isTask">): Promise<T> {
  const life: Life = { isTask, isOver: false, end: Promise.withResolvers<never>() };
  const working = living.run(life, work);
  working.catch(() => {});
  return Promise.race([working, life.end.promise]);
}

/**
 * Ends the run that makes this call. Resolves for a task, whose worker may live on after Step Functions has
 * given it up; never for any other.
 */
export async function die(end: Error): Promise<void> {
  const life = living.getStore();
  if (!life) return;
  life.isOver = true;
  life.end.reject(end);
  if (!life.isTask) await never;
}

/**
 * Does what only the living do, such as a write; whoever hears of that lives by himself. A worker that Step
 * Functions has given up may do it late.
 */
export function whileAlive<T>(work: () => Promise<T>): Promise<T> {
  const life = living.getStore();
  return life?.isOver && !life.isTask ? never : living.exit(work);
}
