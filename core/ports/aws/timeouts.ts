/** What the SDK calls `requestHandler`, as far as it says when a call is given up. */
export interface Timeouts {
  connectionTimeout: number;
  requestTimeout: number;
  throwOnRequestTimeout: true;
  socketTimeout: number;
}

/** Limits of one try of a call, in milliseconds: to be connected, and to be answered. */
export const timeouts = (connect: number, answer: number): Timeouts => ({
  connectionTimeout: connect,
  // Until the headers of the answer. Without the flag the SDK only warns, and goes on waiting.
  requestTimeout: answer,
  throwOnRequestTimeout: true,
  // Silence within the body: the other two end with the headers.
  socketTimeout: answer,
});
