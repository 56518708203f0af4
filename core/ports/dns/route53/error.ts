import {
  InvalidChangeBatch,
  NoSuchHostedZone,
  Route53ServiceException,
} from "@aws-sdk/client-route-53";
import { AppError } from "../../../error.ts";

/** Errors of Route 53 during concurrent changes of the zone, or when we exceed its rate limit. */
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

/** The errors of a refused batch: a list by AWS's documentation, but in practice one text in brackets. */
function messagesOf({ messages = [], message }: InvalidChangeBatch): string {
  return messages.length > 0 ? messages.join(", ") : message;
}

/** Whether the zone has changed since it was read for the batch: then read it again. */
export function isOutdated(error: unknown): error is InvalidChangeBatch {
  if (!(error instanceof InvalidChangeBatch)) return false;
  return /but it was not found|do not match the current values|but it already exists/.test(
    messagesOf(error),
  );
}

/**
 * The port's error for an error of the SDK, which is not used as the cause because it contains the request.
 */
export function route53Error(error: unknown, call: string): AppError {
  if (error instanceof AppError) return error;
  const detail = String(error);
  const unavailable = (message: string) => new AppError("Unavailable", message, { detail });
  if (!(error instanceof Route53ServiceException))
    return new AppError("Unavailable", "Route 53 does not answer", { detail, call });
  const { httpStatusCode = 0 } = error.$metadata;
  if (credentials.has(error.name)) return unavailable("Route 53 does not accept our credentials");
  if (later.has(error.name) || httpStatusCode === 429 || httpStatusCode >= 500) {
    return unavailable(`Route 53 is unavailable for ${call} now (${error.name})`);
  }
  if (error instanceof NoSuchHostedZone) {
    return new AppError("Rejected", "Route 53 does not have the hosted zone of the site", {
      detail,
    });
  }
  const said = error instanceof InvalidChangeBatch ? messagesOf(error) : error.message;
  return new AppError("Rejected", `Route 53 refuses ${call}: ${said}`, { detail });
}
