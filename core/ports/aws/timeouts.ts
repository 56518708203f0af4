/** The part of the SDK's `requestHandler` that limits the time of a call. */
export interface Timeouts {
  connectionTimeout: number;
  requestTimeout: number;
  throwOnRequestTimeout: true;
  socketTimeout: number;
}

/** Limits of one try of a call, in milliseconds: for the connection, and for the answer. */
export const timeouts = (connect: number, answer: number): Timeouts => ({
  connectionTimeout: connect,
  // Limits the time until the answer's headers. Without the flag the SDK only warns and continues
  // waiting.
  requestTimeout: answer,
  throwOnRequestTimeout: true,
  // Limits silence within the body; the other two limits end with the headers.
  socketTimeout: answer,
});
