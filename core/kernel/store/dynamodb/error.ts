import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { AppError, toAppError } from "../../../error.ts";
import { misuse } from "../misuse.ts";
import { type Refusal, TransactionRefused } from "../store.ts";
import type { Image } from "./attribute-value.ts";
import { fromItemImage } from "./item-image.ts";

/** Errors of DynamoDB for contention; also codes of a cancelled transaction. */
const contention = new Set([
  "TransactionConflict",
  "TransactionConflictException",
  "TransactionInProgressException",
  "ThrottlingError",
  "ThrottlingException",
  "ProvisionedThroughputExceeded",
  "ProvisionedThroughputExceededException",
  "RequestLimitExceeded",
]);

/** Whether nothing was written because of contention, so that another try may succeed soon. */
export function isContention(error: unknown): boolean {
  if (error instanceof TransactionCanceledException) {
    return reasonsOf(error).some(({ Code }) => contention.has(Code ?? ""));
  }
  return error instanceof DynamoDBServiceException && contention.has(error.name);
}

/** Whether the same transaction, sent before under the same token, is still in progress. */
export const isInProgress = (error: unknown): boolean =>
  error instanceof DynamoDBServiceException && error.name === "TransactionInProgressException";

/**
 * The port's error for an error of the SDK. A refused condition outranks a misuse in the same transaction,
 * because it may be the cause.
 */
export function dynamodbError(error: unknown): Error {
  if (error instanceof AppError) return error;
  if (error instanceof ConditionalCheckFailedException) return refused(error);
  if (error instanceof TransactionCanceledException) {
    const reasons = reasonsOf(error).map(refusal);
    if (reasons.some((reason) => reason)) return new TransactionRefused(reasons);
  }
  if (isContention(error)) return unavailable("the store is busy", error);
  if (error instanceof DynamoDBServiceException && error.$fault === "client") {
    const reasons = error instanceof TransactionCanceledException ? reasonsOf(error) : [];
    const messages = [error.message, ...reasons.flatMap(({ Message }) => Message ?? [])];
    return misuse(`${error.name}: ${messages.join("; ")}`, error);
  }
  if (error instanceof TypeError) return toAppError(error);
  // A fault of the server, or no answer at all: timeout, connection, credentials.
  return unavailable("the store cannot be reached", error);
}

/**
 * A write that the SDK sent more than once may be refused because of its own first try, whose answer was lost. Such a
 * refusal looks like any other, so the caller has to read again.
 */
function refused(error: ConditionalCheckFailedException): Error {
  if ((error.$metadata.attempts ?? 1) > 1) {
    return unavailable("the store's first answer was lost", error);
  }
  return new TransactionRefused([withItem(error.Item)]);
}

function refusal({ Code, Item }: CancellationReason): Refusal | undefined {
  return Code === "ConditionalCheckFailed" ? withItem(Item) : undefined;
}

function withItem(image: Image | undefined): Refusal {
  return image ? { item: fromItemImage(image) } : {};
}

function reasonsOf(error: TransactionCanceledException): CancellationReason[] {
  return error.CancellationReasons ?? [];
}

function unavailable(message: string, cause: unknown): AppError {
  return new AppError("Unavailable", message, { cause });
}
