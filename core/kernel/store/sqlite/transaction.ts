import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../error.ts";
import { isDiskFull } from "../disk-full.ts";
import type { Prepared } from "./tables.ts";

/** Runs `work` in one transaction, all or nothing. Throws Unavailable while others write or the disk is full. */
export function transaction<T>(database: DatabaseSync, statement: Prepared, work: () => T): T {
  try {
    statement("BEGIN IMMEDIATE").run();
  } catch (error) {
    throw isDiskFull(error)
      ? unwritten(error)
      : new AppError("Unavailable", "the store is busy", { cause: error });
  }
  try {
    const result = work();
    statement("COMMIT").run();
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw unwritten(error);
  }
}

/** Runs a write that is a transaction by itself. Throws Unavailable while the disk is full. */
export function written(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw unwritten(error);
  }
}

/** The error of a write. A full disk is a temporary outage, not a defect. */
const unwritten = (error: unknown): unknown =>
  isDiskFull(error)
    ? new AppError("Unavailable", "the disk is full: nothing can be stored", { cause: error })
    : error;
