import type { RedfishMessage } from "./error.ts";

/** Whether a message tells of a success or of an error, by its severity, and without one by its id. Pure. */

const good: ReadonlySet<string> = new Set(["OK", "Informational", "Information"]);
const bad: ReadonlySet<string> = new Set(["Critical", "Fatal", "Error"]);

/** Messages of the standard's registry. Others without a severity say neither: vendors report all kinds of things so. */
const successes: ReadonlySet<string> = new Set(["Success", "Created", "NoOperation"]);
const errors: ReadonlySet<string> = new Set(["GeneralError", "InternalError", "OperationFailed"]);

export const isSuccess = ({ severity, id }: RedfishMessage): boolean =>
  severity === undefined ? successes.has(id) : good.has(severity);

export const isError = ({ severity, id }: RedfishMessage): boolean =>
  severity === undefined ? errors.has(id) : bad.has(severity);
