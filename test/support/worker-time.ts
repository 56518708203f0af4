import { seconds } from "../../core/clock.ts";

/** The longest run of a worker, in milliseconds. */
export const workerTimeout = seconds(20);

/** Longer than clients wait for an answer and than a worker may run, and within its lease. */
export const pastTime = workerTimeout + seconds(1);
