/** The ends of a worker's run without an answer, by the names that Step Functions gives them. */

export class WorkerDied extends Error {
  override name = "Lambda.Unknown";
}

export class WorkerTimedOut extends Error {
  override name = "Sandbox.Timedout";
}
