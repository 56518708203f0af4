/** The part of the SDK's `requestHandler` that limits the time of a call. */
export interface Timeouts {
  connectionTimeout: number;
  requestTimeout: number;
  throwOnRequestTimeout: true;
  socketTimeout: number;
}

/** Limits of one attempt, in milliseconds: for the connection, and for the answer. */
export const timeouts = (connect: number, answer: number): Timeouts => ({
  connectionTimeout: connect,
  // Limits the time until the answer's headers. Without the flag the SDK only warns and keeps waiting.
  requestTimeout: answer,
  throwOnRequestTimeout: true,
  // Limits pauses within the body; the other two limits end with the headers.
  socketTimeout: answer,
});
