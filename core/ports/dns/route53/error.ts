import {
  InvalidChangeBatch,
  NoSuchHostedZone,
  Route53ServiceException,
} from "@aws-sdk/client-route-53";
import { AppError } from "../../../error.ts";

/** What it says while others are at the zone, or there is too much of us. */
const later = new Set([
  "Throttling",
  "ThrottlingException",
  "RequestLimitExceeded",
  "PriorRequestNotComplete",
]);
const credentials = new Set([
  "ExpiredToken",
  "ExpiredTokenException",
  "InvalidClientTokenId",
  "SignatureDoesNotMatch",
  "UnrecognizedClientException",
  "RequestExpired",
]);

/** What was wrong with a batch: a list by its documentation, one text in brackets in truth. */
function messagesOf({ messages = [], message }: InvalidChangeBatch): string {
  return messages.length > 0 ? messages.join(", ") : message;
}

/** Whether the zone was not as a batch took it to be: it has to be read again. */
export function isOutdated(error: unknown): error is InvalidChangeBatch {
  if (!(error instanceof InvalidChangeBatch)) return false;
  return /but it was not found|do not match the current values|but it already exists/.test(
    messagesOf(error),
  );
}

/** The port's error for what the SDK threw. Its own errors are not kept: they hold the request. */
export function translated(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const detail = String(error);
  const unavailable = (message: string) => new AppError("Unavailable", message, { detail });
  if (!(error instanceof Route53ServiceException)) return unavailable("Route 53 does not answer");
  const { httpStatusCode = 0 } = error.$metadata;
  if (credentials.has(error.name)) return unavailable("Route 53 does not accept our credentials");
  if (later.has(error.name) || httpStatusCode === 429 || httpStatusCode >= 500) {
    return unavailable(`Route 53 is not able to answer now (${error.name})`);
  }
  if (error instanceof NoSuchHostedZone) {
    return new AppError("Rejected", "the hosted zone does not exist", { detail });
  }
  const said = error instanceof InvalidChangeBatch ? messagesOf(error) : error.message;
  return new AppError("Rejected", `Route 53 refuses: ${said}`, { detail });
}
